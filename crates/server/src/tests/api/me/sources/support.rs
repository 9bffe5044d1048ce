//! Servers and folders that tests watch.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use axum::http::StatusCode;
use serde_json::{Value, json};
use slovo_api::sources::look_once;
use slovo_fetch::testing::{ReceivedRequest, RemoteServer, reply};
use tokio::net::TcpStream;
use tokio::sync::watch;

use crate::testing::{Answer, Backend, PASSWORD, TestServer, TestUser, with_server_options};
use crate::tests::api::jobs::downloads::{remote_server, tone};

pub const SOURCES: &str = "/api/v1/me/sources";

/// `olena:hunter2` in base64.
const BASIC: &str = "Basic b2xlbmE6aHVudGVyMg==";

/// A feed with episodes, a WebDAV folder and a bucket.
pub struct Remote {
    server: RemoteServer,
    episodes: Arc<AtomicUsize>,
    /// While it is true, nothing is answered.
    held: watch::Sender<bool>,
}

impl Remote {
    pub fn url(&self, path: &str) -> String {
        self.server.url(path)
    }

    /// The feed has this many episodes from now on.
    pub fn publish(&self, episodes: usize) {
        self.episodes.store(episodes, Ordering::SeqCst);
    }

    /// Answers nothing until [`Remote::release`].
    pub fn hold(&self) {
        self.held.send_replace(true);
    }

    pub fn release(&self) {
        self.held.send_replace(false);
    }

