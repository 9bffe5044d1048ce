//! Jobs that a speech endpoint recognises, with a double that answers in every wrong way. The tests of
//! the program use this server's own endpoint.

use std::path::PathBuf;

use axum::http::Method;
use serde_json::{Value, json};
use slovo_test_media::prompts;

use crate::testing::{Backend, TIMEOUT, TestServer, TestUser, apply, each_database, with_database};
use crate::tests::api::admin::speech_double::{Reply, SpeechDouble};
use crate::tests::api::jobs::support::{make_job_with, path, send};
use crate::tests::api::me::support::send_json;

const UKRAINIAN: &str = "Вітаю вас у нашій компанії зателефонуйте нам пізніше дякуємо за увагу";
const ENGLISH: &str = "Welcome to the voice mail of our company please leave a message";

/// Runs `test` with a worker that can find pauses but has no model that recognises, and an endpoint.
fn with_endpoint<F>(backend: Backend, test: F)
where
    F: AsyncFnOnce(&TestServer, &TestUser, &SpeechDouble),
{
    let folder = tempfile::tempdir().unwrap();
    let silero = "ggml-silero-v6.2.0.bin";
    let installed = std::env::var_os("SLOVO_MODELS").map(PathBuf::from);
    let installed = installed
        .or_else(slovo_engine::models::default_dir)
        .unwrap();
    std::fs::copy(installed.join(silero), folder.path().join(silero)).unwrap();
    let options = ["--models", folder.path().to_str().unwrap()];
    with_database(backend, async |database| {
        let server = TestServer::new(database, &options);
        let admin = server.signup("admin@example.com").await;
        let double = SpeechDouble::start().await;
        let form = json!({"url": double.url(), "model": "large", "key": "sk-hunter2",
            "parallel": 1});
        set(&server, &admin, &form).await;
        let state = &server.state;
        server.start_work().await;
        test(&server, &admin, &double).await;
        state.shutdown.cancel();
        state.tasks.close();
        state.tasks.wait().await;
    });
}

async fn set(server: &TestServer, admin: &TestUser, form: &Value) {
    let path = "/api/v1/admin/speech-endpoint";
    let answer = send_json(server, admin, Method::PUT, path, form).await;
    assert!(answer.status.is_success(), "{}", answer.text());
}

async fn new_job(server: &TestServer, who: &TestUser, settings: Value) -> Value {
    let wav = std::fs::read(prompts::WELCOME.path()).unwrap();
    make_job_with(server, who, "talk.wav", &wav, settings).await
}

