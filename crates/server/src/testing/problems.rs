//! Fails a test when an action gives a problem that the API's document does not list for it.

use std::path::Path;
use std::sync::LazyLock;
use std::time::UNIX_EPOCH;

use axum::body::{Body, to_bytes};
use axum::extract::{MatchedPath, Request};
use axum::http::{Method, header};
use axum::middleware::Next;
use axum::response::Response;
use serde_json::Value;
use slovo_rules::codes::ProblemCode;

use crate::openapi::{self, ListedCodes};

/// What the document lists. It is kept beside the test program: each test may be a process of its
/// own, and completing the document is a fifth of a short test.
static LISTED: LazyLock<ListedCodes> = LazyLock::new(|| {
    let program = std::env::current_exe().expect("a test is a program");
    let built = program.metadata().and_then(|file| file.modified());
    let built = built.expect("a program has a date");
    let built = built.duration_since(UNIX_EPOCH).expect("it is after 1970");
    let file = program.with_file_name(format!("problem-codes-{:x}", built.as_nanos()));
    let text = std::fs::read_to_string(&file).unwrap_or_else(|_| {
        let (_, document) = openapi::actions();
        let text = ListedCodes::text_of(&document);
        keep(&file, &text);
        text
    });
    ListedCodes::read(&text)
});

/// Atomic, because other processes may write the same file.
fn keep(file: &Path, text: &str) {
    let folder = file.parent().expect("a program has a folder");
    let scratch = tempfile::NamedTempFile::new_in(folder).expect("a file for the codes");
    std::fs::write(scratch.path(), text).expect("the codes can be written");
    scratch.persist(file).expect("the codes can be kept");
}

/// A layer around all routes.
pub(super) async fn listed(request: Request, next: Next) -> Response {
    let method = request.method().clone();
    let path = request.extensions().get::<MatchedPath>().cloned();
    let response = next.run(request).await;
    let kind = response.headers().get(header::CONTENT_TYPE);
    if method == Method::HEAD || kind.is_none_or(|kind| kind != "application/problem+json") {
        return response;
    }
    let (head, body) = response.into_parts();
    let body = to_bytes(body, usize::MAX).await.unwrap();
    let problem: Value = serde_json::from_slice(&body).unwrap();
    let code = ProblemCode::parse(problem["code"].as_str().unwrap()).unwrap();
    let path = path.as_ref().map_or("", MatchedPath::as_str);
    let status = head.status.as_str();
    assert!(
        LISTED.permits(&method, path, status, code),
        "{method} {path} gives {status} {code}, which its description does not list"
    );
    Response::from_parts(head, Body::from(body))
}
