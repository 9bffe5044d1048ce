//! The layers around all routes.

use std::time::Duration;

use axum::Router;
use axum::http::request::Parts;
use axum::http::{Extensions, HeaderMap, HeaderName, HeaderValue, StatusCode, Version, header};
use axum::middleware::from_fn_with_state;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{Predicate, SizeAbove};
use tower_http::cors::{AllowHeaders, AllowMethods, AllowOrigin, CorsLayer};
use tower_http::timeout::TimeoutLayer;
use utoipa_axum::router::OpenApiRouter;

use crate::config::CorsOrigin;
use crate::http::edge;
use crate::protocols::is_for_programs;
use crate::state::AppState;

/// Time limit of an ordinary action, in seconds. The slowest wait for other password hashes (a
/// tenth of a second each) and for the database (10 s).
const TIME_LIMIT_SECONDS: u64 = 30;

/// Smaller responses are not compressed: they fit into one packet.
const MIN_COMPRESSED: u64 = 1024;

/// Headers of responses that pages of other origins may read.
const EXPOSED: [&str; 11] = [
    "content-disposition",
    "etag",
    "location",
    "ratelimit",
    "ratelimit-policy",
    "retry-after",
    "tus-max-size",
    "upload-length",
    "upload-offset",
    "www-authenticate",
    "x-request-id",
];

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
    let routes = routes
        .layer(from_fn_with_state(state.clone(), edge::edge))
        .layer(compression);
    // Preflights are answered before everything else.
    match cors(&state) {
        Some(cors) => routes.layer(cors),
        None => routes,
    }
    .with_state(state)
}

/// Permits the configured pages to call the API. Without cookies: they call it with a key, and
/// never in the name of who is signed in here.
fn cors(state: &AppState) -> Option<CorsLayer> {
    let origins = state.config.http.cors_origins.iter();
    let origins: Vec<_> = origins.filter_map(CorsOrigin::header).collect();
    if origins.is_empty() {
        return None;
    }
    let is_api = move |origin: &HeaderValue, request: &Parts| {
        let path = request.uri.path();
        is_for_programs(path) && origins.contains(origin)
    };
    let cors = CorsLayer::new()
        .allow_origin(AllowOrigin::predicate(is_api))
        .allow_methods(AllowMethods::mirror_request())
        .allow_headers(AllowHeaders::mirror_request())
        .expose_headers(EXPOSED.map(HeaderName::from_static))
        .max_age(Duration::from_hours(1));
    Some(cors)
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
