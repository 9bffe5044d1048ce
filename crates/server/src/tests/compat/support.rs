//! Forms as clients send them.

use axum::body::Body;
use axum::http::{Method, Request, header};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use slovo_db::jobs::{Filter, Job};
use slovo_test_media::prompts;

use crate::testing::{Answer, TestServer, TestUser};
use crate::tests::api::jobs::support::words;
use crate::tests::api::me::api_keys::program;

pub const TRANSCRIPTIONS: &str = "/v1/audio/transcriptions";
pub const BOUNDARY: &str = "a-boundary-of-the-tests";

/// A part of a form: a field, or a file with its name.
pub enum Part<'a> {
    Field(&'a str, &'a str),
    File(&'a str, &'a str, &'a [u8]),
}

/// The body of a form.
pub fn form(parts: &[Part<'_>]) -> Vec<u8> {
    let mut body = Vec::new();
    for part in parts {
        let (head, content): (String, &[u8]) = match part {
            Part::Field(name, value) => (format!("name=\"{name}\""), value.as_bytes()),
            Part::File(name, file, bytes) => {
                let kind = "\r\ncontent-type: application/octet-stream";
                (format!("name=\"{name}\"; filename=\"{file}\"{kind}"), bytes)
            }
        };
        let head = format!("--{BOUNDARY}\r\ncontent-disposition: form-data; {head}\r\n\r\n");
        body.extend_from_slice(head.as_bytes());
        body.extend_from_slice(content);
        body.extend_from_slice(b"\r\n");
    }
    body.extend_from_slice(format!("--{BOUNDARY}--\r\n").as_bytes());
    body
}

/// A request with a form.
pub fn request(server: &TestServer, who: &TestUser, path: &str, body: Body) -> Request<Body> {
    let kind = format!("multipart/form-data; boundary={BOUNDARY}");
    let request = server.request(Method::POST, path, who);
    request
        .header(header::CONTENT_TYPE, kind)
        .body(body)
        .unwrap()
}

/// Sends a form.
pub async fn send(server: &TestServer, who: &TestUser, path: &str, parts: &[Part<'_>]) -> Answer {
    let body = Body::from(form(parts));
    server.send(request(server, who, path, body)).await
}

/// A program whose key may transcribe and read.
pub async fn transcriber(server: &TestServer) -> TestUser {
    let me = server.signup("a@example.com").await;
    program(server, &me, &["transcribe", "read"]).await.0
}

/// Whether most words of the prompt are in the text.
pub fn assert_welcome(text: &str) {
    let (heard, expected) = (words(text), words(prompts::WELCOME.text));
    let found = expected.iter().filter(|word| heard.contains(word)).count();
    assert!(found * 10 >= expected.len() * 7, "{text}");
}

/// A request with the key as the password, as clients send it whose settings have only an address.
pub fn with_password(who: &TestUser, path: &str) -> axum::http::request::Builder {
    let credentials = BASE64_STANDARD.encode(format!("slovo:{}", who.access_token));
    Request::post(path).header(header::AUTHORIZATION, format!("Basic {credentials}"))
}

/// The samples of the short recording, without a header: 16 bits, 16,000 per second.
pub fn samples() -> Vec<u8> {
    let made = std::process::Command::new("ffmpeg")
        .args(["-v", "error", "-i"])
        .arg(prompts::WELCOME.path())
        .args(["-f", "s16le", "-ac", "1", "-ar", "16000", "-"])
        .output()
        .unwrap();
    assert!(made.status.success());
    made.stdout
}

/// The bytes of a short recording of speech.
pub fn speech() -> Vec<u8> {
    std::fs::read(prompts::WELCOME.path()).unwrap()
}

/// The jobs of the account. Read from the database: whoever waits for something reads it often, and
/// requests with a key are limited.
pub async fn jobs(server: &TestServer, who: &TestUser) -> Vec<Job> {
    let filter = Filter {
        limit: 100,
        ..Filter::default()
    };
    let mut connection = server.state.db.read().await.unwrap();
    let found = slovo_db::jobs::list(&mut connection, &who.user_id, &filter).await;
    found.unwrap()
}

/// The number of jobs and of uploads that the account has.
pub async fn left(server: &TestServer, who: &TestUser) -> (usize, usize) {
    let uploads = server.state.uploads.list(&who.user_id).await.unwrap();
    (jobs(server, who).await.len(), uploads.len())
}
