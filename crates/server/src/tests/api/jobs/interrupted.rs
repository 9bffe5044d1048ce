//! Interrupted downloads and full disks: what is resumed, and what fails.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use axum::http::StatusCode;
use serde_json::{Value, json};
use slovo_fetch::testing::{ReceivedRequest, reply};
use slovo_test_media::wave;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use super::downloads::{TAG, make, remote_server, status, until, with_worker};
use super::support::path;
use crate::testing::{Backend, TestServer, TestUser, apply, each_database};

/// The connection breaks after so many bytes: more than the minimum that counts as progress.
const PIECE: usize = 9 * 1024 * 1024;

/// About 36 MB of silence.
fn long() -> Vec<u8> {
    wave::Header::default().with(&vec![0; 4 * PIECE])
}

/// Creates a job from a URL and lets it retry until it ends; returns the job and the number of
/// requests.
async fn run_until_settled(
    server: &TestServer,
    who: &TestUser,
    address: &str,
    request_count: impl Fn() -> usize,
) -> (Value, usize) {
    // The first request may arrive before the response with the job.
    let first = request_count();
    let mut before = first;
    let job = &make(server, who, address).await;
    let id = job["my_job_id"].as_str().unwrap().parse().unwrap();
    let live = server.state.jobs.live();
    loop {
        until("it is tried again", async || {
            // A job is also pending while its recording is being fetched: it waits for a retry only
            // after its run has ended.
            let was_tried = request_count() > before && live.running_one(id).is_none();
            let now = status(server, who, job).await;
            !matches!(now.as_str(), "pending" | "processing") || (now == "pending" && was_tried)
        })
        .await;
        let now = server.get_as(who, &path(job)).await.json();
        if now["file_size"] != 0 || now["status"] != "pending" {
            return (now, request_count() - first);
        }
        before = request_count();
        server.clock.advance_seconds(61);
    }
}

/// Sends a part of the requested file.
async fn send_part(request: &ReceivedRequest, stream: &mut TcpStream, time: usize) {
    let (full, from) = (long(), request.from());
    let piece = &full[from..(from + PIECE).min(full.len())];
    let tag = format!("ETag: {TAG}");
    let changing = format!("ETag: \"{time}\"");
    let parts = "Accept-Ranges: bytes";
    let rest_length = format!("Content-Length: {}", full.len() - from);
    let range = format!(
        "Content-Range: bytes {from}-{}/{}",
        full.len() - 1,
        full.len()
    );
    let (status, headers, piece) = match request.path.as_str() {
        "/steady" if from > 0 => ("206 Partial Content", vec![rest_length, range, tag], piece),
        path => {
            let headers = match path {
                "/changing" => vec![changing, parts.to_owned()],
                "/nameless" => vec![parts.to_owned()],
                _ => vec![tag],
            };
            let length = format!("Content-Length: {}", full.len());
            ("200 OK", [vec![length], headers].concat(), &full[..PIECE])
        }
    };
    let headers: Vec<_> = headers.iter().map(String::as_str).collect();
    reply(stream, status, &headers, piece).await;
}

#[apply(each_database!)]
fn only_resumable_downloads_are_retried_without_limit(backend: Backend) {
    let times = Arc::new(AtomicUsize::new(0));
    let (_runtime, remote) = remote_server(move |request, mut stream| {
        let time = times.fetch_add(1, Ordering::SeqCst);
        async move { send_part(&request, &mut stream, time).await }
    });
    with_worker(backend, &remote, "exit 1", &async |server, me| {
        let request_count = || remote.requests().len();
        for (address, times) in [("/nameless", 3), ("/whole", 3), ("/changing", 4)] {
            let (ended, attempts) =
                run_until_settled(server, me, &remote.url(address), request_count).await;
            assert_eq!(
                (&ended["status"], &ended["error"]["code"]),
                (&json!("error"), &json!("url_unreachable")),
                "{address}"
            );
            assert_eq!(attempts, times, "{address}");
        }
        let (job, attempts) =
            run_until_settled(server, me, &remote.url("/steady"), request_count).await;
        let ended = &job;
        assert_eq!(ended["file_size"], long().len(), "{ended}");
        assert_eq!(attempts, 5, "more often than a job that does not get on");
        let media = server.get_as(me, &format!("{}/media", path(&job))).await;
        assert_eq!(media.status, StatusCode::OK);
        assert!(media.body == long());
    });
}

#[apply(each_database!)]
fn a_full_disk_stops_downloads(backend: Backend) {
    let full = Arc::new(AtomicBool::new(false));
    let shared = Arc::clone(&full);
    let (_runtime, remote) = remote_server(move |request, mut stream| {
        let full = Arc::clone(&shared);
        async move {
            if request.path == "/page" {
                return reply(&mut stream, "200 OK", &[], b"<!doctype html><p>").await;
            }
            let (bytes, first_part) = (long(), 1024 * 1024);
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n").await;
            let _ = stream.write_all(&bytes[..first_part]).await;
            while !full.load(Ordering::SeqCst) {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
            let _ = stream.write_all(&bytes[first_part..2 * PIECE]).await;
            std::future::pending::<()>().await;
        }
    });
    let folder = tempfile::tempdir().unwrap();
    let started = folder.path().join("begun");
    let program = format!("touch {}; sleep 1000", started.display());
    with_worker(backend, &remote, &program, &async |server, me| {
        let data = server.state.config.data();
        let size = || {
            let files = std::fs::read_dir(data.join("media")).unwrap().flatten();
            files
                .map(|file| file.metadata().map_or(0, |data| data.len()))
                .sum::<u64>()
        };
        let set = |is_full| {
            server.state.storage.set_full(is_full);
            full.store(is_full, Ordering::SeqCst);
        };
        let has_started = async || size() >= 1024 * 1024 || started.exists();
        for address in ["/long", "/page"] {
            set(false);
            let _ = std::fs::remove_file(&started);
            let job = make(server, me, &remote.url(address)).await;
            until("it begins", has_started).await;
            set(true);
            until("it stops", async || {
                status(server, me, &job).await == "pending"
            })
            .await;
            assert!(
                size() < u64::try_from(PIECE).unwrap(),
                "{address}: {}",
                size()
            );
            let cancel = format!("{}/cancel", path(&job));
            super::support::send(server, me, axum::http::Method::POST, &cancel).await;
        }
    });
}
