//! The cookie that a browser keeps from the beginning of a sign-in until the page has the session;
//! it is sent only with these actions.

use axum::http::HeaderMap;
use slovo_app::http::cookies::values;
use slovo_app::state::AppState;

const NAME: &str = "slovo.openid";

/// The value of the cookie that this browser sent; `None` if it sent two of that name, because it
/// is unclear which one is ours.
pub(super) fn cookie(headers: &HeaderMap) -> Option<&str> {
    let mut values = values(headers, NAME);
    let (value, None) = (values.next()?, values.next()) else {
        return None;
    };
    Some(value)
}

/// The header that sets the cookie for this number of seconds.
pub(super) fn set_cookie(state: &AppState, value: &str, seconds: i64) -> String {
    let https = state.config.public_url().is_https();
    let secure = if https { "; Secure" } else { "" };
    format!(
        "{NAME}={value}; Path=/api/v1/auth/google; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}"
    )
}

/// The header that removes the cookie.
pub(super) fn clear_cookie(state: &AppState) -> String {
    set_cookie(state, "", 0)
}

#[cfg(test)]
mod tests {
    use axum::http::{HeaderValue, header};

    use super::*;

    #[test]
    fn a_duplicate_cookie_invalidates_both() {
        let read = |lines: &[&'static str]| {
            let mut headers = HeaderMap::new();
            for line in lines {
                headers.append(header::COOKIE, HeaderValue::from_static(line));
            }
            cookie(&headers).map(str::to_owned)
        };
        assert_eq!(read(&["a=b; slovo.openid=x=y"]).as_deref(), Some("x=y"));
        assert_eq!(read(&["xslovo.openid=1", "slovo.openid2=1", "a"]), None);
        assert_eq!(read(&["slovo.openid=1; slovo.openid=2"]), None);
        assert_eq!(read(&["slovo.openid=1", "slovo.openid=2"]), None);
    }
}
