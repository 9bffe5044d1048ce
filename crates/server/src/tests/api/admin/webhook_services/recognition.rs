//! Recognition by a webhook service instead of the engine.

use std::sync::Arc;
use std::time::Duration;

use axum::http::Method;
use serde_json::{Value, json};
use slovo_test_media::prompts;
use slovo_work::analysis::engines::Engines;

use super::support::{Receiver, Reply, form, make, path_of};
use crate::testing::scripted::ScriptedSpeakers;
use crate::testing::{Backend, TIMEOUT, TestServer, TestUser, apply, each_database, with_database};
use crate::tests::api::jobs::support::{make_job_with, path, send};

/// Runs `test` with a worker that has no model, and a service that recognises in Lite.
fn with_worker<F: AsyncFnOnce(&TestServer, &TestUser, &Receiver, &str)>(backend: Backend, test: F) {
    let folder = tempfile::tempdir().unwrap();
    let models = folder.path().to_str().unwrap();
    let options = ["--models", models, "--webhook-allow", "127.0.0.0/8"];
    // This engine would give every word another speaker, if it were used.
    let engines = Engines {
        speakers: Some(Arc::new(ScriptedSpeakers::default())),
        ..Engines::default()
    };
    with_database(backend, async |database| {
        let server = TestServer::with_engines(database, &options, engines);
        let admin = server.signup("admin@example.com").await;
        let receiver = Receiver::start().await;
        let mut form = form(&receiver, "transcription");
        form["modes"] = json!(["lite"]);
        let (_, secret) = make(&server, &admin, &form).await;
        let state = &server.state;
        server.start_work().await;
        test(&server, &admin, &receiver, &secret).await;
        state.shutdown.cancel();
        state.tasks.close();
        state.tasks.wait().await;
    });
}

async fn new_job(server: &TestServer, who: &TestUser, mode: &str, more: Value) -> Value {
    let wav = std::fs::read(prompts::WELCOME.path()).unwrap();
    let mut settings = json!({"transcription_type": mode, "language_code": "en",
        "custom_vocabulary": "Slovo"});
    settings
        .as_object_mut()
        .unwrap()
        .extend(more.as_object().unwrap().clone());
    make_job_with(server, who, "talk.wav", &wav, settings).await
}

/// Waits until the condition holds for the job.
async fn until(
    server: &TestServer,
    who: &TestUser,
    job: &Value,
    holds: impl Fn(&Value) -> bool,
) -> Value {
    for _ in 0..2000 {
        let now = server.get_as(who, &path(job)).await.json();
        if holds(&now) {
            return now;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("{}", server.get_as(who, &path(job)).await.text());
}

fn transcription() -> Value {
    json!({"text": "Hello there. Yes.", "language": "english", "duration": 2.0, "segments": [
        {"start": 0.0, "end": 1.0, "text": " Hello there.", "speaker": "A",
         "words": [{"word": "Hello", "start": 0.0, "end": 0.5, "probability": 0.5},
                   {"word": "there.", "start": 0.5, "end": 1.0, "probability": 1}]},
        {"start": 1.0, "end": 2.0, "text": "Yes.", "speaker": "B"}]})
}

#[apply(each_database!)]
fn a_service_recognises_and_is_named_as_the_model(backend: Backend) {
    with_worker(backend, async |server, admin, receiver, secret| {
        receiver.answers([Reply::json(&transcription()), Reply::json(&transcription())]);
        let job = new_job(server, admin, "lite", json!({})).await;
        let completed = until(server, admin, &job, |job| job["status"] == "completed").await;
        assert_eq!(
            (&completed["model"], &completed["language"]),
            (&json!("webhook:Notes"), &json!("en"))
        );
        let request = receiver.last();
        assert!(request.is_signed_with(secret));
        let body = request.json();
        assert_eq!(body["type"], "transcription.request");
        assert_eq!(body["data"]["job_id"], job["my_job_id"]);
        assert_eq!(body["data"]["settings"]["custom_vocabulary"], "Slovo");
        let media = server.get(&path_of(&body["data"]["media_url"])).await;
        assert_eq!(media.body, std::fs::read(prompts::WELCOME.path()).unwrap());
        let transcript = server
            .get_as(admin, &format!("{}/transcript?times=all", path(&job)))
            .await
            .json();
        assert_eq!(transcript["model"], "webhook:Notes");
        assert_eq!(transcript["segments"][0]["text"], "Hello there.");
        assert_eq!(transcript["segments"][0]["speaker"], Value::Null);
        assert_eq!(transcript["segments"][0]["words"][1]["text"], "there.");
        let seconds = transcript["duration"].as_f64().unwrap();
        assert!(
            (seconds - prompts::WELCOME.seconds).abs() < 0.1,
            "the file's own: {seconds}"
        );

        // The service's speakers are used if diarization was requested.
        let job = new_job(server, admin, "lite", json!({"diarization": true})).await;
        until(server, admin, &job, |job| job["status"] == "completed").await;
        let transcript = server
            .get_as(admin, &format!("{}/transcript", path(&job)))
            .await
            .json();
        assert_eq!(transcript["segments"].as_array().unwrap().len(), 2);
        assert_eq!(transcript["segments"][1]["speaker"], "SPEAKER_1");

        // The other mode does not use the service; without a model, the job ends with an error.
        let job = new_job(server, admin, "full", json!({})).await;
        let failed = until(server, admin, &job, |job| job["status"] == "error").await;
        assert_eq!(failed["error"]["code"], "model_missing");
        assert_eq!(receiver.got().len(), 2);
    });
}

#[apply(each_database!)]
fn failed_recognition_is_retried_and_then_reported(backend: Backend) {
    with_worker(backend, async |server, admin, receiver, _| {
        let mut wrong = transcription();
        wrong["segments"][1]["end"] = json!(1e6);
        receiver.answers([
            Reply::status("500 Oh"),
            Reply::json(&wrong),
            Reply::With("200 OK", Vec::new(), "<html>".to_owned()),
        ]);
        let job = new_job(server, admin, "lite", json!({})).await;
        for calls in 1..=2 {
            until(server, admin, &job, |job| {
                receiver.got().len() == calls && job["status"] == "pending"
            })
            .await;
            server.clock.advance_seconds(25);
        }
        let failed = until(server, admin, &job, |job| job["status"] == "error").await;
        let expected = json!({"code": "webhook_transcription_failed",
            "params": {"service": "Notes", "reason": "answer_shape"}});
        assert_eq!(failed["error"], expected);
        let requests = receiver.got();
        assert_eq!(requests.len(), 3);
        assert_eq!(
            requests[0].header("webhook-id"),
            requests[2].header("webhook-id")
        );
    });
}

#[apply(each_database!)]
fn cancelling_a_job_ends_its_service_call_at_once(backend: Backend) {
    with_worker(backend, async |server, admin, receiver, _| {
        receiver.answers([Reply::Never]);
        let job = new_job(server, admin, "lite", json!({})).await;
        until(server, admin, &job, |_| !receiver.got().is_empty()).await;
        let cancel = format!("{}/cancel", path(&job));
        let cancelled = send(server, admin, Method::POST, &cancel).await;
        assert!(cancelled.status.is_success(), "{}", cancelled.text());
        let id = job["my_job_id"].as_str().unwrap().parse().unwrap();
        let stopped = server.state.jobs.stopped(id);
        assert!(tokio::time::timeout(TIMEOUT, stopped).await.is_ok());
        let job = until(server, admin, &job, |_| true).await;
        assert_eq!(job["status"], "cancelled");
    });
}
