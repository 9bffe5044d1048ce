//! For tests: a remote server whose responses the test writes byte by byte, and a script in place
//! of yt-dlp.

#![expect(
    clippy::unwrap_used,
    reason = "support for tests: what cannot be done fails the test"
)]

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio_util::task::AbortOnDropHandle;

/// One request.
#[derive(Clone, Debug)]
pub struct ReceivedRequest {
    /// Method.
    pub method: String,
    /// Path and query.
    pub path: String,
    /// Headers by lower-case name.
    pub headers: BTreeMap<String, String>,
}

impl ReceivedRequest {
    /// The first byte of the requested range.
    pub fn from(&self) -> usize {
        let range = self.headers.get("range").map_or("bytes=0-", String::as_str);
        let from = range.trim_start_matches("bytes=").split('-').next();
        from.unwrap().parse().unwrap()
    }
}

/// The server; ends when dropped.
pub struct RemoteServer {
    /// Where it listens.
    pub address: SocketAddr,
    requests: Arc<Mutex<Vec<ReceivedRequest>>>,
    _serving: AbortOnDropHandle<()>,
}

impl RemoteServer {
    /// A server that passes every connection to `answer`; the connection closes when that returns.
    pub async fn start<F, A>(answer: F) -> Self
    where
        F: Fn(ReceivedRequest, TcpStream) -> A + Send + Sync + 'static,
        A: Future<Output = ()> + Send + 'static,
    {
        Self::start_at("127.0.0.1:0", answer).await
    }

    /// [`RemoteServer::start`] at this address.
    pub async fn start_at<F, A>(address: &str, answer: F) -> Self
    where
        F: Fn(ReceivedRequest, TcpStream) -> A + Send + Sync + 'static,
        A: Future<Output = ()> + Send + 'static,
    {
        let listener = TcpListener::bind(address).await.unwrap();
        let address = listener.local_addr().unwrap();
        let received = Arc::new(Mutex::new(Vec::new()));
        let (all, answer) = (Arc::clone(&received), Arc::new(answer));
        let serving = tokio::spawn(async move {
            let mut connections = tokio::task::JoinSet::new();
            loop {
                let (mut stream, _) = listener.accept().await.unwrap();
                let (all, answer) = (Arc::clone(&all), Arc::clone(&answer));
                connections.spawn(async move {
                    if let Some(request) = read(&mut stream).await {
                        all.lock().unwrap().push(request.clone());
                        answer(request, stream).await;
                    }
                });
            }
        });
        Self {
            address,
            requests: received,
            _serving: AbortOnDropHandle::new(serving),
        }
    }

    /// All requests received so far.
    pub fn requests(&self) -> Vec<ReceivedRequest> {
        self.requests.lock().unwrap().clone()
    }

    /// Host and port.
    pub fn place(&self) -> String {
        self.address.to_string()
    }

    /// The URL of a path.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }
}

async fn read(stream: &mut TcpStream) -> Option<ReceivedRequest> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await.ok()?);
    }
    let head = String::from_utf8(head).unwrap();
    let mut lines = head.lines();
    let mut first = lines.next()?.split(' ');
    let (method, path) = (first.next()?.to_owned(), first.next()?.to_owned());
    let fields = lines.filter_map(|line| line.split_once(": "));
    let headers = fields.map(|(name, value)| (name.to_lowercase(), value.to_owned()));
    Some(ReceivedRequest {
        method,
        path,
        headers: headers.collect(),
    })
}

/// Sends a head and a body; ignores clients that have disconnected.
pub async fn reply(stream: &mut TcpStream, status: &str, headers: &[&str], body: &[u8]) {
    let mut head = format!("HTTP/1.1 {status}\r\nConnection: close\r\n");
    for header in headers {
        head += header;
        head += "\r\n";
    }
    let response = [head.as_bytes(), b"\r\n", body].concat();
    let _ = stream.write_all(&response).await;
    let _ = stream.shutdown().await;
}

/// A redirect.
pub async fn redirect(stream: &mut TcpStream, to: &str) {
    let location = format!("Location: {to}");
    reply(stream, "302 Found", &[&location, "Content-Length: 0"], b"").await;
}

/// A file, whole or the requested range, as a well-behaved server sends it.
pub async fn file(request: &ReceivedRequest, stream: &mut TcpStream, bytes: &[u8], tag: &str) {
    let tag_line = format!("ETag: {tag}");
    let same = request
        .headers
        .get("if-range")
        .is_none_or(|known| known == tag);
    let range = request.headers.get("range").filter(|_| same);
    let Some(range) = range else {
        let length = format!("Content-Length: {}", bytes.len());
        return reply(stream, "200 OK", &[&length, &tag_line], bytes).await;
    };
    let (_, last) = range.trim_start_matches("bytes=").split_once('-').unwrap();
    let from = request.from();
    let end = last
        .parse()
        .map_or(bytes.len(), |last: usize| (last + 1).min(bytes.len()));
    let part = &bytes[from..end];
    let length = format!("Content-Length: {}", part.len());
    let place = format!("Content-Range: bytes {from}-{}/{}", end - 1, bytes.len());
    let headers = [length.as_str(), &place, &tag_line];
    reply(stream, "206 Partial Content", &headers, part).await;
}

/// A shell script in this folder that stands in for `yt-dlp`.
pub fn script(folder: &std::path::Path, body: &str) -> std::path::PathBuf {
    use std::os::unix::fs::PermissionsExt;
    let path = folder.join("yt-dlp");
    std::fs::write(&path, format!("#!/bin/sh\n{body}\n")).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path
}
