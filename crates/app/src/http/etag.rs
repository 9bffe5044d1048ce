//! Conditional requests: whether the client already has the current version.

use axum::http::{HeaderMap, HeaderValue, header};

/// Whether If-None-Match names this ETag (RFC 9110, section 13.1.2; compared weakly).
#[must_use]
pub fn is_known(request_headers: &HeaderMap, etag: &HeaderValue) -> bool {
    let known = request_headers
        .get(header::IF_NONE_MATCH)
        .and_then(|known| known.to_str().ok());
    known.is_some_and(|known| {
        known.split(',').map(str::trim).any(|known| {
            known == "*" || known.strip_prefix("W/").unwrap_or(known).as_bytes() == etag.as_bytes()
        })
    })
}
