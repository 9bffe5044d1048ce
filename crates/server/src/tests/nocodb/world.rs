//! A server with an external database, and test helpers.

use axum::http::StatusCode;
use serde_json::{Value, json};
use slovo_db::core::lease::Claim;
use slovo_db::jobs;
use slovo_db::jobs::queue::{self, Line};
use slovo_db::nocodb::{self as stored, Cause, Run};
use slovo_db::{Database, lifecycle};
use slovo_nocodb::testing::Run as Synchronisation;
use slovo_rules::Valid;
use slovo_rules::nocodb::{NocodbBase, validate_place};
use slovo_rules::settings::TranscriptionType;
use slovo_rules::transcript::{Segment, Transcript};
use uuid::Uuid;

use super::fake::{BASE, Fake, TOKEN};
use crate::testing::{Backend, TestServer, with_database};

/// A high request rate: pauses are derived from it.
const RATE: &str = "5000";

/// Runs `test` on this database; SQLite uses version 3 of the API, PostgreSQL version 2.
pub fn with_world<F: AsyncFnOnce(TestServer, Fake)>(backend: Backend, test: F) {
    with_database(backend, async |database| {
        let has_v3 = matches!(database.backend(), Backend::Sqlite);
        let fake = Fake::start(has_v3).await;
        let server = server(database, &fake.url, BASE).await;
        test(server, fake).await;
    });
}

/// A server with this external database.
pub async fn server(database: Database, url: &str, base: &str) -> TestServer {
    let token = ["--nocodb-token", TOKEN];
    let rate = ["--nocodb-requests-per-second", RATE];
    let server = TestServer::new(database, &[token, rate].concat());
    configure(&server, url, base).await;
    server
}

pub async fn configure(server: &TestServer, url: &str, base: &str) {
    let place = validate_place(&NocodbBase {
        api_url: url.to_owned(),
        project_id: base.to_owned(),
    });
    let mut transaction = server.state.db.write().await.unwrap();
    let now = server.state.clock.now_ms();
    stored::configure(&mut transaction, &place.unwrap(), now)
        .await
        .unwrap();
    transaction.commit().await.unwrap();
}

/// Runs the synchronisation to completion.
pub async fn sync(server: &TestServer) -> Run {
    let state = &server.state;
    let config = {
        let mut connection = state.db.read().await.unwrap();
        stored::config(&mut connection).await.unwrap().unwrap()
    };
    let run = Synchronisation::begin(&state.nocodb(), Cause::Admin)
        .await
        .unwrap();
    run.expect("no other run is at work").execute(config).await;
    let run = last(server).await;
    // Two runs within one millisecond would have no defined order.
    server.clock.advance_seconds(1);
    run
}

pub async fn last(server: &TestServer) -> Run {
    let mut connection = server.state.db.read().await.unwrap();
    stored::latest(&mut connection).await.unwrap().unwrap()
}

/// Runs the synchronisation and asserts that everything was transferred.
pub async fn sync_well(server: &TestServer) -> Value {
    let run = sync(server).await;
    assert_eq!(run.status.as_str(), "succeeded", "{run:?}");
    run.stats
}

/// A second run must change nothing on either side.
pub async fn assert_settled(server: &TestServer, fake: &Fake) {
    let before = changes(server).await;
    fake.writes();
    let stats = sync_well(server).await;
    let writes = fake.writes();
    assert!(writes.is_empty(), "{writes:?}");
    for name in [
        "created_here",
        "changed_here",
        "created_there",
        "changed_there",
        "removed_there",
        "conflicts",
        "problems",
    ] {
        assert_eq!(stats[name], 0, "{name}: {stats}");
    }
    assert_eq!(changes(server).await, before);
}

async fn changes(server: &TestServer) -> Vec<stored::Row> {
    let mut connection = server.state.db.read().await.unwrap();
    let mut all = Vec::new();
    for kind in stored::Kind::ALL {
        all.extend(
            stored::page(&mut connection, kind, "", 10_000)
                .await
                .unwrap(),
        );
    }
    all
}

