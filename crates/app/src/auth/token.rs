//! The token or key that a request is sent with.

use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;

use crate::protocols::takes_their_keys;

/// What a request proves its caller with.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// An access token or an API key.
    Any(String),
    /// An API key, sent in a way that only other services' protocols have.
    Key(String),
}

impl std::ops::Deref for Token {
    type Target = str;

    fn deref(&self) -> &str {
        match self {
            Self::Any(token) | Self::Key(token) => token,
        }
    }
}

/// The token of the only `Authorization` header. `Bearer` everywhere; for the protocols of other
/// services also `Token` (Deepgram's clients) and `Basic`, where the key is the password: many
/// clients take only an address, which may be `https://slovo:key@host`.
pub(super) fn token(parts: &Parts) -> Option<Token> {
    let mut values = parts.headers.get_all(header::AUTHORIZATION).iter();
    let (value, None) = (values.next()?, values.next()) else {
        return None;
    };
    let (scheme, token) = value.to_str().ok()?.split_once(' ')?;
    let token = token.trim();
    // The scheme's case does not matter (RFC 9110).
    match scheme.to_ascii_lowercase().as_str() {
        "bearer" => Some(Token::Any(token.to_owned())),
        "token" if takes_their_keys(parts.uri.path()) => Some(Token::Key(token.to_owned())),
        "basic" if takes_their_keys(parts.uri.path()) && !is_of_page(&parts.headers) => {
            password(token).map(Token::Key)
        }
        _ => None,
    }
}

/// Whether a page of a browser sends the request. A browser adds a password that it remembers to the
/// requests of any page, so it would not show that the user wants this one.
fn is_of_page(headers: &HeaderMap) -> bool {
    headers.contains_key("sec-fetch-site") || headers.contains_key(header::ORIGIN)
}

/// The password of a Basic header (RFC 7617).
fn password(credentials: &str) -> Option<String> {
    let decoded = BASE64_STANDARD.decode(credentials).ok()?;
    let text = String::from_utf8(decoded).ok()?;
    let (_, password) = text.split_once(':')?;
    Some(password.to_owned())
}

#[cfg(test)]
mod tests {
    use axum::http::Request;

    use super::*;

    fn sent(path: &str, headers: &[(&str, &str)]) -> Option<Token> {
        let mut request = Request::builder().uri(path);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let (parts, ()) = request.body(()).unwrap().into_parts();
        token(&parts)
    }

    #[test]
    fn keys_are_taken_as_each_protocol_sends_them() {
        let basic = format!("Basic {}", BASE64_STANDARD.encode("slovo:slv_1"));
        let key = || Some(Token::Key("slv_1".to_owned()));
        let any = || Some(Token::Any("slv_1".to_owned()));
        for path in ["/api/v1/jobs", "/v1/listen", "/asr"] {
            assert_eq!(sent(path, &[("authorization", "bEARER  slv_1")]), any());
        }
        for path in ["/v1/listen", "/asr", "/detect-language", "/inference"] {
            assert_eq!(sent(path, &[("authorization", "Token slv_1")]), key());
            assert_eq!(sent(path, &[("authorization", &basic)]), key());
        }
        for header in ["Token slv_1", &basic] {
            assert_eq!(sent("/api/v1/jobs", &[("authorization", header)]), None);
        }
    }

    #[test]
    fn a_page_cannot_use_a_remembered_password() {
        let basic = format!("Basic {}", BASE64_STANDARD.encode("slovo:slv_1"));
        for (name, value) in [("sec-fetch-site", "cross-site"), ("origin", "https://x")] {
            let headers = [("authorization", basic.as_str()), (name, value)];
            assert_eq!(sent("/asr", &headers), None, "{name}");
        }
    }

    #[test]
    fn malformed_and_repeated_headers_have_no_token() {
        for value in [
            "",
            "slv_1",
            "Basic !!",
            "Basic c2xvdm8=",
            "Digest x",
            "Basic /w==",
        ] {
            assert_eq!(sent("/asr", &[("authorization", value)]), None, "{value}");
        }
        let twice = [("authorization", "Bearer a"), ("authorization", "Bearer b")];
        assert_eq!(sent("/asr", &twice), None);
    }
}
