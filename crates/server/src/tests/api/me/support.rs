//! Helpers for the tests of the caller's account.

use axum::body::Body;
use axum::http::{Method, header};
use serde_json::Value;
use slovo_db::core::lease::Claim;
use slovo_db::jobs::NewJob;
use slovo_db::jobs::queue::{self, Line};
use slovo_db::lifecycle;
use slovo_db::texts::analyses::{self, NewAnalysis, ResultOrigin};
use slovo_rules::Valid;
use slovo_rules::analysis::{Outcome, Part, PartRequest, Summary, SummarySentence};
use slovo_rules::job_plan::JobPlan;
use slovo_rules::settings::TranscriptionType;
use slovo_rules::transcript::{Segment, Transcript};
use uuid::Uuid;

use crate::testing::{Answer, TestServer, TestUser};

/// Sends JSON with any method.
pub(crate) async fn send_json(
    server: &TestServer,
    who: &TestUser,
    method: Method,
    path: &str,
    body: &Value,
) -> Answer {
    let request = server.request(method, path, who);
    let request = request.header(header::CONTENT_TYPE, "application/json");
    server
        .send(request.body(Body::from(body.to_string())).unwrap())
        .await
}

/// A queued job with this name and recording, as after an upload.
pub(crate) async fn job(server: &TestServer, who: &TestUser, name: &str, recording: &[u8]) -> Uuid {
    job_with(server, who, name, recording, Valid::default()).await
}

/// The same with these settings.
pub(crate) async fn job_with(
    server: &TestServer,
    who: &TestUser,
    name: &str,
    recording: &[u8],
    plan: Valid<JobPlan>,
) -> Uuid {
    let state = &server.state;
    let job = NewJob {
        id: Uuid::new_v4(),
        user_id: who.user_id.clone(),
        media_id: Uuid::new_v4(),
        original_filename: name.to_owned(),
        content_type: "audio/wav".to_owned(),
        file_size: recording.len() as u64,
        has_video: false,
        duration: None,
        plan,
        audio_track: None,
        priority: 0,
        now: state.clock.now_ms(),
    };
    std::fs::write(state.storage.media(job.media_id), recording).unwrap();
    let mut transaction = state.db.write().await.unwrap();
    lifecycle::create_job(&mut transaction, &job).await.unwrap();
    transaction.commit().await.unwrap();
    job.id
}

/// Completes the next job in the queue with one sentence.
pub(crate) async fn complete_next(server: &TestServer, sentence: &str) {
    complete_next_with(server, &[sentence.to_owned()]).await;
}

/// The same with several sentences of two seconds, one second apart.
pub(crate) async fn complete_next_with(server: &TestServer, sentences: &[String]) {
    let (state, now) = (&server.state, server.state.clock.now_ms());
    let claim = Claim {
        lease_id: Uuid::new_v4().to_string(),
        owner: "test",
        now,
        until: now + 1000,
    };
    let transcript = Transcript {
        language: "uk".to_owned(),
        duration: 2.0,
        mode: TranscriptionType::Full,
        model: "base".to_owned(),
        segments: (0..)
            .zip(sentences)
            .map(|(index, sentence)| Segment {
                index,
                start: f64::from(index),
                end: f64::from(index) + 2.0,
                speaker: None,
                language: None,
                text: sentence.clone(),
                words: Vec::new(),
            })
            .collect(),
        warnings: Vec::new(),
        removed: Vec::new(),
    };
    let mut transaction = state.db.write().await.unwrap();
    let backend = state.db.backend();
    let claimed = queue::claim(&mut transaction, backend, Line::Recognition, &claim).await;
    let (lease, job) = claimed.unwrap().unwrap();
    let completed = lifecycle::complete_job(
        &mut transaction,
        &lease,
        job.version,
        &transcript,
        false,
        now,
    )
    .await;
    assert!(completed.unwrap());
    transaction.commit().await.unwrap();
}

/// Blocks an account as an administrator would.
pub(crate) async fn block(server: &TestServer, who: &TestUser) {
    let mut transaction = server.state.db.write().await.unwrap();
    let now = server.state.clock.now_ms();
    let outcome = slovo_db::accounts::blocking::block(&mut transaction, &who.user_id, now).await;
    assert_eq!(
        outcome.unwrap(),
        slovo_db::accounts::blocking::Outcome::Blocked
    );
    transaction.commit().await.unwrap();
}

/// Completes a summary.
pub(crate) async fn summarise(server: &TestServer, job: Uuid) {
    let mut transaction = server.state.db.write().await.unwrap();
    let new = NewAnalysis {
        id: Uuid::new_v4(),
        job,
        version: 1,
        request: &PartRequest::plain(Part::Summary),
        held_reason: None,
        now: server.state.clock.now_ms(),
    };
    assert!(analyses::insert(&mut transaction, &new).await.unwrap());
    let claim = Claim {
        lease_id: Uuid::new_v4().to_string(),
        owner: "test",
        now: server.state.clock.now_ms(),
        until: i64::MAX,
    };
    let claimed = analyses::claim(&mut transaction, server.state.db.backend(), None, &claim).await;
    let (lease, _) = claimed.unwrap().unwrap();
    let outcome = Outcome::Summary(Summary {
        sentences: vec![SummarySentence {
            text: "Усі привіталися.".to_owned(),
            moments: Vec::new(),
        }],
        words: 2,
        extractive: false,
    });
    let completed = lifecycle::complete_analysis(
        &mut transaction,
        job,
        &lease,
        &ResultOrigin::default(),
        &outcome,
        server.state.clock.now_ms(),
    )
    .await;
    assert!(completed.unwrap());
    transaction.commit().await.unwrap();
}
