//! Jobs created from a URL. There is no model, so each job ends when its recording has been
//! fetched.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use axum::http::{Method, StatusCode};
use serde_json::{Value, json};
use slovo_fetch::testing::{ReceivedRequest, RemoteServer, file, redirect, reply, script};
use slovo_test_media::wave;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::runtime::Runtime;

use super::support::{events, path, send};
use crate::testing::{Backend, TestServer, TestUser, apply, each_database, with_server_options};
use crate::tests::api::me::support::send_json;

pub const TAG: &str = "\"one\"";

/// A tone as a WAV file.
pub fn tone(hertz: f64, seconds: f64) -> Vec<u8> {
    wave::Header::default().with(&wave::tone(16_000, hertz, seconds, 0.5))
}

/// Twenty seconds, 640 KB.
pub fn recording() -> Vec<u8> {
    tone(440.0, 20.0)
}

/// A remote server that outlives the test's runtimes.
pub fn remote_server<F, A>(answer: F) -> (Runtime, RemoteServer)
where
    F: Fn(ReceivedRequest, TcpStream) -> A + Send + Sync + 'static,
    A: Future<Output = ()> + Send + 'static,
{
    let runtime = Runtime::new().unwrap();
    let remote = runtime.block_on(RemoteServer::start(answer));
    (runtime, remote)
}

/// Runs `test` on both databases with a worker that may fetch from this server, and with this
/// script as `yt-dlp`.
pub fn with_worker<F: AsyncFn(&TestServer, &TestUser)>(
    backend: Backend,
    from: &RemoteServer,
    program: &str,
    test: &F,
) {
    let folder = tempfile::tempdir().unwrap();
    let program = script(folder.path(), program);
    let place = from.place();
    let options = [
        "--models",
        folder.path().to_str().unwrap(),
        "--fetch-allow",
        &place,
        "--yt-dlp",
        program.to_str().unwrap(),
    ];
    with_server_options(backend, &options, async |server| {
        let state = &server.state;
        server.start_work().await;
        let me = server.signup("a@example.com").await;
        test(&server, &me).await;
        state.shutdown.cancel();
        state.tasks.close();
        state.tasks.wait().await;
    });
}

async fn try_make(server: &TestServer, who: &TestUser, url: &str) -> crate::testing::Answer {
    let settings = json!({"transcription_type": "lite", "language_code": "en", "url": url});
    let body = json!({"settings": settings});
    server.post_as(who, "/api/v1/jobs", &body).await
}

pub async fn make(server: &TestServer, who: &TestUser, url: &str) -> Value {
    let answer = try_make(server, who, url).await;
    assert_eq!(answer.status, StatusCode::CREATED, "{}", answer.text());
    answer.json()
}

pub async fn ended_job(server: &TestServer, who: &TestUser, job: &Value) -> Value {
    let received = events(server, who, job).await;
    received.last().unwrap().1["job"].clone()
}

