//! Warnings about the quality of finished texts.

use axum::http::StatusCode;
use serde_json::{Value, json};
use slovo_rules::job_plan;
use slovo_rules::removed::{Removed, RemovedReason};
use slovo_rules::settings::{Source, TranscriptionSettings, TranscriptionType};
use slovo_rules::transcript::{Transcript, Warning};

use super::edits::support::{complete, talk};
use crate::testing::{Backend, TestServer, TestUser, apply, each_database, with_server};
use crate::tests::api::me::support::job_with;

/// A queued job with these settings.
async fn queue(server: &TestServer, who: &TestUser, settings: &TranscriptionSettings) -> String {
    let plan = job_plan::validate(settings, Source::File).unwrap();
    let id = job_with(server, who, "розмова.wav", b"wave", plan).await;
    format!("/api/v1/jobs/{id}")
}

fn auto() -> TranscriptionSettings {
    TranscriptionSettings {
        language_code: "auto".to_owned(),
        ..TranscriptionSettings::default()
    }
}

/// A text of 8 seconds by this model, and as many seconds of speech that was not recognised.
fn half_recognised(model: &str) -> Transcript {
    let passage = Removed {
        start: 8.0,
        end: 18.0,
        speaker: None,
        text: "бу-бу".to_owned(),
        reason: RemovedReason::Unrecognised,
        voiced: 0.8,
        confidence: 0.1,
        compression: 1.0,
    };
    Transcript {
        model: model.to_owned(),
        removed: vec![passage],
        ..talk(&["Добрий день.", "Вітаю вас."])
    }
}

async fn warnings(server: &TestServer, who: &TestUser, path: &str) -> Value {
    let answer = server.get_as(who, path).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
    answer.json()["warnings"].clone()
}

fn codes(warnings: &Value) -> Vec<&str> {
    let all = warnings.as_array().unwrap().iter();
    all.map(|warning| warning["code"].as_str().unwrap())
        .collect()
}

#[apply(each_database!)]
fn unrecognised_speech_is_told_by_job_and_list(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let path = queue(&server, &me, &TranscriptionSettings::default()).await;
        assert_eq!(warnings(&server, &me, &path).await, json!([]));
        complete(&server, &half_recognised("small")).await;
        let told = json!([{"code": "much_unrecognised", "params": {"percent": 50.0}}]);
        assert_eq!(warnings(&server, &me, &path).await, told);
        let list = server.get_as(&me, "/api/v1/jobs").await.json();
        assert_eq!(list["items"][0]["warnings"], told);
        // Another run begins without them.
        let body = json!({"settings": {"language_code": "en"}});
        let again = server.post_as(&me, &format!("{path}/rerun"), &body).await;
        assert!(again.status.is_success(), "{}", again.text());
        assert_eq!(warnings(&server, &me, &path).await, json!([]));
        complete(&server, &talk(&["Hello there."])).await;
        assert_eq!(warnings(&server, &me, &path).await, json!([]));
        // Nobody else learns of the job.
        let other = server.signup("b@example.com").await;
        let foreign = server.get_as(&other, &path).await;
        foreign.is_problem(StatusCode::NOT_FOUND, "not_found");
    });
}

#[apply(each_database!)]
fn what_was_not_recognised_was_spoken(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let path = queue(&server, &me, &TranscriptionSettings::default()).await;
        let nothing = Transcript {
            segments: Vec::new(),
            warnings: vec![Warning::new("no_speech")],
            ..half_recognised("small")
        };
        complete(&server, &nothing).await;
        let told = warnings(&server, &me, &path).await;
        assert_eq!(codes(&told), ["much_unrecognised"]);
        assert_eq!(told[0]["params"]["percent"], 100.0);
    });
}

#[apply(each_database!)]
fn a_found_language_and_its_translation_are_told(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let settings = TranscriptionSettings {
            translate: slovo_rules::settings::TRANSLATE_TO_ENGLISH.to_owned(),
            ..auto()
        };
        let path = queue(&server, &me, &settings).await;
        let text = Transcript {
            model: "base-q8_0".to_owned(),
            ..talk(&["Good day."])
        };
        complete(&server, &text).await;
        let told = warnings(&server, &me, &path).await;
        assert_eq!(
            codes(&told),
            ["language_served_poorly", "translation_unsuitable"]
        );
        let params = &told[0]["params"];
        assert_eq!(params["language"], "uk");
        assert_eq!(params["model"], "base-q8_0");
        assert_eq!(params["source"], "measured");
        // Of a model that is not in the catalogue nothing is said.
        let path = queue(&server, &me, &settings).await;
        let unknown = Transcript {
            model: "somebody-else".to_owned(),
            ..talk(&["Good day."])
        };
        complete(&server, &unknown).await;
        assert_eq!(warnings(&server, &me, &path).await, json!([]));
    });
}

#[apply(each_database!)]
fn lite_that_recognised_little_may_have_heard_another_language(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let lite = TranscriptionSettings::default().with_type(TranscriptionType::Lite);
        let path = queue(&server, &me, &lite).await;
        let text = Transcript {
            language: "en".to_owned(),
            mode: TranscriptionType::Lite,
            ..half_recognised("tiny.en-q8_0")
        };
        complete(&server, &text).await;
        let told = warnings(&server, &me, &path).await;
        assert_eq!(codes(&told), ["much_unrecognised", "lite_not_english"]);
    });
}
