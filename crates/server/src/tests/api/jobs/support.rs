//! Helpers for the tests of jobs.

use axum::body::{Body, to_bytes};
use axum::http::{Method, StatusCode};
use axum::response::Response;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};

use crate::testing::{Answer, TestServer, TestUser};

/// Uploads a file; returns its id.
pub async fn upload(server: &TestServer, who: &TestUser, name: &str, bytes: &[u8]) -> String {
    let answer = try_upload(server, who, name, bytes).await;
    assert_eq!(
        answer.status,
        StatusCode::CREATED,
        "{name}: {}",
        answer.text()
    );
    answer
        .header("location")
        .rsplit('/')
        .next()
        .unwrap()
        .to_owned()
}

/// Uploads a file in one request.
pub async fn try_upload(server: &TestServer, who: &TestUser, name: &str, bytes: &[u8]) -> Answer {
    let request = server
        .request(Method::POST, "/api/v1/uploads", who)
        .header("tus-resumable", "1.0.0")
        .header("content-type", "application/offset+octet-stream")
        .header("content-length", bytes.len())
        .header("upload-length", bytes.len())
        .header(
            "upload-metadata",
            format!("filename {}", BASE64_STANDARD.encode(name)),
        );
    server
        .send(request.body(Body::from(bytes.to_vec())).unwrap())
        .await
}

/// The words of a text in lower case.
pub fn words(text: &str) -> Vec<String> {
    let plain = text
        .to_lowercase()
        .replace(|c: char| !c.is_alphanumeric(), " ");
    plain.split_whitespace().map(str::to_owned).collect()
}

/// Lite supports English only.
pub fn lite() -> Value {
    json!({"transcription_type": "lite", "language_code": "en"})
}

/// Creates a job from a file; returns it.
pub async fn make_job(server: &TestServer, who: &TestUser, name: &str, bytes: &[u8]) -> Value {
    make_job_with(server, who, name, bytes, lite()).await
}

/// Creates a job with these settings.
pub async fn make_job_with(
    server: &TestServer,
    who: &TestUser,
    name: &str,
    bytes: &[u8],
    settings: Value,
) -> Value {
    let upload = upload(server, who, name, bytes).await;
    let body = json!({"upload_id": upload, "settings": settings});
    let answer = server.post_as(who, "/api/v1/jobs", &body).await;
    assert_eq!(answer.status, StatusCode::CREATED, "{}", answer.text());
    answer.json()
}

/// The path of a job.
pub fn path(job: &Value) -> String {
    format!("/api/v1/jobs/{}", job["my_job_id"].as_str().unwrap())
}

/// Sends a request without a body.
pub async fn send(server: &TestServer, who: &TestUser, method: Method, path: &str) -> Answer {
    server
        .send(
            server
                .request(method, path, who)
                .body(Body::empty())
                .unwrap(),
        )
        .await
}

/// Stops the worker, and waits until its tasks have ended.
pub async fn stop(server: &TestServer) {
    server.state.shutdown.cancel();
    server.state.tasks.close();
    server.state.tasks.wait().await;
}

/// All events of a job until its stream ends, as (name, data).
pub async fn events(server: &TestServer, who: &TestUser, job: &Value) -> Vec<(String, Value)> {
    rest_of(watch(server, who, job).await).await
}

/// Opens the event stream of a job; read its events with [`rest_of`].
pub async fn watch(server: &TestServer, who: &TestUser, job: &Value) -> Response {
    let path = format!("{}/events", path(job));
    let request = server.request(Method::GET, &path, who);
    let answer = server.open(request.body(Body::empty()).unwrap()).await;
    assert_eq!(answer.status(), StatusCode::OK);
    let kind = answer.headers()["content-type"].to_str().unwrap();
    assert!(kind.starts_with("text/event-stream"));
    answer
}

/// All events of an open stream until it ends.
pub async fn rest_of(watched: Response) -> Vec<(String, Value)> {
    let body = to_bytes(watched.into_body(), usize::MAX).await.unwrap();
    let text = String::from_utf8(body.to_vec()).unwrap();
    let mut events = Vec::new();
    for block in text.split("\n\n").filter(|block| block.contains("event: ")) {
        let field = |name: &str| {
            let line = block.lines().find_map(|line| line.strip_prefix(name));
            line.unwrap_or_else(|| panic!("no {name} in {block}"))
        };
        assert_eq!(
            field("id: "),
            events.len().to_string(),
            "numbered without a gap"
        );
        events.push((
            field("event: ").to_owned(),
            serde_json::from_str(field("data: ")).unwrap(),
        ));
    }
    events
}
