//! `GET /api/v1/auth/google/mark`: the provider's logo for the sign-in button.

use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use slovo_app::http::{Document, Problem, is_known};
use slovo_app::state::AppState;

/// Its path.
pub(in crate::auth) const MARK_PATH: &str = "/api/v1/auth/google/mark";

/// If an SVG is opened as a page, it must neither run scripts nor load anything. Inline styles are
/// allowed for its colours.
const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox";

/// Returns the sign-in provider's mark: an SVG, PNG or WebP image of at most 64 KiB.
#[utoipa::path(get, path = "/google/mark", tag = "auth", operation_id = "get_google_mark",
    security(()),
    responses(
        (status = OK, content(([u8] = "image/svg+xml"), ([u8] = "image/png"), ([u8] = "image/webp"))),
        (status = NOT_MODIFIED, description = "If-None-Match names what is there"),
        (status = NOT_FOUND, body = Document, description = "not_found: there is none"),
    ))]
pub(super) async fn mark(
    State(state): State<AppState>,
    request_headers: HeaderMap,
) -> Result<Response, Problem> {
    let switches = state.settings.current().await?.switches;
    let openid = state.openid.as_ref().filter(|_| switches.google);
    let mark = openid.and(state.openid_mark.as_ref());
    let mark = mark.ok_or_else(Problem::not_found)?;
    let etag = HeaderValue::try_from(&mark.etag).map_err(Problem::internal)?;
    let mut headers = HeaderMap::from_iter([
        (header::ETAG, etag.clone()),
        (
            header::CACHE_CONTROL,
            HeaderValue::from_static("public, max-age=3600"),
        ),
        (
            header::CONTENT_SECURITY_POLICY,
            HeaderValue::from_static(POLICY),
        ),
    ]);
    if is_known(&request_headers, &etag) {
        return Ok((StatusCode::NOT_MODIFIED, headers).into_response());
    }
    let kind = HeaderValue::from_static(mark.content_type);
    headers.insert(header::CONTENT_TYPE, kind);
    Ok((headers, mark.image.clone()).into_response())
}
