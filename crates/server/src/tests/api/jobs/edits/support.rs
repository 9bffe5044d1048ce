//! Helpers for the tests of edits.

use axum::http::StatusCode;
use serde_json::{Value, json};
use slovo_db::core::lease::Claim;
use slovo_db::jobs::queue::{self, Line};
use slovo_db::lifecycle;
use slovo_rules::settings::TranscriptionType;
use slovo_rules::transcript::{Segment, Transcript, Word};
use uuid::Uuid;

use crate::testing::{Answer, TestServer, TestUser};
use crate::tests::api::me::support::job;

/// A dialogue of two speakers with one segment per text, and with word times.
pub fn talk(texts: &[&str]) -> Transcript {
    let segment = |(index, text): (u32, &&str)| {
        let start = f64::from(index) * 4.0;
        let count = text.split(' ').count();
        let words = text.split(' ').zip(0_u32..).map(|(word, number)| {
            let length = 4.0 / f64::from(u32::try_from(count).unwrap());
            Word {
                start: start + f64::from(number) * length,
                end: start + f64::from(number + 1) * length,
                text: word.to_owned(),
                confidence: 0.5,
            }
        });
        Segment {
            index,
            start,
            end: start + 4.0,
            speaker: Some(format!("SPEAKER_{}", index % 2)),
            language: None,
            text: (*text).to_owned(),
            words: words.collect(),
        }
    };
    Transcript {
        language: "uk".to_owned(),
        duration: 60.0,
        mode: TranscriptionType::Full,
        model: "base".to_owned(),
        segments: (0_u32..).zip(texts).map(segment).collect(),
        warnings: Vec::new(),
        removed: Vec::new(),
    }
}

/// Completes the next job in the queue with this text.
pub async fn complete(server: &TestServer, transcript: &Transcript) {
    let (state, now) = (&server.state, server.state.clock.now_ms());
    let claim = Claim {
        lease_id: Uuid::new_v4().to_string(),
        owner: "test",
        now,
        until: now + 1000,
    };
    let mut transaction = state.db.write().await.unwrap();
    let backend = state.db.backend();
    let claimed = queue::claim(&mut transaction, backend, Line::Recognition, &claim).await;
    let (lease, job) = claimed.unwrap().unwrap();
    let completed = lifecycle::complete_job(
        &mut transaction,
        &lease,
        job.version,
        transcript,
        false,
        now,
    )
    .await;
    assert!(completed.unwrap());
    transaction.commit().await.unwrap();
}

/// A client that edits a job's text.
pub struct Page<'a> {
    pub server: &'a TestServer,
    pub who: &'a TestUser,
    /// The job's path.
    pub path: String,
    pub job: Uuid,
    pub client: Uuid,
}

impl<'a> Page<'a> {
    /// A client on a new job with this text.
    pub async fn on(server: &'a TestServer, who: &'a TestUser, texts: &[&str]) -> Self {
        let id = job(server, who, "розмова.wav", b"recording").await;
        Self::of(server, who, id, &talk(texts)).await
    }

    /// Completes this job, the next in the queue, with this text; returns a client on it.
    pub async fn of(
        server: &'a TestServer,
        who: &'a TestUser,
        job: Uuid,
        transcript: &Transcript,
    ) -> Self {
        complete(server, transcript).await;
        Self {
            server,
            who,
            path: format!("/api/v1/jobs/{job}"),
            job,
            client: Uuid::new_v4(),
        }
    }

    /// Another client on the same job.
    pub fn beside(&self) -> Self {
        Self {
            client: Uuid::new_v4(),
            path: self.path.clone(),
            ..*self
        }
    }

    pub async fn get(&self, action: &str) -> Value {
        let answer = self
            .server
            .get_as(self.who, &format!("{}{action}", self.path))
            .await;
        assert_eq!(answer.status, StatusCode::OK, "{action}: {}", answer.text());
        answer.json()
    }

    pub async fn post(&self, action: &str, body: &Value) -> Answer {
        let path = format!("{}{action}", self.path);
        self.server.post_as(self.who, &path, body).await
    }

    /// The text as this client sees it.
    pub async fn open(&self) -> Value {
        let action = format!("/transcript?client={}&times=all", self.client);
        self.get(&action).await
    }

    /// Sends edits to the first run.
    pub async fn send(&self, edits: Vec<Value>) -> Answer {
        let body = json!({"version": 1, "client": self.client, "edits": edits});
        self.post("/edits", &body).await
    }

    /// Sends an edit, which must succeed.
    pub async fn edit(&self, op: Value) -> Value {
        let answer = self.send(vec![edit(op)]).await;
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
        answer.json()
    }

    /// Undoes (`undo`) or redoes (`redo`) an edit.
    pub async fn step(&self, which: &str) -> Answer {
        let body = json!({"version": 1, "client": self.client, "edit_id": Uuid::new_v4()});
        self.post(&format!("/edits/{which}"), &body).await
    }

    /// The texts of the segments.
    pub async fn texts(&self) -> Vec<String> {
        texts(&self.open().await)
    }
}

/// An edit with a new id.
pub fn edit(op: Value) -> Value {
    let mut edit = json!({"edit_id": Uuid::new_v4()});
    edit["op"] = op;
    edit
}

pub fn segment(id: &str, revision: u32) -> Value {
    json!({"id": id, "revision": revision})
}

pub fn set_text(id: &str, revision: u32, text: &str) -> Value {
    json!({"kind": "set_text", "segment": segment(id, revision), "text": text})
}

pub fn texts(transcript: &Value) -> Vec<String> {
    let segments = transcript["segments"].as_array().unwrap().iter();
    segments
        .map(|segment| segment["text"].as_str().unwrap().to_owned())
        .collect()
}

/// The content of a transcript without revisions and numbers.
pub fn content(transcript: &Value) -> Value {
    let mut segments = transcript["segments"].clone();
    for segment in segments.as_array_mut().unwrap() {
        segment["revision"].take();
    }
    json!({"segments": segments, "speakers": transcript["speakers"]})
}