/// Waits until the condition holds for the job.
async fn until(
    server: &TestServer,
    who: &TestUser,
    job: &Value,
    holds: impl Fn(&Value) -> bool,
) -> Value {
    for _ in 0..6000 {
        let now = server.get_as(who, &path(job)).await.json();
        if holds(&now) {
            return now;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    panic!("{}", server.get_as(who, &path(job)).await.text());
}

async fn text_of(server: &TestServer, who: &TestUser, job: &Value) -> Value {
    let path = format!("{}/transcript?times=all", path(job));
    server.get_as(who, &path).await.json()
}

#[apply(each_database!)]
fn an_endpoint_recognises_and_is_named_as_the_model(backend: Backend) {
    with_endpoint(backend, async |server, admin, double| {
        double.replies([Reply::sentence(UKRAINIAN, "ukrainian")]);
        let settings = json!({"transcription_type": "full", "language_code": "auto",
            "custom_vocabulary": "Slovo, Dnipro"});
        let job = new_job(server, admin, settings).await;
        let completed = until(server, admin, &job, |job| job["status"] == "completed").await;
        assert_eq!(
            (&completed["model"], &completed["language"]),
            (&json!("endpoint:large"), &json!("uk"))
        );
        let text = text_of(server, admin, &job).await;
        assert_eq!(text["segments"][0]["text"], format!("{UKRAINIAN}."));
        let words = text["segments"][0]["words"].as_array().unwrap();
        assert_eq!(words.last().unwrap()["text"], "увагу.");
        assert_eq!(text["warnings"], json!([]));
        let form = double.last_form();
        for (field, value) in [
            ("model", "large"),
            ("response_format", "verbose_json"),
            ("temperature", "0"),
            ("prompt", "Slovo, Dnipro"),
            ("language", ""),
        ] {
            assert_eq!(form.field(field), value, "{field}");
        }
        assert_eq!(
            form.fields("timestamp_granularities[]"),
            ["word", "segment"]
        );
        assert!((form.wav_seconds() - prompts::WELCOME.seconds).abs() < 1.0);
        assert_eq!(double.paths(), ["/v1/audio/transcriptions"]);
        assert_eq!(double.keys(), ["Bearer sk-hunter2"]);

        // What it does not serve is recognised here, where no model is.
        let lite = json!({"transcription_type": "lite", "language_code": "en"});
        let job = new_job(server, admin, lite).await;
        let failed = until(server, admin, &job, |job| job["status"] == "error").await;
        assert_eq!(failed["error"]["code"], "model_missing");
        assert_eq!(double.count(), 1);
    });
}

#[apply(each_database!)]
fn translations_go_to_their_own_address(backend: Backend) {
    with_endpoint(backend, async |server, admin, double| {
        let form = json!({"url": double.url(), "model": "large", "translates": true});
        set(server, admin, &form).await;
        double.replies([Reply::sentence(ENGLISH, "english")]);
        let settings = json!({"transcription_type": "full", "language_code": "uk",
            "translate": "to_eng"});
        let job = new_job(server, admin, settings).await;
        let completed = until(server, admin, &job, |job| job["status"] == "completed").await;
        assert_eq!(completed["model"], "endpoint:large");
        assert_eq!(double.paths(), ["/v1/audio/translations"]);
        assert_eq!(double.last_form().field("language"), "");
        let text = text_of(server, admin, &job).await;
        assert_eq!(text["segments"][0]["text"], format!("{ENGLISH}."));
    });
}

#[apply(each_database!)]
fn passing_faults_are_tried_again(backend: Backend) {
    with_endpoint(backend, async |server, admin, double| {
        let good = || Reply::sentence(ENGLISH, "en");
        let settings = json!({"transcription_type": "full", "language_code": "en"});
        let far = json!({"text": "a", "words": [{"word": "a", "start": 0, "end": 1e9}]});
        for fault in [
            Reply::status("500 Oh"),
            Reply::status("502 Bad Gateway"),
            Reply::Header("429 Too Many Requests", "Retry-After: 0"),
            Reply::With("200 OK", "<html>".to_owned()),
            Reply::json(&far),
            Reply::Torn,
            Reply::Close,
        ] {
            let before = double.count();
            double.replies([fault.clone(), good()]);
            let job = new_job(server, admin, settings.clone()).await;
            let ended = until(server, admin, &job, |job| {
                job["status"] == "completed" || job["status"] == "error"
            })
            .await;
            assert_eq!(ended["status"], "completed", "{fault:?}");
            assert_eq!(double.count() - before, 2, "{fault:?}");
        }
        // A server that knows no `verbose_json` is asked for less.
        double.replies([Reply::status("400 Bad Request"), Reply::text(ENGLISH)]);
        let job = new_job(server, admin, settings).await;
        until(server, admin, &job, |job| job["status"] == "completed").await;
        let form = double.last_form();
        assert_eq!(form.field("response_format"), "json");
        assert_eq!(form.fields("timestamp_granularities[]").len(), 0);
        let text = text_of(server, admin, &job).await;
        let word = &text["segments"][0]["words"][0];
        assert!(word["end"].as_f64().unwrap() > word["start"].as_f64().unwrap());
    });
}

#[apply(each_database!)]
fn lasting_faults_are_reported_with_their_reason_and_the_job_waits_in_between(backend: Backend) {
    with_endpoint(backend, async |server, admin, double| {
        let settings = json!({"transcription_type": "full", "language_code": "en"});
        let gzip = Reply::Header("200 OK", "Content-Encoding: gzip");
        for (fault, reason) in [
            (Reply::status("401 Unauthorized"), "unauthorized"),
            (Reply::status("404 Not Found"), "not_found"),
            (Reply::status("301 Moved Permanently"), "redirected"),
            (Reply::status("413 Content Too Large"), "rejected"),
            (Reply::Endless, "answer_too_much"),
            (gzip, "answer_compressed"),
            (
                Reply::Header("429 Too Many Requests", "Retry-After: 61"),
                "busy",
            ),
        ] {
            let before = double.count();
            double.replies([fault.clone(), fault.clone(), fault]);
            let job = new_job(server, admin, settings.clone()).await;
            for calls in 1..=2 {
                until(server, admin, &job, |job| {
                    double.count() - before == calls && job["status"] == "pending"
                })
                .await;
                server.clock.advance_seconds(62);
            }
            let failed = until(server, admin, &job, |job| job["status"] == "error").await;
            let expected = json!({"code": "speech_endpoint_failed", "params": {"reason": reason}});
            assert_eq!(failed["error"], expected);
            assert_eq!(double.count() - before, 3, "{reason}");
        }
    });
}

#[apply(each_database!)]
fn cancelling_a_job_ends_its_requests_at_once(backend: Backend) {
    with_endpoint(backend, async |server, admin, double| {
        double.replies([Reply::Never]);
        let settings = json!({"transcription_type": "full", "language_code": "en"});
        let job = new_job(server, admin, settings).await;
        until(server, admin, &job, |_| double.count() > 0).await;
        let cancelled = send(
            server,
            admin,
            Method::POST,
            &format!("{}/cancel", path(&job)),
        )
        .await;
        assert!(cancelled.status.is_success(), "{}", cancelled.text());
        let id = job["my_job_id"].as_str().unwrap().parse().unwrap();
        let stopped = server.state.jobs.stopped(id);
        assert!(tokio::time::timeout(TIMEOUT, stopped).await.is_ok());
        let job = until(server, admin, &job, |_| true).await;
        assert_eq!(job["status"], "cancelled");
    });
}
