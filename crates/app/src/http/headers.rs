//! Headers of pages and answers that are open to whoever has their link.

use axum::http::header::{self, HeaderName, HeaderValue};

/// Search engines do not index it, nor follow its links.
pub const ROBOTS: (HeaderName, HeaderValue) = (
    HeaderName::from_static("x-robots-tag"),
    HeaderValue::from_static("noindex, nofollow"),
);
/// Browsers do not send its address to the sites that it links to: it holds the link's token.
pub const REFERRER: (HeaderName, HeaderValue) = (
    header::REFERRER_POLICY,
    HeaderValue::from_static("no-referrer"),
);
