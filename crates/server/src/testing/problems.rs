//! Fails a test when an action gives a problem that the API's document does not list for it.

use std::sync::LazyLock;

use axum::body::{Body, to_bytes};
use axum::extract::{MatchedPath, Request};
use axum::http::{Method, header};
use axum::middleware::Next;
use axum::response::Response;
use serde_json::Value;
use slovo_rules::codes::ProblemCode;
use utoipa::openapi::OpenApi;

use crate::openapi;

static DOCUMENT: LazyLock<OpenApi> = LazyLock::new(|| {
    let (_, document) = openapi::actions();
    LazyLock::force(&document).clone()
});

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
        openapi::may_give(&DOCUMENT, &method, path, status, code),
        "{method} {path} gives {status} {code}, which its description does not list"
    );
    Response::from_parts(head, Body::from(body))
}
