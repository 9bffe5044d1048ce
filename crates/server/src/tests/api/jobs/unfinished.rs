//! What is reported of a text while it is recognised.

use axum::http::{Method, StatusCode};
use serde_json::{Value, json};
use slovo_db::core::lease::Claim;
use slovo_db::jobs::queue::{self, Lease, Line};
use slovo_db::jobs::stages;
use slovo_db::texts::{recognition, transcripts};
use slovo_rules::transcript::{Segment, Word};
use slovo_test_media::prompts::WELCOME;
use uuid::Uuid;

use super::support::{make_job_with, path, rest_of, send, watch};
use crate::testing::{Backend, TestServer, apply, each_database, with_server};

const SPEECH: [&str; 3] = ["Get the fuck out.", "Shit!", "What a bastard, yes."];

/// Takes the only job that waits, as a worker of another process does.
async fn claim(server: &TestServer) -> Lease {
    let now = server.state.clock.now_ms();
    let claim = Claim {
        lease_id: Uuid::new_v4().to_string(),
        owner: "another",
        now,
        until: now + 3_600_000,
    };
    let mut transaction = server.state.db.write().await.unwrap();
    let backend = server.state.db.backend();
    let claimed = queue::claim(&mut transaction, backend, Line::Recognition, &claim).await;
    transaction.commit().await.unwrap();
    claimed.unwrap().expect("a job waits").0
}

fn segment(index: u32) -> Segment {
    let start = f64::from(index);
    let text = SPEECH[index as usize];
    let word = |text: &str| Word {
        start,
        end: start + 1.0,
        text: text.to_owned(),
        confidence: 0.9,
    };
    Segment {
        index,
        start,
        end: start + 1.0,
        speaker: None,
        language: None,
        text: text.to_owned(),
        words: text.split(' ').map(word).collect(),
    }
}

async fn store(server: &TestServer, lease: &Lease, indexes: &[u32]) {
    let segments: Vec<Segment> = indexes.iter().copied().map(segment).collect();
    let mut transaction = server.state.db.write().await.unwrap();
    let lease_held = recognition::save_segments(&mut transaction, lease, 1, &segments).await;
    assert!(lease_held.unwrap());
    transaction.commit().await.unwrap();
}

/// Numbers and texts of segments, after checking that the words of each match its text.
fn texts(segments: &Value) -> Value {
    let rows = segments.as_array().unwrap().iter().map(|segment| {
        let words = segment["words"].as_array().unwrap().iter();
        let words: Vec<&str> = words.map(|word| word["text"].as_str().unwrap()).collect();
        assert_eq!(segment["text"], words.join(" "));
        json!([segment["index"], segment["text"]])
    });
    rows.collect()
}

#[apply(each_database!)]
fn swear_words_are_masked_or_removed_in_unfinished_texts(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let wav = std::fs::read(WELCOME.path()).unwrap();
        for (profanity, first, others) in [
            ("keep", SPEECH[0], json!([[1, SPEECH[1]], [2, SPEECH[2]]])),
            (
                "mask",
                "Get the f*** out.",
                json!([[1, "S***!"], [2, "What a b******, yes."]]),
            ),
            ("remove", "Get the out.", json!([[2, "What a, yes."]])),
        ] {
            let settings = json!({"transcription_type": "lite", "language_code": "en",
                "profanity": profanity});
            // The newest job is the first of the dashboard.
            server.clock.advance_seconds(1);
            let job = make_job_with(&server, &me, "a.wav", &wav, settings).await;
            let lease = claim(&server).await;
            store(&server, &lease, &[0]).await;
            let dashboard = server.get_as(&me, "/api/v1/me/dashboard").await.json();
            assert_eq!(dashboard["recent"][0]["excerpt"], first, "{profanity}");
            let watched = watch(&server, &me, &job).await;
            store(&server, &lease, &[1, 2]).await;
            let cancel = format!("{}/cancel", path(&job));
            let cancelled = send(&server, &me, Method::POST, &cancel).await;
            assert_eq!(cancelled.status, StatusCode::OK, "{}", cancelled.text());
            let received = rest_of(watched).await;
            let names: Vec<&str> = received.iter().map(|(name, _)| name.as_str()).collect();
            assert_eq!(names, ["state", "segments", "cancelled"], "{received:?}");
            assert_eq!(texts(&received[0].1["segments"]), json!([[0, first]]));
            assert_eq!(texts(&received[1].1["segments"]), others);
            // Whoever comes later reads the same.
            let received = rest_of(watch(&server, &me, &job).await).await;
            let all = texts(&received[0].1["segments"]);
            assert_eq!(all[0], json!([0, first]));
            assert_eq!(all.as_array().unwrap()[1..], *others.as_array().unwrap());
            // What is stored until the run completes are the original words.
            let id = job["my_job_id"].as_str().unwrap().parse().unwrap();
            let mut connection = server.state.db.read().await.unwrap();
            let stored = transcripts::segments(&mut connection, id, 1, 0).await;
            let stored: Vec<String> = stored
                .unwrap()
                .into_iter()
                .map(|segment| segment.text)
                .collect();
            assert_eq!(stored, SPEECH);
        }
    });
}

#[apply(each_database!)]
fn segments_of_unfinished_texts_have_their_language(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let wav = std::fs::read(WELCOME.path()).unwrap();
        let settings = json!({"transcription_type": "lite", "language_code": "en"});
        let job = make_job_with(&server, &me, "a.wav", &wav, settings).await;
        let lease = claim(&server).await;
        let ukrainian = Segment {
            language: Some("uk".to_owned()),
            ..segment(1)
        };
        let mut transaction = server.state.db.write().await.unwrap();
        let named = stages::set_language(&mut transaction, &lease, "en", 1.0).await;
        assert!(named.unwrap());
        let segments = [segment(0), ukrainian];
        let stored = recognition::save_segments(&mut transaction, &lease, 1, &segments).await;
        assert!(stored.unwrap());
        transaction.commit().await.unwrap();
        let watched = watch(&server, &me, &job).await;
        let cancel = format!("{}/cancel", path(&job));
        send(&server, &me, Method::POST, &cancel).await;
        let received = rest_of(watched).await;
        let (name, state) = &received[0];
        assert_eq!(name, "state");
        let language = |at: usize| state["segments"][at]["language"].clone();
        assert_eq!([language(0), language(1)], ["en", "uk"]);
    });
}
