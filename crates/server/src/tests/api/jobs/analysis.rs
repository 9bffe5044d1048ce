//! Analyses of a text, with a scripted engine.

mod bilingual;
mod held;
mod work;

use std::sync::Arc;
use std::time::Duration;

use axum::http::{Method, StatusCode};
use serde_json::{Value, json};
use slovo_rules::analysis::Part;

use super::edits::support::{Page, set_text};
use super::support::{lite, send, stop, upload};
use crate::testing::scripted::Scripted;
use crate::testing::{
    Answer, Backend, TIMEOUT, TestServer, TestUser, apply, each_database, with_server,
    with_server_engines,
};

async fn overview(server: &TestServer, who: &TestUser, job: &str) -> Value {
    let answer = server.get_as(who, &format!("{job}/analysis")).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
    answer.json()
}

/// The overview once no analysis is queued or running.
async fn finished_overview(server: &TestServer, who: &TestUser, job: &str) -> Value {
    let polling = async {
        loop {
            let current = overview(server, who, job).await;
            let parts = current["parts"].as_array().unwrap();
            let is_over = |part: &Value| part["status"] != "waiting" && part["status"] != "running";
            if !parts.is_empty() && parts.iter().all(is_over) {
                return current;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(TIMEOUT, polling).await.unwrap()
}

async fn until(condition: impl Fn() -> bool) {
    let polling = async {
        while !condition() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(TIMEOUT, polling).await.unwrap();
}

/// Runs `test` with an engine, an account and a job that has a text.
fn with_a_text<F>(backend: Backend, test: F)
where
    F: AsyncFnOnce(&Page<'_>, Arc<Scripted>),
{
    let engine = Arc::new(Scripted::default());
    with_server_engines(backend, engine.engines(), async |server| {
        let me = server.signup("a@example.com").await;
        let page = Page::on(&server, &me, &["Перше речення.", "Друге речення."]).await;
        test(&page, engine).await;
    });
}

impl Page<'_> {
    async fn ask(&self, body: &Value) -> Answer {
        let path = format!("{}/analysis", self.path);
        self.server.post_as(self.who, &path, body).await
    }
}

#[apply(each_database!)]
fn a_new_analysis_keeps_the_older_one_which_becomes_stale(backend: Backend) {
    with_a_text(backend, async |page, engine| {
        let (server, who) = (page.server, page.who);
        let empty = overview(server, who, &page.path).await;
        assert_eq!((&empty["version"], &empty["seq"]), (&json!(1), &json!(0)));
        assert_eq!(empty["parts"], json!([]));
        assert_eq!(empty["text_goes_to"], "10.0.0.7:8080");
        let available = empty["available"].as_array().unwrap();
        assert_eq!(available.len(), Part::ALL.len());
        assert_eq!(available[0]["engine"]["model"], "scripted");

        server.start_work().await;
        let summary = json!({"part": "summary", "words": 30});
        let requested = page.ask(&summary).await;
        assert_eq!(
            requested.status,
            StatusCode::ACCEPTED,
            "{}",
            requested.text()
        );
        let requested = requested.json();
        assert_eq!(
            (&requested["status"], &requested["percent"]),
            (&json!("waiting"), &json!(0.0))
        );
        let params = json!({"words": 30, "labels": [], "prompt": null});
        // As documented in the API: no field is ever missing.
        assert_eq!(requested["params"], params);
        let analyses = finished_overview(server, who, &page.path).await;
        let first = &analyses["parts"][0];
        assert_eq!(
            (&first["status"], &first["percent"]),
            (&json!("done"), &json!(100.0))
        );
        assert_eq!(first["outcome"]["words"], 30);
        assert_eq!(first["outcome"]["part"], "summary");
        assert_eq!(
            first["engine"],
            json!({"kind": "endpoint", "model": "scripted"})
        );
        assert_eq!(
            (&first["made_from_seq"], &first["is_stale"]),
            (&json!(0), &json!(false))
        );
        let text = engine.seen.lock().unwrap()[0].0.clone();
        assert_eq!(text.language, "uk");
        assert_eq!(text.passages[0].text, "Перше речення.");
        assert_eq!(text.passages[0].speaker.as_deref(), Some("S1"));

        page.edit(set_text("0", 0, "Виправлене речення.")).await;
        let analyses = overview(server, who, &page.path).await;
        assert_eq!(
            analyses["parts"][0]["is_stale"], true,
            "the text was edited since"
        );
        // After an undo, or when the original text is typed again, the analysis is not stale.
        assert_eq!(page.step("undo").await.status, StatusCode::OK);
        let analyses = overview(server, who, &page.path).await;
        assert_eq!(analyses["parts"][0]["is_stale"], false);
        assert_eq!(page.step("redo").await.status, StatusCode::OK);
        let analyses = overview(server, who, &page.path).await;
        assert_eq!(analyses["parts"][0]["is_stale"], true);
        page.edit(set_text("0", 3, "Перше речення.")).await;
        let analyses = overview(server, who, &page.path).await;
        assert_eq!(analyses["parts"][0]["is_stale"], false);
        page.edit(set_text("0", 4, "Виправлене речення.")).await;
        server.clock.advance_seconds(1);
        assert_eq!(page.ask(&summary).await.status, StatusCode::ACCEPTED);
        let analyses = finished_overview(server, who, &page.path).await;
        let parts = analyses["parts"].as_array().unwrap();
        assert_eq!(parts.len(), 2, "the older one stays");
        assert_eq!(parts[0]["made_from_seq"], 5);
        assert_eq!(
            (&parts[0]["is_stale"], &parts[1]["is_stale"]),
            (&json!(false), &json!(true))
        );
        let text = engine.seen.lock().unwrap()[1].0.clone();
        assert_eq!(text.passages[0].text, "Виправлене речення.");

        let id = parts[1]["id"].as_str().unwrap();
        let old = format!("{}/analysis/{id}", page.path);
        assert_eq!(
            send(server, who, Method::DELETE, &old).await.status,
            StatusCode::NO_CONTENT
        );
        let again = send(server, who, Method::DELETE, &old).await;
        again.is_problem(StatusCode::NOT_FOUND, "not_found");
        let analyses = overview(server, who, &page.path).await;
        assert_eq!(analyses["parts"].as_array().unwrap().len(), 1);
        stop(server).await;
    });
}

#[apply(each_database!)]
fn invalid_requests_are_refused_with_the_reason(backend: Backend) {
    with_a_text(backend, async |page, _| {
        let prompt = "x".repeat(5001);
        for (body, field, code) in [
            (
                json!({"part": "summary"}),
                "words",
                "summarize_out_of_range",
            ),
            (
                json!({"part": "summary", "words": 1001}),
                "words",
                "summarize_out_of_range",
            ),
            (
                json!({"part": "keywords", "words": 5}),
                "words",
                "unknown_field",
            ),
            (
                json!({"part": "classification", "labels": []}),
                "labels",
                "list_empty",
            ),
            (
                json!({"part": "prompt", "prompt": prompt}),
                "prompt",
                "custom_prompt_too_long",
            ),
            (
                json!({"part": "translation"}),
                "target",
                "translation_language_unsupported",
            ),
        ] {
            let answer = page.ask(&body).await;
            answer.is_problem(StatusCode::UNPROCESSABLE_ENTITY, "validation_failed");
            let error = &answer.json()["errors"][0];
            assert_eq!(
                (&error["field"], &error["code"]),
                (&json!(field), &json!(code))
            );
        }
        for body in [
            json!({"part": "horoscope"}),
            json!({"part": "keywords", "x": 1}),
            json!([]),
        ] {
            let status = page.ask(&body).await.status;
            assert!(status.is_client_error(), "{body}: {status}");
        }
        // It stays queued: there is no worker.
        let keywords = json!({"part": "keywords"});
        assert_eq!(page.ask(&keywords).await.status, StatusCode::ACCEPTED);
        let twice = page.ask(&keywords).await;
        twice.is_problem(StatusCode::CONFLICT, "analysis_running");
        let spanish = json!({"part": "translation", "target": "spanish"});
        let german = json!({"part": "translation", "target": "german"});
        assert_eq!(page.ask(&spanish).await.status, StatusCode::ACCEPTED);
        assert_eq!(page.ask(&german).await.status, StatusCode::ACCEPTED);
    });
}

#[apply(each_database!)]
fn parts_without_an_engine_are_refused_with_the_reason(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let page = Page::on(&server, &me, &["Перше речення."]).await;
        for (body, reason) in [
            (json!({"part": "keywords"}), "model_missing"),
            (json!({"part": "chapters"}), "not_configured"),
        ] {
            let answer = page.ask(&body).await;
            answer.is_problem(StatusCode::UNPROCESSABLE_ENTITY, "validation_failed");
            let error = &answer.json()["errors"][0];
            assert_eq!(error["field"], "part");
            assert_eq!(error["code"], "feature_unavailable");
            assert_eq!(error["params"]["reason"], reason);
        }
        let analyses = overview(&server, &me, &page.path).await;
        assert_eq!(analyses["available"][0]["reason"], "model_missing");
        assert_eq!(analyses["text_goes_to"], Value::Null);

        let wav = std::fs::read(slovo_test_media::prompts::WELCOME.path()).unwrap();
        let upload = upload(&server, &me, "a.wav", &wav).await;
        let settings = json!({"summarize": 20, "diarization": true, "multichannel": true});
        let body = json!({"upload_id": upload, "settings": settings});
        let answer = server.post_as(&me, "/api/v1/jobs", &body).await;
        answer.is_problem(StatusCode::UNPROCESSABLE_ENTITY, "validation_failed");
        let errors = answer.json()["errors"].clone();
        let errors = errors.as_array().unwrap().iter();
        let codes: Vec<_> = errors
            .map(|e| (e["field"].clone(), e["code"].clone()))
            .collect();
        let expected = [(json!("settings.multichannel"), json!("feature_unavailable"))];
        assert_eq!(codes, expected, "only what recognition itself cannot do");
        // The upload was not taken.
        let body = json!({"upload_id": upload, "settings": lite()});
        let created = server.post_as(&me, "/api/v1/jobs", &body).await;
        assert_eq!(created.status, StatusCode::CREATED, "{}", created.text());
        let preset = json!({"name": "P", "settings": {"summarize": 20}});
        let preset = server.post_as(&me, "/api/v1/presets", &preset).await;
        assert_eq!(preset.status, StatusCode::CREATED, "presets may keep it");
    });
}

#[apply(each_database!)]
fn a_shared_link_shows_no_analysis(backend: Backend) {
    with_a_text(backend, async |page, _| {
        let (server, who) = (page.server, page.who);
        server.start_work().await;
        page.ask(&json!({"part": "prompt", "prompt": "Who decides?"}))
            .await;
        let analyses = finished_overview(server, who, &page.path).await;
        assert_eq!(analyses["parts"][0]["outcome"]["markdown"], "WHO DECIDES?");
        let share = server
            .post_as(
                who,
                &format!("{}/shares", page.path),
                &json!({"with_media": false}),
            )
            .await;
        assert!(share.status.is_success(), "{}", share.text());
        let url = share.json()["url"].as_str().unwrap().to_owned();
        let token = url.rsplit('/').next().unwrap();
        let shared = server.get(&format!("/api/v1/shared/{token}")).await;
        assert_eq!(shared.status, StatusCode::OK, "{}", shared.text());
        assert!(!shared.text().contains("WHO DECIDES"));
        stop(server).await;
    });
}
