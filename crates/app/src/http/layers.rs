//! The layers around all routes.

use std::time::Duration;

use axum::Router;
use axum::http::{Extensions, HeaderMap, StatusCode, Version, header};
use axum::middleware::from_fn_with_state;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{Predicate, SizeAbove};
use tower_http::timeout::TimeoutLayer;
use utoipa_axum::router::OpenApiRouter;

use crate::http::edge;
use crate::state::AppState;

/// Time limit of an ordinary action, in seconds. The slowest wait for other password hashes (a
/// tenth of a second each) and for the database (10 s).
const TIME_LIMIT_SECONDS: u64 = 30;

/// Smaller responses are not compressed: they fit into one packet.
const MIN_COMPRESSED: u64 = 1024;

/// Limits the time until actions of this router respond. Not for uploads, event streams and media.
#[must_use]
pub fn time_limit(router: OpenApiRouter<AppState>) -> OpenApiRouter<AppState> {
    let limit = Duration::from_secs(TIME_LIMIT_SECONDS);
    router.layer(TimeoutLayer::with_status_code(
        StatusCode::GATEWAY_TIMEOUT,
        limit,
    ))
}

/// Adds the layers to the routes. Compression is the outermost, because the edge rewrites problem
/// documents.
pub fn finish(routes: Router<AppState>, state: AppState) -> Router {
    let compression =
        CompressionLayer::new().compress_when(SizeAbove::new(MIN_COMPRESSED).and(is_text));
    routes
        .layer(from_fn_with_state(state.clone(), edge::edge))
        .layer(compression)
        .with_state(state)
}

/// Media is already compressed, and compression would delay an event stream.
fn is_text(_: StatusCode, _: Version, headers: &HeaderMap, _: &Extensions) -> bool {
    let kind = headers
        .get(header::CONTENT_TYPE)
        .and_then(|kind| kind.to_str().ok());
    let kind = kind
        .and_then(|kind| kind.split(';').next())
        .unwrap_or_default()
        .trim();
    match kind {
        "text/event-stream" => false,
        "application/json"
        | "application/problem+json"
        | "application/wasm"
        | "application/javascript"
        | "application/manifest+json"
        | "image/svg+xml" => true,
        _ => kind.starts_with("text/"),
    }
}
