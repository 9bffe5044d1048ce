//! Waveforms that are computed on first request.

use std::time::Duration;

use axum::http::StatusCode;
use serde_json::json;
use slovo_test_media::prompts;

use super::edits::support::{complete, talk};
use crate::testing::{Answer, Backend, TestServer, TestUser, apply, each_database, with_server};
use crate::tests::api::me::support::job;

/// The waveform, once it is computed; waits for at most a minute.
async fn wait_for_waveform(server: &TestServer, who: &TestUser, path: &str) -> Answer {
    for _ in 0..600 {
        let answer = server.get_as(who, path).await;
        if answer.status == StatusCode::OK {
            return answer;
        }
        answer.is_problem(StatusCode::CONFLICT, "waveform_not_ready");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("it is never made");
}

#[apply(each_database!)]
fn a_missing_waveform_is_computed_on_request(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let wav = std::fs::read(prompts::WELCOME.path()).unwrap();
        let id = job(&server, &me, "talk.wav", &wav).await;
        let path = format!("/api/v1/jobs/{id}/waveform");
        // The waveform of a queued job is not computed: its run will do that.
        for _ in 0..2 {
            let answer = server.get_as(&me, &path).await;
            answer.is_problem(StatusCode::CONFLICT, "waveform_not_ready");
        }
        assert!(server.state.tasks.is_empty());
        complete(&server, &talk(&["Hello."])).await;
        let waveform = wait_for_waveform(&server, &me, &path).await.json();
        let peaks = waveform["peaks"].as_array().unwrap();
        assert!((100..=2000).contains(&peaks.len()), "{}", peaks.len());
        assert!(peaks.iter().any(|peak| peak == 1.0));
        let seconds = waveform["duration"].as_f64().unwrap();
        assert!(
            (seconds - prompts::WELCOME.seconds).abs() < 0.5,
            "{seconds}"
        );
    });
}

#[apply(each_database!)]
fn an_undecodable_recording_gets_an_empty_waveform(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let id = job(&server, &me, "talk.wav", b"no recording at all").await;
        complete(&server, &talk(&["Hello."])).await;
        let path = format!("/api/v1/jobs/{id}/waveform");
        let waveform = wait_for_waveform(&server, &me, &path).await.json();
        assert_eq!(waveform, json!({"duration": 0.0, "peaks": []}));
        let other = server.signup("b@example.com").await;
        let foreign = server.get_as(&other, &path).await;
        foreign.is_problem(StatusCode::NOT_FOUND, "not_found");
    });
}
