//! Held analyses (without an engine): they do not prevent recognition, and can be queued later at
//! once.

use std::sync::Arc;

use axum::http::StatusCode;
use serde_json::{Value, json};
use slovo_rules::analysis::Part;
use slovo_work::analysis::engines::Engines;

use super::super::support::{events, make_job_with, path};
use super::{finished_overview, overview, stop, with_a_text};
use crate::testing::scripted::Scripted;
use crate::testing::{Backend, TestServer, TestUser, apply, each_database, with_server};

const HELD: &str = "/api/v1/held-analyses";

async fn held_parts(server: &TestServer, who: &TestUser) -> Value {
    let answer = server.get_as(who, HELD).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
    answer.json()["parts"].clone()
}

async fn run(server: &TestServer, who: &TestUser, body: &Value) -> Value {
    let answer = server.post_as(who, HELD, body).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
    answer.json()["queued"].clone()
}

/// Part, status and reason of all requested analyses.
fn statuses(overview: &Value) -> Vec<(Value, Value, Value)> {
    let parts = overview["parts"].as_array().unwrap().iter();
    let fields = |part: &Value| {
        let [name, status, error] = ["part", "status", "error"].map(|key| part[key].clone());
        (name, status, error)
    };
    parts.map(fields).collect()
}

#[apply(each_database!)]
fn recordings_are_recognised_and_unavailable_analyses_are_held(backend: Backend) {
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
            let received = events(&server, &me, job).await;
            assert!(
                received.iter().any(|(name, _)| name == "completed"),
                "{received:?}"
            );
        }
        let details = server.get_as(&me, &path(&job)).await.json();
        assert_eq!(details["held_parts"], 4);
        let list = server.get_as(&me, "/api/v1/jobs").await.json();
        assert_eq!(list["items"][0]["held_parts"], 4);
        let analyses = overview(&server, &me, &path(&job)).await;
        let [missing, held] = [json!("not_configured"), json!("held")];
        let unconfigured = |part: &str| (json!(part), held.clone(), missing.clone());
        let summary = (json!("summary"), held.clone(), json!("model_missing"));
        assert_eq!(statuses(&analyses).len(), 4);
        for part in [
            unconfigured("prompt"),
            unconfigured("translation"),
            unconfigured("translation"),
        ] {
            assert!(statuses(&analyses).contains(&part), "{analyses}");
        }
        assert!(statuses(&analyses).contains(&summary), "{analyses}");

        let parts = held_parts(&server, &me).await;
        let entry =
            |part: &str, ready: bool| json!({"part": part, "recordings": 2, "is_available": ready});
        let none = ["prompt", "summary", "translation"].map(|part| entry(part, false));
        assert_eq!(parts, json!(none));
        assert_eq!(
            run(&server, &me, &json!({})).await,
            0,
            "nothing does it yet"
        );
        assert_eq!(held_parts(&server, &other).await, json!([]));

        // An engine is added that supports everything but prompts.
        let engine = Arc::new(Scripted {
            leaves: vec![Part::Prompt],
            ..Scripted::default()
        });
        server.state.analyses.exchange(engine.engines());
        let parts = held_parts(&server, &me).await;
        assert_eq!(parts[0], entry("prompt", false));
        assert_eq!(parts[1], entry("summary", true));
        let id = &details["my_job_id"];
        let answer = server.post_as(&other, HELD, &json!({"job_id": id})).await;
        answer.is_problem(StatusCode::NOT_FOUND, "not_found");
        assert_eq!(
            run(&server, &other, &json!({})).await,
            0,
            "not somebody else's"
        );
        assert_eq!(run(&server, &me, &json!({"job_id": id})).await, 3);
        let analyses = finished_overview(&server, &me, &path(&job)).await;
        let finished = statuses(&analyses)
            .into_iter()
            .filter(|part| part.1 == "done");
        assert_eq!(finished.count(), 3, "{analyses}");
        let details = server.get_as(&me, &path(&job)).await.json();
        assert_eq!(details["held_parts"], 1);

        let engine = Arc::new(Scripted::default());
        server.state.analyses.exchange(engine.engines());
        assert_eq!(
            run(&server, &me, &json!({})).await,
            5,
            "all that is left of both"
        );
        for job in [&job, &another] {
            let analyses = finished_overview(&server, &me, &path(job)).await;
            assert!(
                statuses(&analyses).iter().all(|part| part.1 == "done"),
                "{analyses}"
            );
        }
        assert_eq!(held_parts(&server, &me).await, json!([]));
        stop(&server).await;
    });
}

#[apply(each_database!)]
fn analyses_are_held_if_their_engine_was_removed(backend: Backend) {
    with_a_text(backend, async |page, engine| {
        let (server, who) = (page.server, page.who);
        for target in ["german", "spanish"] {
            let request = json!({"part": "translation", "target": target});
            assert_eq!(page.ask(&request).await.status, StatusCode::ACCEPTED);
        }
        server.state.analyses.exchange(Engines::default());
        server.start_work().await;
        let analyses = finished_overview(server, who, &page.path).await;
        let is_held = |part: &(Value, Value, Value)| part.1 == "held";
        assert!(statuses(&analyses).iter().all(is_held), "{analyses}");
        assert_eq!(analyses["parts"][0]["error"], "not_configured");
        // Requested again meanwhile, then the engine is removed again: each analysis exists once.
        server.state.analyses.exchange(engine.engines());
        server.state.shutdown.cancel();
        let request = json!({"part": "translation", "target": "german"});
        assert_eq!(page.ask(&request).await.status, StatusCode::ACCEPTED);
        assert_eq!(
            run(server, who, &json!({})).await,
            1,
            "German waits already"
        );
        stop(server).await;
    });
}

#[apply(each_database!)]
fn a_rerun_of_recognition_replaces_held_analyses(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        server.start_work().await;
        let wav = std::fs::read(slovo_test_media::prompts::WELCOME.path()).unwrap();
        let settings = json!({"language_code": "en", "summarize": 20});
        let job = make_job_with(&server, &me, "a.wav", &wav, settings).await;
        events(&server, &me, &job).await;
        assert_eq!(held_parts(&server, &me).await[0]["recordings"], 1);
        let body = json!({"settings": {"language_code": "en"}});
        let rerun = format!("{}/rerun", path(&job));
        let answer = server.post_as(&me, &rerun, &body).await;
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
        events(&server, &me, &job).await;
        assert_eq!(held_parts(&server, &me).await, json!([]));
        stop(&server).await;
    });
}
