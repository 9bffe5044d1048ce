//! The worker for analyses: order, retries, cancellation and events.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use axum::http::{Method, StatusCode};
use serde_json::{Value, json};
use slovo_analysis::{AnalysisError, Task};
use slovo_rules::analysis::{Part, of_settings};
use slovo_rules::settings::TranscriptionSettings;
use slovo_work::analysis::engines::Engines;

use super::super::support::{events, make_job_with, path, rest_of, send, watch};
use super::{finished_overview, overview, stop, until, with_a_text};
use crate::testing::scripted::{Scripted, ScriptedSpeakers};
use crate::testing::{
    Backend, TIMEOUT, TestServer, TestUser, apply, each_database, with_server_engines,
};

/// Waits until the first part is queued for its next attempt.
async fn until_waiting(server: &TestServer, who: &TestUser, job: &str) {
    let is_waiting = async || overview(server, who, job).await["parts"][0]["status"] == "waiting";
    let polling = async {
        while !is_waiting().await {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(TIMEOUT, polling).await.unwrap();
}

#[apply(each_database!)]
fn failed_analyses_are_tried_three_times_and_the_job_stays_completed(backend: Backend) {
    with_a_text(backend, async |page, engine| {
        let (server, who) = (page.server, page.who);
        let unreachable = || AnalysisError::Unreachable("http://10.0.0.7: refused".to_owned());
        let failures = [unreachable(), unreachable(), unreachable()];
        engine.failures.lock().unwrap().extend(failures);
        server.start_work().await;
        page.ask(&json!({"part": "sentiment"})).await;
        for attempts in 1..3 {
            until(|| engine.parts().len() == attempts).await;
            until_waiting(server, who, &page.path).await;
            tokio::time::sleep(Duration::from_millis(30)).await;
            assert_eq!(engine.parts().len(), attempts, "not before its time");
            server.clock.advance_seconds(30);
        }
        let analyses = finished_overview(server, who, &page.path).await;
        let part = &analyses["parts"][0];
        assert_eq!(
            (&part["status"], &part["error"]),
            (&json!("failed"), &json!("analysis_unreachable"))
        );
        assert_eq!(part["outcome"], Value::Null);
        assert_eq!(engine.parts().len(), 3);
        let job = server.get_as(who, &page.path).await.json();
        assert_eq!(job["status"], "completed");

        let refused = AnalysisError::Refused { status: 401 };
        engine.failures.lock().unwrap().push_back(refused);
        server.clock.advance_seconds(1);
        page.ask(&json!({"part": "sentiment"})).await;
        let analyses = finished_overview(server, who, &page.path).await;
        assert_eq!(analyses["parts"][0]["error"], "analysis_refused");
        assert_eq!(engine.parts().len(), 4, "of no use again");
        stop(server).await;
    });
}

#[apply(each_database!)]
fn deleted_analyses_stop_and_interrupted_ones_are_queued_again(backend: Backend) {
    with_a_text(backend, async |page, engine| {
        let (server, who) = (page.server, page.who);
        engine.is_slow.store(true, Ordering::SeqCst);
        server.start_work().await;
        let requested = page.ask(&json!({"part": "chapters"})).await.json();
        until(|| engine.running.load(Ordering::SeqCst) == 1).await;
        let path = format!(
            "{}/analysis/{}",
            page.path,
            requested["id"].as_str().unwrap()
        );
        assert_eq!(
            send(server, who, Method::DELETE, &path).await.status,
            StatusCode::NO_CONTENT
        );
        until(|| engine.running.load(Ordering::SeqCst) == 0).await;
        assert_eq!(overview(server, who, &page.path).await["parts"], json!([]));

        page.ask(&json!({"part": "keywords"})).await;
        until(|| engine.running.load(Ordering::SeqCst) == 1).await;
        stop(server).await;
        let analyses = overview(server, who, &page.path).await;
        assert_eq!(analyses["parts"][0]["status"], "waiting", "given back");
        assert_eq!(engine.running.load(Ordering::SeqCst), 0);
    });
}

#[apply(each_database!)]
fn a_broken_engine_fails_only_the_analysis(backend: Backend) {
    with_a_text(backend, async |page, engine| {
        let (server, who) = (page.server, page.who);
        engine.is_broken.store(true, Ordering::SeqCst);
        server.start_work().await;
        page.ask(&json!({"part": "keywords"})).await;
        // Each retry waits for the clock, which is advanced only then; otherwise the session would
        // expire.
        for attempts in 1..3 {
            until(|| engine.parts().len() == attempts).await;
            until_waiting(server, who, &page.path).await;
            server.clock.advance_seconds(31);
        }
        let analyses = finished_overview(server, who, &page.path).await;
        assert_eq!(analyses["parts"][0]["error"], "analysis_failed");
        stop(server).await;
    });
}

#[apply(each_database!)]
fn requested_analyses_run_one_by_one_and_are_streamed(backend: Backend) {
    let engine = Arc::new(Scripted::default());
    let engines = Engines {
        speakers: Some(Arc::new(ScriptedSpeakers::default())),
        ..engine.engines()
    };
    with_server_engines(backend, engines, async |server| {
        let me = server.signup("a@example.com").await;
        let wav = std::fs::read(slovo_test_media::prompts::WELCOME.path()).unwrap();
        let requested = TranscriptionSettings {
            language_code: "en".to_owned(),
            diarization: true,
            summarize: 20,
            overall_sentiment_analysis: true,
            srt_translation: "spanish".to_owned(),
            ..TranscriptionSettings::default()
        };
        let settings = serde_json::to_value(&requested).unwrap();
        let job = make_job_with(&server, &me, "a.wav", &wav, settings).await;
        // Subscribed before the work starts: on a busy machine all of it may end between two reads.
        let watched = watch(&server, &me, &job).await;
        server.start_work().await;
        let received = rest_of(watched).await;
        let names: Vec<_> = received.iter().map(|(name, _)| name.as_str()).collect();
        let end = names.iter().position(|name| *name == "completed").unwrap();
        assert_eq!(
            names[end - 1],
            "state",
            "its speakers were told apart: {names:?}"
        );
        assert_eq!(received[end - 1].1["segments"][1]["speaker"], "SPEAKER_1");
        let analyses = &received[end + 1..];
        assert!(
            analyses.iter().all(|(name, _)| name == "analysis"),
            "{names:?}"
        );
        for part in ["keywords", "summary", "sentiment", "subtitle_translation"] {
            let mut of_part = analyses.iter().filter(|(_, data)| data["part"] == part);
            let last = of_part.next_back().unwrap();
            assert_eq!(
                (&last.1["status"], &last.1["percent"]),
                (&json!("done"), &json!(100.0))
            );
        }
        let expected: Vec<_> = [Part::Keywords]
            .into_iter()
            .chain(of_settings(&requested).iter().map(|request| request.part))
            .collect();
        assert_eq!(engine.parts(), expected);
        assert_eq!(engine.most_running.load(Ordering::SeqCst), 1, "one by one");
        let inputs = engine.seen.lock().unwrap().clone();
        assert!(matches!(&inputs[3].1, Task::SubtitleTranslation { cues, .. } if !cues.is_empty()));
        assert_eq!(inputs[0].0.passages[1].speaker.as_deref(), Some("S2"));
        let transcript = server
            .get_as(&me, &format!("{}/transcript", path(&job)))
            .await
            .json();
        assert_eq!(transcript["speakers"].as_array().unwrap().len(), 2);
        // A later reader gets the end at once.
        let later = events(&server, &me, &job).await;
        assert_eq!(later.last().unwrap().0, "completed");
        stop(&server).await;
    });
}

#[apply(each_database!)]
fn failed_speaker_detection_is_a_warning(backend: Backend) {
    let engines = Engines {
        speakers: Some(Arc::new(ScriptedSpeakers { fails: true })),
        ..Engines::default()
    };
    with_server_engines(backend, engines, async |server| {
        let me = server.signup("a@example.com").await;
        server.start_work().await;
        let wav = std::fs::read(slovo_test_media::prompts::WELCOME.path()).unwrap();
        let settings = json!({
            "transcription_type": "lite", "language_code": "en", "diarization": true,
        });
        let job = make_job_with(&server, &me, "a.wav", &wav, settings).await;
        let received = events(&server, &me, &job).await;
        let completed = &received.last().unwrap().1["job"];
        assert_eq!(completed["status"], "completed");
        let mut warnings = completed["warnings"].as_array().unwrap().iter();
        let warning = warnings
            .find(|warning| warning["code"] == "speakers_failed")
            .unwrap();
        assert_eq!(warning["params"]["reason"], "no_speech");
        stop(&server).await;
    });
}

#[apply(each_database!)]
fn a_rerun_with_another_speaker_count_recognises_no_words_again(backend: Backend) {
    let engines = Engines {
        speakers: Some(Arc::new(ScriptedSpeakers::default())),
        ..Engines::default()
    };
    with_server_engines(backend, engines, async |server| {
        let me = server.signup("a@example.com").await;
        server.start_work().await;
        let wav = std::fs::read(slovo_test_media::prompts::WELCOME.path()).unwrap();
        let settings = |speakers: &str| {
            json!({
                "transcription_type": "lite", "language_code": "en", "diarization": true,
                "speakers": speakers,
            })
        };
        let job = make_job_with(&server, &me, "a.wav", &wav, settings("")).await;
        events(&server, &me, &job).await;
        let text = format!("{}/transcript", path(&job));
        let first = server.get_as(&me, &text).await.json();
        let url = format!("{}/rerun", path(&job));
        let wrong = json!({ "settings": settings("0") });
        let refused = server.post_as(&me, &url, &wrong).await;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
        let right = json!({ "settings": settings("2-3") });
        let accepted = server.post_as(&me, &url, &right).await;
        assert!(accepted.status.is_success(), "{}", accepted.status);
        events(&server, &me, &job).await;
        let second = server.get_as(&me, &text).await.json();
        assert_eq!(first["segments"], second["segments"]);
        assert_ne!(first["version"], second["version"]);
        // The transcript is stored under its version.
        let mut connection = server.state.db.read().await.unwrap();
        let id = job["my_job_id"].as_str().unwrap().parse().unwrap();
        let windows = async |connection: &mut _, version| {
            let found = slovo_db::jobs::stages::chunks::<Value>(connection, id, version).await;
            found.unwrap().len()
        };
        assert!(windows(&mut connection, 1).await > 0);
        assert_eq!(windows(&mut connection, 2).await, 0, "nothing anew");
        stop(&server).await;
    });
}
