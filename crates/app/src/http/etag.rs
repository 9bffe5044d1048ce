//! Conditional requests: whether the client already has the current version, or means it.

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

/// Whether a change is wanted for this ETag: If-Match is absent, `*` or names it (RFC 9110, section
/// 13.1.1). Weak ones match, too: they name a state rather than bytes, and a proxy that compresses
/// makes them weak.
#[must_use]
pub fn is_meant(request_headers: &HeaderMap, etag: &HeaderValue) -> bool {
    let mut wanted = request_headers.get_all(header::IF_MATCH).iter().peekable();
    let names_it = |value: &HeaderValue| {
        let mut names = value.as_bytes().split(|byte| *byte == b',');
        names.any(|name| {
            let name = name.trim_ascii();
            name == b"*" || name.strip_prefix(b"W/").unwrap_or(name) == etag.as_bytes()
        })
    };
    wanted.peek().is_none() || wanted.any(names_it)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_meant_for_the_state_that_it_names() {
        let etag = HeaderValue::from_static("\"1.2\"");
        let of = |values: &[&'static str]| {
            let mut headers = HeaderMap::new();
            for value in values {
                headers.append(header::IF_MATCH, HeaderValue::from_static(value));
            }
            is_meant(&headers, &etag)
        };
        for meant in [
            &[][..],
            &["*"],
            &["\"1.2\""],
            &["\"1.1\", \"1.2\""],
            &["\"9\"", "W/\"1.2\""],
        ] {
            assert!(of(meant), "{meant:?}");
        }
        for other in [&[""][..], &["\"1.1\""], &["1.2"], &["\"1.20\""]] {
            assert!(!of(other), "{other:?}");
        }
    }
}
