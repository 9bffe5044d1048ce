//! Downloads that complete while their job is cancelled or deleted, and cleanup of downloads that
//! never complete.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::http::{Method, StatusCode};
use serde_json::{Value, json};
use slovo_db::core::lease::Claim;
use slovo_db::jobs::queue::{self, Lease, Line};
use slovo_db::jobs::stages::DownloadedFile;
use slovo_db::jobs::{self, Job};
use slovo_db::{Connection, Database, lifecycle};
use slovo_fetch::testing::reply;
use slovo_rules::media::Media;
use uuid::Uuid;

use super::downloads::{make, recording, remote_server, until, with_worker};
use super::support::{path, send};
use crate::testing::{Backend, TestServer, TestUser, apply, each_database, with_server};

fn id(job: &Value) -> Uuid {
    job["my_job_id"].as_str().unwrap().parse().unwrap()
}

/// Claims the only queued job, as a worker of another process would.
async fn claim(connection: &mut Connection, db: &Database, now: i64) -> (Lease, Job) {
    let claim = Claim {
        lease_id: Uuid::from_u128(77).to_string(),
        owner: "another",
        now,
        until: now + 3_600_000,
    };
    let claimed = queue::claim(connection, db.backend(), Line::Download, &claim).await;
    claimed.unwrap().expect("a job waits")
}

/// Marks its recording as downloaded.
async fn arrive(connection: &mut Connection, lease: &Lease, now: i64) {
    let downloaded = DownloadedFile {
        filename: "a.wav".to_owned(),
        content_type: "audio/wav".to_owned(),
        size: 7,
        media: Media {
            container: "wav".to_owned(),
            codec: "pcm".to_owned(),
            duration: Some(20.0),
            tracks: 1,
            channels: 1,
            has_video: false,
            audio_tracks: Vec::new(),
        },
    };
    let lease_held = lifecycle::set_downloaded(connection, lease, &downloaded, now).await;
    assert!(lease_held.unwrap());
}

#[apply(each_database!)]
fn a_download_that_completes_during_its_cancellation_stays(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        // This server has no worker.
        let job = make(&server, &me, "http://1.1.1.1/a.wav").await;
        let (db, now) = (&server.state.db, server.state.clock.now_ms());
        let mut transaction = db.write().await.unwrap();
        let (lease, claimed) = claim(&mut transaction, db, now).await;
        transaction.commit().await.unwrap();
        let file = server.state.storage.media(claimed.media_id);
        std::fs::write(&file, b"arrived").unwrap();

        let mut transaction = db.write().await.unwrap();
        arrive(&mut transaction, &lease, now).await;
        let cancel = format!("{}/cancel", path(&job));
        let completes = async {
            // By now the other request has found a job without a recording.
            tokio::time::sleep(Duration::from_millis(300)).await;
            transaction.commit().await.unwrap();
        };
        let (cancelled, ()) = tokio::join!(send(&server, &me, Method::POST, &cancel), completes);
        assert_eq!(cancelled.status, StatusCode::OK, "{}", cancelled.text());
        assert_eq!(cancelled.json()["status"], "cancelled");
        assert_eq!(std::fs::read(&file).unwrap(), b"arrived");
    });
}

/// Runs `take` on a job whose download waits for a response, lets the download fail, and asserts
/// that a file present by then is kept.
fn assert_file_stays(backend: Backend, take: &impl AsyncFn(&TestServer, &TestUser, Uuid)) {
    let answers = Arc::new(AtomicBool::new(false));
    let shared = Arc::clone(&answers);
    let (_runtime, remote) = remote_server(move |_, mut stream| {
        let answers = Arc::clone(&shared);
        async move {
            while !answers.load(Ordering::SeqCst) {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            reply(&mut stream, "404 Not Found", &[], b"").await;
        }
    });
    with_worker(backend, &remote, "exit 1", &async |server, me| {
        answers.store(false, Ordering::SeqCst);
        let before = remote.requests().len();
        let job = make(server, me, &remote.url("/a.wav")).await;
        until("it is asked for", async || remote.requests().len() > before).await;
        let found = jobs::find_any(&mut server.state.db.read().await.unwrap(), id(&job)).await;
        let file = server.state.storage.media(found.unwrap().unwrap().media_id);
        std::fs::write(&file, recording()).unwrap();
        take(server, me, id(&job)).await;
        answers.store(true, Ordering::SeqCst);
        let live = server.state.jobs.live();
        until("the run ends", async || {
            live.running_one(id(&job)).is_none()
        })
        .await;
        assert!(std::fs::read(&file).unwrap() == recording());
    });
}

#[apply(each_database!)]
fn a_run_that_has_lost_its_job_deletes_nothing(backend: Backend) {
    // Another worker has claimed the job and writes to the same file.
    assert_file_stays(backend, &async |server, me, id| {
        let (db, now) = (&server.state.db, server.state.clock.now_ms());
        let mut transaction = db.write().await.unwrap();
        let user = &me.user_id;
        assert!(jobs::cancel(&mut transaction, user, id, now).await.unwrap());
        assert!(jobs::retry(&mut transaction, user, id, now).await.unwrap());
        claim(&mut transaction, db, now).await;
        transaction.commit().await.unwrap();
    });
}

#[apply(each_database!)]
fn a_run_that_is_cancelled_after_its_download_deletes_nothing(backend: Backend) {
    assert_file_stays(backend, &async |server, me, id| {
        let (db, now) = (&server.state.db, server.state.clock.now_ms());
        let mut transaction = db.write().await.unwrap();
        let user = &me.user_id;
        assert!(jobs::cancel(&mut transaction, user, id, now).await.unwrap());
        assert!(jobs::retry(&mut transaction, user, id, now).await.unwrap());
        let (lease, _) = claim(&mut transaction, db, now).await;
        arrive(&mut transaction, &lease, now).await;
        assert!(jobs::cancel(&mut transaction, user, id, now).await.unwrap());
        transaction.commit().await.unwrap();
        server.state.jobs.cancelled(id);
    });
}

#[apply(each_database!)]
fn leftovers_of_dead_downloads_are_cleaned_up(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let folder = async |job: &Value| {
            let mut connection = server.state.db.read().await.unwrap();
            let found = jobs::find_any(&mut connection, id(job)).await;
            let media = found.unwrap().unwrap().media_id;
            create_leftovers(&server, media).await
        };
        let url = "http://1.1.1.1/a.wav";
        let waiting = folder(&make(&server, &me, url).await).await;
        let job = make(&server, &me, url).await;
        send(
            &server,
            &me,
            Method::POST,
            &format!("{}/cancel", path(&job)),
        )
        .await;
        let ended = folder(&job).await;
        let orphaned = create_leftovers(&server, Uuid::from_u128(5)).await;
        let other = server.state.config.data().join("downloads/README");
        std::fs::write(&other, b"not ours").unwrap();

        server.state.uploads.sweep().await.unwrap();
        assert!(waiting.join("media.part").exists());
        assert!(!ended.exists() && !orphaned.exists());
        assert!(other.exists());
        let list = server.get_as(&me, "/api/v1/jobs").await.json();
        assert_eq!(
            list["items"].as_array().map(Vec::len),
            Some(2),
            "{}",
            json!(list)
        );
    });
}

/// Creates the files that a killed process leaves.
async fn create_leftovers(server: &TestServer, media: Uuid) -> std::path::PathBuf {
    let folder = server.state.storage.download_folder(media).await.unwrap();
    std::fs::write(folder.join("media.part"), b"half").unwrap();
    folder
}
