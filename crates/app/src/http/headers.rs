//! Headers of pages and responses that are open to anyone with the link.

use axum::http::header::{self, HeaderName, HeaderValue};

/// Search engines must not index it or follow its links.
pub const ROBOTS: (HeaderName, HeaderValue) = (
    HeaderName::from_static("x-robots-tag"),
    HeaderValue::from_static("noindex, nofollow"),
);
/// Browsers must not send its URL to the sites that it links to: it contains the link's token.
pub const REFERRER: (HeaderName, HeaderValue) = (
    header::REFERRER_POLICY,
    HeaderValue::from_static("no-referrer"),
);