pub async fn until(description: &str, condition: impl AsyncFn() -> bool) {
    for _ in 0..3000 {
        if condition().await {
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("{description}");
}

pub async fn status(server: &TestServer, who: &TestUser, job: &Value) -> String {
    let now = server.get_as(who, &path(job)).await.json();
    now["status"].as_str().unwrap().to_owned()
}

/// Number of files in the folders for recordings and downloads.
fn files(server: &TestServer) -> usize {
    let count = |name: &str| {
        let entries = std::fs::read_dir(server.state.config.data().join(name));
        entries.map_or(0, Iterator::count)
    };
    count("media") + count("downloads")
}

/// Asserts that the recording was fetched unchanged: the job ended because there is no model.
pub async fn assert_downloaded(server: &TestServer, who: &TestUser, job: &Value, bytes: &[u8]) {
    let ended = ended_job(server, who, job).await;
    assert_eq!(ended["error"]["code"], "model_missing", "{ended}");
    assert_eq!(ended["file_size"], bytes.len());
    let media = server.get_as(who, &format!("{}/media", path(job))).await;
    assert!(media.body == bytes, "{} bytes", media.body.len());
}

#[apply(each_database!)]
fn a_job_reports_that_it_waits_for_disk_space(backend: Backend) {
    let (_runtime, remote) = remote_server(async |request, mut stream| {
        file(&request, &mut stream, &recording(), TAG).await;
    });
    with_worker(backend, &remote, "exit 1", &async |server, me| {
        server.state.storage.set_full(true);
        let job = make(server, me, &remote.url("/talk.wav")).await;
        assert_eq!(job["progress"]["stage"], "storage", "{job}");
        let waiting = server.get_as(me, &path(&job)).await.json();
        assert_eq!(waiting["status"], "pending", "{waiting}");
        let listed = server.get_as(me, "/api/v1/jobs").await.json();
        assert_eq!(listed["items"][0]["progress"]["stage"], "storage");
        // An open event stream reports when the job continues.
        let (received, ()) = tokio::join!(events(server, me, &job), async {
            tokio::time::sleep(Duration::from_millis(1500)).await;
            server.state.storage.set_full(false);
        });
        assert_eq!(
            received[0].1["job"]["progress"]["stage"], "storage",
            "{received:?}"
        );
        let ended = &received.last().unwrap().1["job"];
        assert_eq!(ended["error"]["code"], "model_missing", "{ended}");
    });
}

#[apply(each_database!)]
fn a_recording_is_fetched_once(backend: Backend) {
    let (_runtime, remote) = remote_server(async |request, mut stream| {
        let name = "Content-Disposition: attachment; filename=\"A talk.wav\"";
        if request.path == "/named" {
            reply(&mut stream, "200 OK", &[name], &recording()).await;
        } else {
            file(&request, &mut stream, &recording(), TAG).await;
        }
    });
    with_worker(backend, &remote, "exit 1", &async |server, me| {
        let url = remote.url("/x/a%20b.wav?token=hunter2");
        let job = make(server, me, &url).await;
        assert_eq!(job["original_filename"], "a b.wav");
        assert_eq!(
            (&job["file_size"], &job["duration"]),
            (&json!(0), &Value::Null)
        );
        assert_downloaded(server, me, &job, &recording()).await;
        let ended = server.get_as(me, &path(&job)).await.json();
        assert_eq!(ended["settings"]["url"], url);
        assert_eq!(
            (&ended["duration"], &ended["has_video"]),
            (&json!(20.0), &json!(false))
        );
        assert_eq!(ended["content_type"], "audio/wav");
        let before = remote.requests().len();
        send(server, me, Method::POST, &format!("{}/retry", path(&job))).await;
        assert_downloaded(server, me, &job, &recording()).await;
        assert_eq!(remote.requests().len(), before, "it was there already");

        let named = make(server, me, &remote.url("/named")).await;
        let ended = ended_job(server, me, &named).await;
        assert_eq!(ended["original_filename"], "A talk.wav");
    });
}

#[apply(each_database!)]
fn settings_of_administrators_apply_to_downloads(backend: Backend) {
    let (_runtime, remote) = remote_server(async |request, mut stream| {
        let stream = &mut stream;
        let large = tone(440.0, 40.0);
        match request.path.as_str() {
            "/told" => file(&request, stream, &large, TAG).await,
            // Without `Content-Length`.
            "/untold" => {
                let head = b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n";
                let _ = stream.write_all(head).await;
                let _ = stream.write_all(&large).await;
            }
            _ => reply(stream, "404 Not Found", &[], b"").await,
        }
    });
    with_worker(backend, &remote, "exit 1", &async |server, me| {
        const SETTINGS: &str = "/api/v1/admin/settings";
        let set = async |group: &str, name: &str, value: Value| {
            let mut settings = server.get_as(me, SETTINGS).await.json()["settings"].clone();
            settings[group][name] = value;
            let answer = send_json(server, me, Method::PUT, SETTINGS, &settings).await;
            assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
        };
        set("limits", "max_upload_bytes", json!(1024 * 1024)).await;
        let mut failed = Value::Null;
        for path in ["/told", "/untold"] {
            failed = make(server, me, &remote.url(path)).await;
            let ended = ended_job(server, me, &failed).await;
            let expected = json!({"code": "url_too_large", "params": {"max_mb": 1}});
            assert_eq!(ended["error"], expected, "{path}");
            assert_eq!(files(server), 0, "{path}");
        }
        let probed = json!({"url": remote.url("/told")});
        let refused = server.post_as(me, "/api/v1/urls/probe", &probed).await;
        assert_eq!(
            refused.json()["code"],
            "url_too_large",
            "{}",
            refused.text()
        );

        set("switches", "url_fetch", json!(false)).await;
        let retry = format!("{}/retry", path(&failed));
        let refused = send(server, me, Method::POST, &retry).await;
        refused.is_problem(StatusCode::FORBIDDEN, "url_fetch_off");
        set("switches", "url_fetch", json!(true)).await;
        set("limits", "max_upload_bytes", Value::Null).await;
        let restarted = send(server, me, Method::POST, &retry).await;
        assert_eq!(restarted.status, StatusCode::OK, "{}", restarted.text());
        let ended = ended_job(server, me, &failed).await;
        assert_ne!(ended["error"]["code"], "url_too_large");
    });
}

#[apply(each_database!)]
fn failed_downloads_report_their_reason_and_leave_no_files(backend: Backend) {
    let (_runtime, remote) = remote_server(async |request, mut stream| {
        let stream = &mut stream;
        match request.path.as_str() {
            "/page?key=hunter2" => reply(stream, "200 OK", &[], b"<!doctype html><p>").await,
            "/zip" => reply(stream, "200 OK", &[], b"PK\x03\x04 and so on").await,
            "/jump" => redirect(stream, "http://169.254.169.254/").await,
            "/large" => {
                reply(stream, "200 OK", &["Content-Length: 9999999999"], b"RIFF").await;
            }
            // A partial response of unknown total size.
            "/part" => {
                let range = "Content-Range: bytes 0-640043/*";
                reply(stream, "206 Partial Content", &[range], &recording()).await;
            }
            "/damaged" => reply(stream, "200 OK", &[], b"RIFF\0\0\0\0WAVEfmt ").await,
            _ => reply(stream, "404 Not Found", &[], b"").await,
        }
    });
    let program = "echo 'ERROR: Unsupported URL' >&2; exit 1";
    with_worker(backend, &remote, program, &async |server, me| {
        for (path, code) in [
            ("/page?key=hunter2", "url_not_media"),
            ("/zip", "url_not_media"),
            ("/jump", "url_refused"),
            ("/large", "url_too_large"),
            ("/part", "url_unreachable"),
            ("/damaged", "damaged"),
            ("/none", "url_not_found"),
        ] {
            let job = make(server, me, &remote.url(path)).await;
            let ended = ended_job(server, me, &job).await;
            assert_eq!(
                (&ended["status"], &ended["error"]["code"]),
                (&json!("error"), &json!(code)),
                "{path}"
            );
            assert!(!ended["error"].to_string().contains("hunter2"));
            assert_eq!(files(server), 0, "{path}");
        }
        let refused = try_make(server, me, "http://[::1]:5432/").await;
        refused.is_problem(StatusCode::UNPROCESSABLE_ENTITY, "url_refused");
        let wrong = try_make(server, me, "ftp://a.example/").await;
        wrong.is_problem(StatusCode::UNPROCESSABLE_ENTITY, "validation_failed");
        assert_eq!(wrong.json()["errors"][0]["field"], "settings.url");
    });
}

#[apply(each_database!)]
fn a_web_page_is_fetched_by_the_external_program(backend: Backend) {
    let (_runtime, remote) = remote_server(async |_, mut stream| {
        reply(&mut stream, "200 OK", &[], b"<!doctype html><p>").await;
    });
    let folder = tempfile::tempdir().unwrap();
    let wav = folder.path().join("made.wav");
    std::fs::write(&wav, recording()).unwrap();
    let program = format!(
        "echo 'slovo-page {{\"title\": \"A/B talk\"}}'; echo 'slovo-progress 1 2 NA'; \
         cp {} media.wav",
        wav.display()
    );
    with_worker(backend, &remote, &program, &async |server, me| {
        let job = make(server, me, &remote.url("/watch")).await;
        assert_downloaded(server, me, &job, &recording()).await;
        let ended = server.get_as(me, &path(&job)).await.json();
        assert_eq!(ended["original_filename"], "A B talk.wav");
        let folders = std::fs::read_dir(server.state.config.data().join("downloads"));
        assert_eq!(folders.unwrap().count(), 0);
    });
}

#[apply(each_database!)]
fn an_interrupted_download_resumes_where_it_stopped(backend: Backend) {
    // Two requests per database: one for the first half, one for the rest.
    let times = AtomicUsize::new(0);
    let (_runtime, remote) = remote_server(move |request, mut stream| {
        let first = times.fetch_add(1, Ordering::SeqCst).is_multiple_of(2);
        async move {
            let (full, stream) = (recording(), &mut stream);
            let length = format!("Content-Length: {}", full.len());
            match (request.path.as_str(), first) {
                ("/busy", true) => reply(stream, "503 Busy", &["Retry-After: 60"], b"").await,
                (_, true) => {
                    let half = &full[..full.len() / 2];
                    let tag = format!("ETag: {TAG}");
                    reply(stream, "200 OK", &[&length, &tag], half).await;
                }
                ("/changed", false) => {
                    file(&request, stream, &tone(220.0, 5.0), "\"two\"").await;
                }
                _ => file(&request, stream, &full, TAG).await,
            }
        }
    });
    with_worker(backend, &remote, "exit 1", &async |server, me| {
        for (path, bytes, resumes) in [
            ("/a.wav", recording(), true),
            ("/changed", tone(220.0, 5.0), true),
            ("/busy", recording(), false),
        ] {
            let before = remote.requests().len();
            let job = make(server, me, &remote.url(path)).await;
            until("it waits for another try", async || {
                remote.requests().len() > before && status(server, me, &job).await == "pending"
            })
            .await;
            server.clock.advance_seconds(61);
            assert_downloaded(server, me, &job, &bytes).await;
            let requests = remote.requests();
            let second = &requests[before + 1];
            assert_eq!(requests.len(), before + 2);
            assert_eq!(second.from() > 300_000, resumes, "{path}: {second:?}");
            assert_eq!(second.headers.contains_key("if-range"), resumes, "{path}");
        }
    });
}

#[apply(each_database!)]
fn a_cancelled_download_stops_at_once_and_restarts_anew(backend: Backend) {
    let times = AtomicUsize::new(0);
    let (_runtime, remote) = remote_server(move |request, mut stream| {
        let first = times.fetch_add(1, Ordering::SeqCst).is_multiple_of(2);
        async move {
            if !first {
                return file(&request, &mut stream, &recording(), TAG).await;
            }
            let head = format!("HTTP/1.1 200 OK\r\nContent-Length: 640044\r\nETag: {TAG}\r\n\r\n");
            let _ = stream.write_all(head.as_bytes()).await;
            let _ = stream.write_all(&recording()[..200_000]).await;
            std::future::pending::<()>().await;
        }
    });
    with_worker(backend, &remote, "exit 1", &async |server, me| {
        let job = make(server, me, &remote.url("/a.wav")).await;
        let id = job["my_job_id"].as_str().unwrap().parse().unwrap();
        let has_large_file = |folder: &Path| {
            let mut files = std::fs::read_dir(folder).unwrap().flatten();
            files.any(|file| file.metadata().is_ok_and(|data| data.len() > 100_000))
        };
        let media = server.state.config.data().join("media");
        until("bytes come", async || has_large_file(&media)).await;
        let cancel = format!("{}/cancel", path(&job));
        let cancelled = send(server, me, Method::POST, &cancel).await;
        assert_eq!(cancelled.json()["status"], "cancelled");
        assert!(server.state.jobs.live().running_one(id).is_none());
        assert_eq!(files(server), 0);
        let retry = format!("{}/retry", path(&job));
        assert_eq!(
            send(server, me, Method::POST, &retry).await.status,
            StatusCode::OK
        );
        assert_downloaded(server, me, &job, &recording()).await;
        assert_eq!(remote.requests().last().unwrap().from(), 0, "anew");
    });
}
