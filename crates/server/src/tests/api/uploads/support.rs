//! Helpers for the tests of uploads.

use axum::body::{Body, Bytes};
use axum::http::request::Builder;
use axum::http::{Method, StatusCode};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use futures_util::stream;
use slovo_test_media::prompts::WELCOME;

use crate::testing::{Answer, TestServer, TestUser};

pub fn wav() -> Vec<u8> {
    std::fs::read(WELCOME.path()).unwrap()
}

pub fn tus(server: &TestServer, who: &TestUser, method: Method, path: &str) -> Builder {
    server
        .request(method, path, who)
        .header("tus-resumable", "1.0.0")
}

pub async fn create_named(server: &TestServer, who: &TestUser, size: u64, name: &str) -> Answer {
    let request = tus(server, who, Method::POST, "/api/v1/uploads")
        .header("upload-length", size)
        .header(
            "upload-metadata",
            format!("filename {}", BASE64_STANDARD.encode(name)),
        );
    server.send(request.body(Body::empty()).unwrap()).await
}

/// Creates an upload; returns its path.
pub async fn create(server: &TestServer, who: &TestUser, size: usize) -> String {
    let answer = create_named(server, who, size as u64, "talk.wav").await;
    assert_eq!(answer.status, StatusCode::CREATED, "{}", answer.text());
    answer.header("location").to_owned()
}

pub fn patch(server: &TestServer, who: &TestUser, path: &str, offset: usize) -> Builder {
    tus(server, who, Method::PATCH, path)
        .header("content-type", "application/offset+octet-stream")
        .header("upload-offset", offset)
}

pub async fn append(
    server: &TestServer,
    who: &TestUser,
    path: &str,
    at: usize,
    bytes: &[u8],
) -> Answer {
    let request = patch(server, who, path, at).header("content-length", bytes.len());
    server
        .send(request.body(Body::from(bytes.to_vec())).unwrap())
        .await
}

pub async fn offset(server: &TestServer, who: &TestUser, path: &str) -> usize {
    let head = tus(server, who, Method::HEAD, path)
        .body(Body::empty())
        .unwrap();
    let answer = server.send(head).await;
    assert_eq!(answer.status, StatusCode::OK);
    assert_eq!(answer.header("cache-control"), "no-store");
    answer.header("upload-offset").parse().unwrap()
}

/// A body that sends these bytes and then fails.
pub fn broken(bytes: &[u8]) -> Body {
    let bytes = Bytes::copy_from_slice(bytes);
    Body::from_stream(stream::iter(
        [Ok(bytes), Err(std::io::ErrorKind::ConnectionReset)]
            .map(|item: Result<Bytes, std::io::ErrorKind>| item.map_err(std::io::Error::from)),
    ))
}

pub fn files(server: &TestServer) -> Vec<Vec<u8>> {
    let media = server.state.config.data().join("media");
    let entries = std::fs::read_dir(media).unwrap();
    entries
        .map(|entry| std::fs::read(entry.unwrap().path()).unwrap())
        .collect()
}

/// Creates an upload with deferred length; returns its path.
pub async fn defer(server: &TestServer, who: &TestUser, kind: &str) -> String {
    let metadata = format!(
        "filename dGFsay53YXY=,kind {}",
        BASE64_STANDARD.encode(kind)
    );
    let request = tus(server, who, Method::POST, "/api/v1/uploads")
        .header("upload-defer-length", "1")
        .header("upload-metadata", metadata);
    let answer = server.send(request.body(Body::empty()).unwrap()).await;
    assert_eq!(answer.status, StatusCode::CREATED, "{}", answer.text());
    answer.header("location").to_owned()
}

/// Declares an upload's length without sending bytes.
pub async fn declare(
    server: &TestServer,
    who: &TestUser,
    path: &str,
    at: usize,
    length: &str,
) -> Answer {
    let request = patch(server, who, path, at)
        .header("content-length", 0)
        .header("upload-length", length);
    server.send(request.body(Body::empty()).unwrap()).await
}

pub async fn head(server: &TestServer, who: &TestUser, path: &str) -> Answer {
    let request = tus(server, who, Method::HEAD, path);
    server.send(request.body(Body::empty()).unwrap()).await
}
