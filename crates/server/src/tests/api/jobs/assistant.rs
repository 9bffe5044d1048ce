//! Questions about a text: the stream, what is stored, and interruptions.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use axum::http::{Method, StatusCode};
use serde_json::{Value, json};
use slovo_analysis::AnalysisError;
use slovo_work::analysis::engines::Engines;

use super::edits::support::Page;
use super::support::send;
use crate::testing::scripted::Scripted;
use crate::testing::{Backend, apply, each_database, with_server, with_server_engines};

/// Runs `test` with a job that has a text, and with these engines.
fn with_an_assistant<F>(backend: Backend, engines: fn(Arc<Scripted>) -> Engines, test: F)
where
    F: AsyncFnOnce(&Page<'_>, Arc<Scripted>),
{
    let engine = Arc::new(Scripted::default());
    with_server_engines(backend, engines(Arc::clone(&engine)), async |server| {
        let me = server.signup("a@example.com").await;
        let page = Page::on(&server, &me, &["Перше речення.", "Друге речення."]).await;
        test(&page, engine).await;
    });
}

fn endpoint(engine: Arc<Scripted>) -> Engines {
    Engines {
        answers: Some(engine),
        ..Engines::default()
    }
}

fn passages(engine: Arc<Scripted>) -> Engines {
    Engines {
        passages: Some(engine),
        ..Engines::default()
    }
}

/// The events of an answer.
async fn ask(page: &Page<'_>, question: &str) -> Vec<(String, Value)> {
    let answer = page
        .post("/assistant", &json!({"question": question}))
        .await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
    let text = answer.text();
    let blocks = text.split("\n\n").filter(|block| block.contains("event: "));
    let field = |block: &str, name: &str| {
        let line = block.lines().find_map(|line| line.strip_prefix(name));
        line.unwrap_or_else(|| panic!("no {name} in {block}"))
            .to_owned()
    };
    blocks
        .map(|block| {
            let data = serde_json::from_str(&field(block, "data: ")).unwrap();
            (field(block, "event: "), data)
        })
        .collect()
}

#[apply(each_database!)]
fn an_answer_is_streamed_and_stored_until_it_is_deleted(backend: Backend) {
    with_an_assistant(backend, endpoint, async |page, _| {
        let empty = page.get("/assistant").await;
        assert_eq!(empty, json!({"mode": "endpoint", "messages": []}));
        let events = ask(page, "  Хто вирішує? ").await;
        let names: Vec<_> = events.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["delta", "delta", "done"]);
        assert_eq!(events[0].1["text"], "Почато. ");
        let answer = &events[2].1;
        assert_eq!(answer["text"], "Почато. Хто вирішує? після 0 [00:00]");
        assert_eq!(answer["moments"][0]["segment"], "0");
        assert_eq!(answer["engine"]["model"], "scripted");
        assert_eq!(answer["incomplete"], false);
        let again = ask(page, "А коли?").await;
        assert_eq!(again[2].1["text"], "Почато. А коли? після 2 [00:00]");

        let messages = page.get("/assistant").await["messages"].clone();
        let messages = messages.as_array().unwrap();
        assert_eq!(messages.len(), 4);
        assert_eq!(
            (&messages[0]["role"], &messages[1]["role"]),
            (&json!("user"), &json!("assistant"))
        );
        assert_eq!(messages[0]["text"], "Хто вирішує?");
        assert_eq!(&messages[1], answer);
        let path = format!("{}/assistant", page.path);
        let deleted = send(page.server, page.who, Method::DELETE, &path).await;
        assert_eq!(deleted.status, StatusCode::NO_CONTENT);
        assert_eq!(page.get("/assistant").await["messages"], json!([]));
    });
}

#[apply(each_database!)]
fn an_interrupted_answer_is_stored_as_incomplete(backend: Backend) {
    with_an_assistant(backend, endpoint, async |page, engine| {
        let bad = AnalysisError::BadAnswer("cut off");
        engine.failures.lock().unwrap().push_back(bad);
        let events = ask(page, "Хто?").await;
        let last = events.last().unwrap();
        assert_eq!(last.0, "failed");
        assert_eq!(last.1, json!({"code": "analysis_bad_answer"}));
        let messages = page.get("/assistant").await["messages"].clone();
        assert_eq!(messages[1]["text"], "Почато. ");
        assert_eq!(messages[1]["incomplete"], true);
    });
}

#[apply(each_database!)]
fn closing_the_stream_stops_the_engine(backend: Backend) {
    with_an_assistant(backend, endpoint, async |page, engine| {
        engine.is_slow.store(true, Ordering::SeqCst);
        let path = format!("{}/assistant", page.path);
        let request = page.server.request(Method::POST, &path, page.who);
        let request = request.header("content-type", "application/json");
        let body = json!({"question": "Хто?"}).to_string();
        let open = page.server.open(request.body(body.into()).unwrap()).await;
        assert_eq!(open.status(), StatusCode::OK);
        drop(open);
        let polling = async {
            loop {
                let messages = page.get("/assistant").await["messages"].clone();
                if messages.as_array().unwrap().len() == 2 {
                    return messages;
                }
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        let messages = tokio::time::timeout(Duration::from_secs(20), polling)
            .await
            .unwrap();
        assert_eq!(messages[1]["incomplete"], true);
    });
}

#[apply(each_database!)]
fn without_an_endpoint_passages_are_quoted(backend: Backend) {
    with_an_assistant(backend, passages, async |page, _| {
        assert_eq!(page.get("/assistant").await["mode"], "passages");
        let events = ask(page, "Що перше?").await;
        let answer = &events.last().unwrap().1;
        let quotes = "> Перше речення. [00:00]\n\n> Друге речення. [00:04]";
        assert_eq!(answer["text"], quotes);
        assert_eq!(answer["moments"].as_array().unwrap().len(), 2);
    });
}

#[apply(each_database!)]
fn questions_are_validated_limited_and_need_an_engine(backend: Backend) {
    with_an_assistant(backend, endpoint, async |page, _| {
        for (question, code) in [
            (" ".to_owned(), "message_required"),
            ("x".repeat(2001), "too_long"),
        ] {
            let answer = page
                .post("/assistant", &json!({"question": question}))
                .await;
            answer.is_problem(StatusCode::UNPROCESSABLE_ENTITY, "validation_failed");
            assert_eq!(answer.json()["errors"][0]["code"], code);
        }
        assert_eq!(page.get("/assistant").await["messages"], json!([]));
        for _ in 0..120 {
            assert_eq!(ask(page, "?").await.last().unwrap().0, "done");
        }
        let limited = page.post("/assistant", &json!({"question": "?"})).await;
        assert_eq!(limited.status, StatusCode::TOO_MANY_REQUESTS);
    });
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let page = Page::on(&server, &me, &["Перше речення."]).await;
        assert_eq!(page.get("/assistant").await["mode"], "none");
        let answer = page.post("/assistant", &json!({"question": "?"})).await;
        answer.is_problem(StatusCode::CONFLICT, "assistant_unavailable");
    });
}