/// A plan of ours.
pub async fn plan(server: &TestServer, name: &str) -> Uuid {
    let form = slovo_rules::plan::PlanForm {
        name: name.to_owned(),
        price: 9.5,
        monthly_minutes_limit: Some(120.0),
        ..Default::default()
    };
    let form = slovo_rules::plan::validate(&form).unwrap();
    let id = server.state.new_id().parse().unwrap();
    let mut transaction = server.state.db.write().await.unwrap();
    let now = server.state.clock.now_ms();
    slovo_db::plans::insert(&mut transaction, id, &form, now)
        .await
        .unwrap();
    transaction.commit().await.unwrap();
    id
}

/// A preset of somebody's.
pub async fn preset(server: &TestServer, who: &crate::testing::TestUser, name: &str) -> String {
    let form = json!({"name": name, "is_public": false});
    let created = server.post_as(who, "/api/v1/presets", &form).await;
    assert_eq!(created.status, StatusCode::CREATED, "{}", created.text());
    created.json()["id"].as_str().unwrap().to_owned()
}

/// A finished job of this user with this text.
pub async fn finished_job(server: &TestServer, user_id: &str, texts: &[String]) -> Uuid {
    let id: Uuid = server.state.new_id().parse().unwrap();
    let now = server.state.clock.now_ms();
    let segments = texts.iter().zip(0_u32..).map(|(text, index)| Segment {
        index,
        start: f64::from(index) * 3.0,
        end: f64::from(index) * 3.0 + 2.5,
        speaker: Some("SPEAKER_0".to_owned()),
        language: None,
        text: text.clone(),
        words: Vec::new(),
    });
    let transcript = Transcript {
        language: "uk".to_owned(),
        duration: 300.0,
        mode: TranscriptionType::Full,
        model: "base".to_owned(),
        segments: segments.collect(),
        warnings: Vec::new(),
        removed: Vec::new(),
    };
    let job = jobs::NewJob {
        id,
        user_id: user_id.to_owned(),
        media_id: server.state.new_id().parse().unwrap(),
        original_filename: "talk.wav".to_owned(),
        content_type: "audio/wav".to_owned(),
        file_size: 1,
        has_video: false,
        duration: None,
        plan: Valid::default(),
        audio_track: None,
        priority: 0,
        now,
    };
    let claim = Claim {
        lease_id: id.to_string(),
        owner: "test",
        now: now + 1,
        until: now + 1000,
    };
    let db = &server.state.db;
    let mut transaction = db.write().await.unwrap();
    lifecycle::create_job(&mut transaction, &job).await.unwrap();
    let claimed = queue::claim(&mut transaction, db.backend(), Line::Recognition, &claim).await;
    let (lease, _) = claimed.unwrap().unwrap();
    let completed =
        lifecycle::complete_job(&mut transaction, &lease, 1, &transcript, false, now + 2).await;
    assert!(completed.unwrap());
    transaction.commit().await.unwrap();
    id
}

/// Words in segments, with this many characters in total.
pub fn long_text(characters: usize) -> Vec<String> {
    let mut texts = Vec::new();
    let (mut total, mut number) = (0, 0);
    while total < characters {
        let text = format!("Речення номер {number} про те, як слово стає текстом на сторінці.");
        total += text.chars().count() + 1;
        number += 1;
        texts.push(text);
    }
    texts
}

/// A text of a job's row there and of its continuation rows, and whether it is complete.
pub fn remote_text(fake: &Fake, job: Uuid, field: &str) -> String {
    let (_, row) = fake.row_with("synced_output", "my_job_id", &job.to_string());
    let mut complete = row[field].as_str().unwrap_or_default().to_owned();
    let continued: Value = match row["text_parts"].as_str() {
        Some(text) => serde_json::from_str(text).unwrap(),
        None => return complete,
    };
    let Some(pieces) = continued[field]["pieces"].as_u64() else {
        return complete;
    };
    let rows = fake.rows("synced_output_parts");
    for index in 1..pieces {
        let mut matching = rows.iter().filter(|(_, row)| {
            row["my_job_id"] == json!(job.to_string())
                && row["field"] == field
                && row["part_index"] == index
                && row["digest"] == continued[field]["digest"]
        });
        let (_, row) = matching.next().expect("the piece is there");
        complete.push_str(row["text"].as_str().unwrap());
    }
    complete
}