    /// Waits until something that begins like this has been requested.
    pub async fn asked(&self, start: &str) {
        while self.paths(start).is_empty() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    /// Paths of the requests that had a password, with it.
    pub fn passwords(&self) -> Vec<(String, String)> {
        let requests = self.server.requests().into_iter();
        let with = requests.filter_map(|request| {
            let password = request.headers.get("authorization")?.clone();
            Some((request.path, password))
        });
        with.collect()
    }

    /// The requested paths that begin like this.
    pub fn paths(&self, start: &str) -> Vec<String> {
        let paths = self
            .server
            .requests()
            .into_iter()
            .map(|request| request.path);
        paths.filter(|path| path.starts_with(start)).collect()
    }
}

fn feed(episodes: usize) -> String {
    let one = |n: usize| {
        format!(
            "<item><title>Випуск {n}</title><guid>episode-{n}</guid>\
             <enclosure url=\"/audio/{n}.wav\" type=\"audio/wav\" length=\"4\"/></item>"
        )
    };
    let items: String = (1..=episodes).rev().map(one).collect();
    format!(
        "<?xml version=\"1.0\"?><rss version=\"2.0\"><channel><title>Подкаст</title>{items}</channel></rss>"
    )
}

const FOLDER: &str = r#"<?xml version="1.0"?><d:multistatus xmlns:d="DAV:">
<d:response><d:href>/dav/</d:href><d:propstat><d:prop><d:resourcetype><d:collection/></d:resourcetype></d:prop></d:propstat></d:response>
<d:response><d:href>/dav/%D0%9D%D0%B0%D1%80%D0%B0%D0%B4%D0%B0%201.wav</d:href><d:propstat><d:prop><d:resourcetype/><d:getetag>"1"</d:getetag></d:prop></d:propstat></d:response>
<d:response><d:href>/etc/passwd.wav</d:href><d:propstat><d:prop><d:resourcetype/><d:getetag>"1"</d:getetag></d:prop></d:propstat></d:response>
<d:response><d:href>/dav/notes.txt</d:href><d:propstat><d:prop><d:resourcetype/></d:prop></d:propstat></d:response>
</d:multistatus>"#;

const BUCKET: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>talks</Name><Prefix>2026/</Prefix>
<KeyCount>3</KeyCount><MaxKeys>1000</MaxKeys><IsTruncated>false</IsTruncated>
<Contents><Key>2026/</Key><LastModified>2026-05-20T10:00:00.000Z</LastModified><ETag>"0"</ETag><Size>0</Size><StorageClass>STANDARD</StorageClass></Contents>
<Contents><Key>2026/a talk.wav</Key><LastModified>2026-05-20T10:00:00.000Z</LastModified><ETag>"1"</ETag><Size>4</Size><StorageClass>STANDARD</StorageClass></Contents>
<Contents><Key>2025/old.wav</Key><LastModified>2025-05-20T10:00:00.000Z</LastModified><ETag>"2"</ETag><Size>4</Size><StorageClass>STANDARD</StorageClass></Contents>
</ListBucketResult>"#;

const MIXED: &str = r#"<?xml version="1.0"?><d:multistatus xmlns:d="DAV:">
<d:response><d:href>/mixed/a.wav</d:href><d:propstat><d:prop><d:resourcetype/><d:getetag>"1"</d:getetag></d:prop></d:propstat></d:response>
<d:response><d:href>/mixed/b.wav</d:href><d:propstat><d:prop><d:resourcetype/><d:getetag>"1"</d:getetag></d:prop></d:propstat></d:response>
</d:multistatus>"#;

async fn answer(request: ReceivedRequest, mut stream: TcpStream, episodes: usize) {
    let path = request.path.split('?').next().unwrap_or_default();
    let authorised = request
        .headers
        .get("authorization")
        .is_some_and(|it| it == BASIC);
    let body = match (request.method.as_str(), path) {
        ("GET", "/feed.xml" | "/moved.xml") => feed(episodes).into_bytes(),
        ("GET", "/odd.xml") => feed(1)
            .replace("/audio/1.wav", "http://a..b/1.wav")
            .into_bytes(),
        ("GET", "/page") => b"<!doctype html><title>Not a feed</title>".to_vec(),
        ("GET", "/talks/") => BUCKET.as_bytes().to_vec(),
        ("GET", "/mixed/a.wav") => {
            return reply(&mut stream, "503 Service Unavailable", &[], b"").await;
        }
        ("GET", path) if path.ends_with(".wav") => {
            if path.starts_with("/dav/") && !authorised {
                return reply(&mut stream, "401 Unauthorized", &[], b"").await;
            }
            tone(440.0, 2.0)
        }
        ("PROPFIND", "/dav/") if authorised => {
            return reply(&mut stream, "207 Multi-Status", &[], FOLDER.as_bytes()).await;
        }
        ("PROPFIND", "/mixed/") => {
            return reply(&mut stream, "207 Multi-Status", &[], MIXED.as_bytes()).await;
        }
        ("PROPFIND", _) => return reply(&mut stream, "401 Unauthorized", &[], b"").await,
        (_, "/forbidden") => return reply(&mut stream, "403 Forbidden", &[], b"").await,
        (_, "/broken") => return reply(&mut stream, "500 Internal Server Error", &[], b"").await,
        _ => return reply(&mut stream, "404 Not Found", &[], b"").await,
    };
    let length = format!("Content-Length: {}", body.len());
    reply(&mut stream, "200 OK", &[&length], &body).await;
}

/// Runs `test` with a server that may fetch from another one, and a user.
pub fn with_remote<F: AsyncFnOnce(&TestServer, &TestUser, &Remote)>(backend: Backend, test: F) {
    with_remote_and_admin(backend, async |server, _admin, ada, remote| {
        test(server, ada, remote).await;
    });
}

/// [`with_remote`], with an administrator.
pub fn with_remote_and_admin<F>(backend: Backend, test: F)
where
    F: AsyncFnOnce(&TestServer, &TestUser, &TestUser, &Remote),
{
    let episodes = Arc::new(AtomicUsize::new(2));
    let published = Arc::clone(&episodes);
    let (held, holding) = watch::channel(false);
    let (_runtime, server) = remote_server(move |request, stream| {
        let (episodes, mut holding) = (published.load(Ordering::SeqCst), holding.clone());
        async move {
            let _ = holding.wait_for(|held| !held).await;
            answer(request, stream, episodes).await;
        }
    });
    let remote = Remote {
        server,
        episodes,
        held,
    };
    let place = remote.server.place();
    with_server_options(backend, &["--fetch-allow", &place], async |server| {
        let admin = server.signup("admin@example.com").await;
        let ada = server.signup("ada@example.com").await;
        test(&server, &admin, &ada, &remote).await;
    });
}

/// Runs `test` with a server that may watch a folder, an administrator and a user.
pub fn with_users<F: AsyncFnOnce(&TestServer, &TestUser, &TestUser, &Path)>(
    backend: Backend,
    test: F,
) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().canonicalize().unwrap();
    let options = ["--watched-folder", path.to_str().unwrap()];
    with_server_options(backend, &options, async |server| {
        let admin = server.signup("admin@example.com").await;
        let ada = server.signup("ada@example.com").await;
        test(&server, &admin, &ada, &path).await;
    });
}

