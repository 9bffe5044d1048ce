//! Held analyses (without an engine): they do not prevent recognition, and can be queued later at
//! once.

use std::sync::Arc;

use axum::http::StatusCode;
use serde_json::{Value, json};
use slovo_rules::analysis::Part;
use slovo_work::analysis::engines::Engines;

use super::super::support::{events, make_job_with, path};
use super::{overview, settled, stop, with_a_text};
use crate::testing::scripted::Scripted;
use crate::testing::{Backend, Signed, TestServer, apply, each_database, with_server};

const HELD: &str = "/api/v1/held-analyses";

async fn held(server: &TestServer, who: &Signed) -> Value {
    let answer = server.get_as(who, HELD).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
    answer.json()["parts"].clone()
}

async fn run(server: &TestServer, who: &Signed, body: &Value) -> Value {
    let answer = server.post_as(who, HELD, body).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
    answer.json()["queued"].clone()
}

/// Part, status and reason of all requested analyses.
fn standing(told: &Value) -> Vec<(Value, Value, Value)> {
    let parts = told["parts"].as_array().unwrap().iter();
    let of = |part: &Value| {
        let [name, status, error] = ["part", "status", "error"].map(|key| part[key].clone());
        (name, status, error)
    };
    parts.map(of).collect()
}

#[apply(each_database!)]
fn a_recording_gets_its_text_and_what_is_missing_waits(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let other = server.signup("b@example.com").await;
        server.start_work().await;
        let wav = std::fs::read(slovo_test_media::prompts::WELCOME.path()).unwrap();
        let settings = json!({
            "language_code": "en", "summarize": 20, "custom_prompt": "Who speaks?",
            "diarization": true, "llm_translation": "spanish, french",
        });
        let job = make_job_with(&server, &me, "a.wav", &wav, settings.clone()).await;
        let another = make_job_with(&server, &me, "b.wav", &wav, settings).await;
        for job in [&job, &another] {
            let told = events(&server, &me, job).await;
            assert!(told.iter().any(|(name, _)| name == "completed"), "{told:?}");
        }
        let whole = server.get_as(&me, &path(&job)).await.json();
        assert_eq!(whole["held_parts"], 4);
        let list = server.get_as(&me, "/api/v1/jobs").await.json();
        assert_eq!(list["items"][0]["held_parts"], 4);
        let told = overview(&server, &me, &path(&job)).await;
        let [missing, waits] = [json!("not_configured"), json!("held")];
        let of = |part: &str| (json!(part), waits.clone(), missing.clone());
        let summary = (json!("summary"), waits.clone(), json!("model_missing"));
        assert_eq!(standing(&told).len(), 4);
        for part in [of("prompt"), of("translation"), of("translation")] {
            assert!(standing(&told).contains(&part), "{told}");
        }
        assert!(standing(&told).contains(&summary), "{told}");

        let parts = held(&server, &me).await;
        let of =
            |part: &str, there: bool| json!({"part": part, "recordings": 2, "is_available": there});
        let none = ["prompt", "summary", "translation"].map(|part| of(part, false));
        assert_eq!(parts, json!(none));
        assert_eq!(
            run(&server, &me, &json!({})).await,
            0,
            "nothing does it yet"
        );
        assert_eq!(held(&server, &other).await, json!([]));

        // An engine is added that supports everything but prompts.
        let engine = Arc::new(Scripted {
            leaves: vec![Part::Prompt],
            ..Scripted::default()
        });
        server.state.analyses.exchange(engine.engines());
        let parts = held(&server, &me).await;
        assert_eq!(parts[0], of("prompt", false));
        assert_eq!(parts[1], of("summary", true));
        let id = &whole["my_job_id"];
        let answer = server.post_as(&other, HELD, &json!({"job_id": id})).await;
        answer.is_problem(StatusCode::NOT_FOUND, "not_found");
        assert_eq!(
            run(&server, &other, &json!({})).await,
            0,
            "not somebody else's"
        );
        assert_eq!(run(&server, &me, &json!({"job_id": id})).await, 3);
        let told = settled(&server, &me, &path(&job)).await;
        let done = standing(&told).into_iter().filter(|part| part.1 == "done");
        assert_eq!(done.count(), 3, "{told}");
        let whole = server.get_as(&me, &path(&job)).await.json();
        assert_eq!(whole["held_parts"], 1);

        let engine = Arc::new(Scripted::default());
        server.state.analyses.exchange(engine.engines());
        assert_eq!(
            run(&server, &me, &json!({})).await,
            5,
            "all that is left of both"
        );
        for job in [&job, &another] {
            let told = settled(&server, &me, &path(job)).await;
            assert!(
                standing(&told).iter().all(|part| part.1 == "done"),
                "{told}"
            );
        }
        assert_eq!(held(&server, &me).await, json!([]));
        stop(&server).await;
    });
}

#[apply(each_database!)]
fn what_nothing_does_any_more_when_its_turn_comes_waits(backend: Backend) {
    with_a_text(backend, async |page, engine| {
        let (server, who) = (page.server, page.who);
        for target in ["german", "spanish"] {
            let wish = json!({"part": "translation", "target": target});
            assert_eq!(page.ask(&wish).await.status, StatusCode::ACCEPTED);
        }
        server.state.analyses.exchange(Engines::default());
        server.start_work().await;
        let told = settled(server, who, &page.path).await;
        let held = |part: &(Value, Value, Value)| part.1 == "held";
        assert!(standing(&told).iter().all(held), "{told}");
        assert_eq!(told["parts"][0]["error"], "not_configured");
        // Requested again meanwhile, then the engine is removed again: each analysis exists once.
        server.state.analyses.exchange(engine.engines());
        server.state.shutdown.cancel();
        let wish = json!({"part": "translation", "target": "german"});
        assert_eq!(page.ask(&wish).await.status, StatusCode::ACCEPTED);
        assert_eq!(
            run(server, who, &json!({})).await,
            1,
            "German waits already"
        );
        stop(server).await;
    });
}

#[apply(each_database!)]
fn a_new_run_of_recognition_asks_anew(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        server.start_work().await;
        let wav = std::fs::read(slovo_test_media::prompts::WELCOME.path()).unwrap();
        let settings = json!({"language_code": "en", "summarize": 20});
        let job = make_job_with(&server, &me, "a.wav", &wav, settings).await;
        events(&server, &me, &job).await;
        assert_eq!(held(&server, &me).await[0]["recordings"], 1);
        let again = json!({"settings": {"language_code": "en"}});
        let rerun = format!("{}/rerun", path(&job));
        let answer = server.post_as(&me, &rerun, &again).await;
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
        events(&server, &me, &job).await;
        assert_eq!(held(&server, &me).await, json!([]));
        stop(&server).await;
    });
}
