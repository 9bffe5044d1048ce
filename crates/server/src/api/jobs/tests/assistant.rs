//! Questions about a text: the stream, what is stored, and what happens when it is broken off.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::http::{Method, StatusCode};
use serde_json::{Value, json};
use slovo_analysis::AnalysisError;

use super::edits::support::Page;
use super::support::send;
use crate::analysis::engines::Engines;
use crate::testing::scripted::Scripted;
use crate::testing::{each_server, each_server_having};

/// Runs `test` with a job whose text is there, and an assistant in this way.
#[expect(
    clippy::needless_pass_by_value,
    reason = "it reads as `each_server` does"
)]
fn with_an_assistant<F>(way: fn(Arc<Scripted>) -> Engines, test: F)
where
    F: AsyncFn(&Page<'_>, Arc<Scripted>),
{
    let engine = Mutex::new(Arc::new(Scripted::default()));
    let fresh = || {
        let new = Arc::new(Scripted::default());
        *engine.lock().unwrap() = Arc::clone(&new);
        way(new)
    };
    each_server_having(fresh, async |server| {
        let me = server.signup("a@example.com").await;
        let page = Page::on(&server, &me, &["Перше речення.", "Друге речення."]).await;
        let engine = Arc::clone(&engine.lock().unwrap());
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

/// The events of one answer.
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

#[test]
fn an_answer_comes_in_pieces_and_is_kept_until_it_is_forgotten() {
    with_an_assistant(endpoint, async |page, _| {
        let empty = page.get("/assistant").await;
        assert_eq!(empty, json!({"mode": "endpoint", "messages": []}));
        let told = ask(page, "  Хто вирішує? ").await;
        let names: Vec<_> = told.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["delta", "delta", "done"]);
        assert_eq!(told[0].1["text"], "Почато. ");
        let done = &told[2].1;
        assert_eq!(done["text"], "Почато. Хто вирішує? після 0 [00:00]");
        assert_eq!(done["moments"][0]["segment"], "0");
        assert_eq!(done["engine"]["model"], "scripted");
        assert_eq!(done["incomplete"], false);
        let again = ask(page, "А коли?").await;
        assert_eq!(again[2].1["text"], "Почато. А коли? після 2 [00:00]");

        let kept = page.get("/assistant").await["messages"].clone();
        let kept = kept.as_array().unwrap();
        assert_eq!(kept.len(), 4);
        assert_eq!(
            (&kept[0]["role"], &kept[1]["role"]),
            (&json!("user"), &json!("assistant"))
        );
        assert_eq!(kept[0]["text"], "Хто вирішує?");
        assert_eq!(&kept[1], done);
        let path = format!("{}/assistant", page.path);
        let gone = send(page.server, page.who, Method::DELETE, &path).await;
        assert_eq!(gone.status, StatusCode::NO_CONTENT);
        assert_eq!(page.get("/assistant").await["messages"], json!([]));
    });
}

#[test]
fn what_is_broken_off_is_kept_as_far_as_it_came() {
    with_an_assistant(endpoint, async |page, engine| {
        let bad = AnalysisError::BadAnswer("cut off");
        engine.failures.lock().unwrap().push_back(bad);
        let told = ask(page, "Хто?").await;
        let last = told.last().unwrap();
        assert_eq!(last.0, "failed");
        assert_eq!(last.1, json!({"code": "analysis_bad_answer"}));
        let kept = page.get("/assistant").await["messages"].clone();
        assert_eq!(kept[1]["text"], "Почато. ");
        assert_eq!(kept[1]["incomplete"], true);
    });
}

#[test]
fn a_reader_who_leaves_stops_the_engine() {
    with_an_assistant(endpoint, async |page, engine| {
        engine.is_slow.store(true, Ordering::SeqCst);
        let path = format!("{}/assistant", page.path);
        let request = page.server.request(Method::POST, &path, page.who);
        let request = request.header("content-type", "application/json");
        let body = json!({"question": "Хто?"}).to_string();
        let open = page.server.open(request.body(body.into()).unwrap()).await;
        assert_eq!(open.status(), StatusCode::OK);
        drop(open);
        let looking = async {
            loop {
                let kept = page.get("/assistant").await["messages"].clone();
                if kept.as_array().unwrap().len() == 2 {
                    return kept;
                }
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        let kept = tokio::time::timeout(Duration::from_secs(20), looking)
            .await
            .unwrap();
        assert_eq!(kept[1]["incomplete"], true);
    });
}

#[test]
fn without_an_endpoint_passages_are_quoted() {
    with_an_assistant(passages, async |page, _| {
        assert_eq!(page.get("/assistant").await["mode"], "passages");
        let told = ask(page, "Що перше?").await;
        let done = &told.last().unwrap().1;
        let quotes = "> Перше речення. [00:00]\n\n> Друге речення. [00:04]";
        assert_eq!(done["text"], quotes);
        assert_eq!(done["moments"].as_array().unwrap().len(), 2);
    });
}

#[test]
fn questions_have_rules_and_need_somebody_who_answers() {
    with_an_assistant(endpoint, async |page, _| {
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
    each_server(async |server| {
        let me = server.signup("a@example.com").await;
        let page = Page::on(&server, &me, &["Перше речення."]).await;
        assert_eq!(page.get("/assistant").await["mode"], "none");
        let answer = page.post("/assistant", &json!({"question": "?"})).await;
        answer.is_problem(StatusCode::CONFLICT, "assistant_unavailable");
    });
}