pub fn write_tone(path: &Path) {
    std::fs::write(path, tone(440.0, 2.0)).unwrap();
}

pub fn file_source(folder: &Path) -> Value {
    json!({"name": "Диктофон", "kind": "folder", "location": folder.to_str().unwrap(),
        "is_active": true})
}

pub async fn try_add(server: &TestServer, who: &TestUser, form: &Value) -> Answer {
    server.post_as(who, SOURCES, form).await
}

/// Adds a source; returns its id.
pub async fn add(server: &TestServer, who: &TestUser, form: &Value) -> String {
    let added = try_add(server, who, form).await;
    assert_eq!(added.status, StatusCode::CREATED, "{}", added.text());
    added.json()["id"].as_str().unwrap().to_owned()
}

/// Adds the feed.
pub async fn podcast(
    server: &TestServer,
    who: &TestUser,
    remote: &Remote,
    take_existing: bool,
) -> String {
    let form = json!({"name": "Подкаст", "kind": "podcast", "location": remote.url("/feed.xml"),
        "is_active": true, "take_existing": take_existing});
    add(server, who, &form).await
}

/// Adds a folder with a recording that cannot be read and one that can.
pub async fn mixed(
    server: &TestServer,
    who: &TestUser,
    remote: &Remote,
    preset: Option<&Value>,
) -> String {
    let form = json!({"name": "Хмара", "kind": "webdav", "location": remote.url("/mixed/"),
        "is_active": true, "take_existing": true, "preset_id": preset});
    add(server, who, &form).await
}

/// Has a source looked at now.
pub async fn check(server: &TestServer, who: &TestUser, id: &str) {
    let answer = server
        .post_as(who, &format!("{SOURCES}/{id}/check"), &json!({}))
        .await;
    assert_eq!(answer.status, StatusCode::ACCEPTED, "{}", answer.text());
    assert!(look(server).await);
}

/// Looks at the source that has been due for longest. `false` if none is due.
pub async fn look(server: &TestServer) -> bool {
    look_once(&server.state).await.unwrap()
}

pub async fn source(server: &TestServer, who: &TestUser, id: &str) -> Value {
    server.get_as(who, &format!("{SOURCES}/{id}")).await.json()
}

/// What was found, the newest first.
pub async fn recordings(server: &TestServer, who: &TestUser, id: &str) -> Vec<Value> {
    let answer = server
        .get_as(who, &format!("{SOURCES}/{id}/recordings"))
        .await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
    answer.json()["items"].as_array().unwrap().clone()
}

/// Signs ada in again: access tokens expire when the clock moves on.
pub async fn sign_in(server: &TestServer) -> TestUser {
    let session = server.login("ada@example.com", PASSWORD).await;
    TestUser::from(&session.json())
}

/// The recordings in the library.
pub async fn jobs(server: &TestServer, who: &TestUser) -> Vec<Value> {
    let answer = server.get_as(who, "/api/v1/jobs").await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
    answer.json()["items"].as_array().unwrap().clone()
}
