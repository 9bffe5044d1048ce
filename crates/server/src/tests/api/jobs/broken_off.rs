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

use super::downloads::{TAG, make, status, stranger, until, with_worker};
use super::support::path;
use crate::testing::{Backend, Signed, TestServer, apply, each_database};

/// The connection breaks after so many bytes: more than the minimum that counts as progress.
const PIECE: usize = 9 * 1024 * 1024;

/// About 36 MB of silence.
fn long() -> Vec<u8> {
    wave::Header::default().with(&vec![0; 4 * PIECE])
}

/// Creates a job from a URL and lets it retry until it ends; returns the job and the number of
/// requests.
async fn tried(
    server: &TestServer,
    who: &Signed,
    address: &str,
    asked: impl Fn() -> usize,
) -> (Value, usize) {
    // The first request may arrive before the response with the job.
    let first = asked();
    let mut before = first;
    let job = &make(server, who, address).await;
    let id = job["my_job_id"].as_str().unwrap().parse().unwrap();
    let live = server.state.jobs.live();
    loop {
        until("it is tried again", async || {
            // A job is also pending while its recording is being fetched: it waits for a retry only
            // after its run has ended.
            let was_tried = asked() > before && live.running_one(id).is_none();
            let now = status(server, who, job).await;
            !matches!(now.as_str(), "pending" | "processing") || (now == "pending" && was_tried)
        })
        .await;
        let now = server.get_as(who, &path(job)).await.json();
        if now["file_size"] != 0 || now["status"] != "pending" {
            return (now, asked() - first);
        }
        before = asked();
        server.clock.advance_seconds(61);
    }
}

/// Sends a part of the requested file.
async fn break_off(asked: &ReceivedRequest, stream: &mut TcpStream, time: usize) {
    let (whole, from) = (long(), asked.from());
    let piece = &whole[from..(from + PIECE).min(whole.len())];
    let tag = format!("ETag: {TAG}");
    let changing = format!("ETag: \"{time}\"");
    let parts = "Accept-Ranges: bytes";
    let rest = format!("Content-Length: {}", whole.len() - from);
    let place = format!(
        "Content-Range: bytes {from}-{}/{}",
        whole.len() - 1,
        whole.len()
    );
    let (status, headers, piece) = match asked.path.as_str() {
        "/steady" if from > 0 => ("206 Partial Content", vec![rest, place, tag], piece),
        path => {
            let headers = match path {
                "/changing" => vec![changing, parts.to_owned()],
                "/nameless" => vec![parts.to_owned()],
                _ => vec![tag],
            };
            let length = format!("Content-Length: {}", whole.len());
            ("200 OK", [vec![length], headers].concat(), &whole[..PIECE])
        }
    };
    let headers: Vec<_> = headers.iter().map(String::as_str).collect();
    reply(stream, status, &headers, piece).await;
}

#[apply(each_database!)]
fn only_what_can_be_gone_on_with_is_tried_for_ever(backend: Backend) {
    let times = Arc::new(AtomicUsize::new(0));
    let (_runtime, there) = stranger(move |asked, mut stream| {
        let time = times.fetch_add(1, Ordering::SeqCst);
        async move { break_off(&asked, &mut stream, time).await }
    });
    with_worker(backend, &there, "exit 1", &async |server, me| {
        let asked = || there.asked().len();
        for (address, times) in [("/nameless", 3), ("/whole", 3), ("/changing", 4)] {
            let (done, tries) = tried(server, me, &there.url(address), asked).await;
            assert_eq!(
                (&done["status"], &done["error"]["code"]),
                (&json!("error"), &json!("url_unreachable")),
                "{address}"
            );
            assert_eq!(tries, times, "{address}");
        }
        let (job, tries) = tried(server, me, &there.url("/steady"), asked).await;
        let done = &job;
        assert_eq!(done["file_size"], long().len(), "{done}");
        assert_eq!(tries, 5, "more often than a job that does not get on");
        let media = server.get_as(me, &format!("{}/media", path(&job))).await;
        assert_eq!(media.status, StatusCode::OK);
        assert!(media.body == long());
    });
}

#[apply(each_database!)]
fn a_full_disk_stops_what_comes(backend: Backend) {
    let full = Arc::new(AtomicBool::new(false));
    let seen = Arc::clone(&full);
    let (_runtime, there) = stranger(move |asked, mut stream| {
        let full = Arc::clone(&seen);
        async move {
            if asked.path == "/page" {
                return reply(&mut stream, "200 OK", &[], b"<!doctype html><p>").await;
            }
            let (whole, begun) = (long(), 1024 * 1024);
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n").await;
            let _ = stream.write_all(&whole[..begun]).await;
            while !full.load(Ordering::SeqCst) {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
            let _ = stream.write_all(&whole[begun..2 * PIECE]).await;
            std::future::pending::<()>().await;
        }
    });
    let folder = tempfile::tempdir().unwrap();
    let begun = folder.path().join("begun");
    let program = format!("touch {}; sleep 1000", begun.display());
    with_worker(backend, &there, &program, &async |server, me| {
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
        let begins = async || size() >= 1024 * 1024 || begun.exists();
        for address in ["/long", "/page"] {
            set(false);
            let _ = std::fs::remove_file(&begun);
            let job = make(server, me, &there.url(address)).await;
            until("it begins", begins).await;
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
