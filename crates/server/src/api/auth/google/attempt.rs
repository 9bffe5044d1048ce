//! State of a sign-in while the browser is at the provider and until the page has the session: one
//! cookie, sent to these routes only.
//!
//! State, nonce and PKCE verifier are not in it: they are derived from its content with a key of
//! this server. So nothing has to be stored for sign-ins that are never completed.

use axum::http::{HeaderMap, header};
use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use jiff::Timestamp;
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation, decode, encode};
use serde::{Deserialize, Serialize};
use slovo_rules::locale::Locale;
use uuid::Uuid;

use super::start::{Begin, Intent};
use crate::auth::openid::Secrets;
use crate::auth::session::new_token;
use crate::state::AppState;
use slovo_platform::random::Random;
use slovo_platform::secret::Secret;

/// Time limit for signing in at the provider, in seconds.
pub(super) const ATTEMPT_SECONDS: i64 = 10 * 60;

const NAME: &str = "slovo.openid";

/// A sign-in that was started in this browser.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Attempt {
    /// 256 random bits.
    browser: String,
    pub intent: Intent,
    pub remember: bool,
    pub locale: Locale,
    /// The plan to request for a new account.
    pub plan: Option<Uuid>,
    /// Expiry, Unix seconds.
    exp: i64,
}

impl Attempt {
    pub fn new(random: &dyn Random, begin: &Begin, now: Timestamp) -> Self {
        Self {
            browser: new_token(random),
            intent: begin.intent,
            remember: begin.remember,
            locale: begin.locale,
            plan: begin.plan,
            exp: now.as_second() + ATTEMPT_SECONDS,
        }
    }

    /// The cookie's value: signed (JWT, HS256).
    pub fn seal(&self, secret: &Secret) -> Result<String, jsonwebtoken::errors::Error> {
        let key = EncodingKey::from_secret(&key(secret));
        encode(&Header::new(Algorithm::HS256), self, &key)
    }

    /// The sign-in from the cookie, unless its signature is invalid or it has expired.
    pub fn open(secret: &Secret, sealed: &str, now: Timestamp) -> Option<Self> {
        let mut validation = Validation::new(Algorithm::HS256);
        // The library would use the system clock instead of `now`.
        validation.validate_exp = false;
        let key = DecodingKey::from_secret(&key(secret));
        let attempt = decode::<Self>(sealed, &key, &validation).ok()?.claims;
        (now.as_second() < attempt.exp).then_some(attempt)
    }

    /// State, nonce and PKCE verifier of this sign-in.
    pub fn secrets(&self, secret: &Secret) -> Secrets {
        // HKDF's output is a keyed hash (PRF) of the purpose (RFC 5869, section 2.3).
        let derive = |part| {
            let bytes = secret.derive(&format!("openid {part}\0{}", self.browser));
            BASE64_URL_SAFE_NO_PAD.encode(bytes)
        };
        Secrets {
            state: derive("state"),
            nonce: derive("nonce"),
            verifier: derive("verifier"),
        }
    }
}

fn key(secret: &Secret) -> [u8; 32] {
    secret.derive("openid sign-in cookie, HS256")
}

/// The value of the cookie. `None` if there are two of this name: which one this server has set
/// cannot be told.
pub(super) fn cookie(headers: &HeaderMap) -> Option<&str> {
    let mut values = headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|line| line.to_str().ok())
        .flat_map(|line| line.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .filter_map(|(name, value)| (name == NAME).then_some(value));
    let (value, None) = (values.next()?, values.next()) else {
        return None;
    };
    Some(value)
}

/// The `Set-Cookie` value that stores the cookie for so many seconds.
pub(super) fn set_cookie(state: &AppState, value: &str, seconds: i64) -> String {
    let https = state.config.public_url().is_https();
    let secure = if https { "; Secure" } else { "" };
    format!(
        "{NAME}={value}; Path=/api/v1/auth/google; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}"
    )
}

/// The `Set-Cookie` value that removes the cookie.
pub(super) fn clear_cookie(state: &AppState) -> String {
    set_cookie(state, "", 0)
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;
    use crate::testing::SeededRandom;

    fn attempt(seed: u64) -> Attempt {
        let begin = Begin {
            intent: Intent::Signup,
            remember: true,
            locale: Locale::En,
            plan: None,
        };
        Attempt::new(&SeededRandom::new(seed), &begin, Timestamp::UNIX_EPOCH)
    }

    fn secret(letter: &str) -> Secret {
        Secret::given(&letter.repeat(32)).unwrap()
    }

    #[test]
    fn it_counts_as_it_was_sealed_by_this_server_and_for_ten_minutes() {
        let at = |second| Timestamp::from_second(second).unwrap();
        let sealed = attempt(1).seal(&secret("a")).unwrap();
        let open = |sealed: &str, letter, second| {
            Attempt::open(&secret(letter), sealed, at(second)).map(|attempt| attempt.browser)
        };
        assert_eq!(open(&sealed, "a", 599), Some(attempt(1).browser));
        assert_eq!(open(&sealed, "a", 600), None);
        assert_eq!(open(&sealed, "b", 0), None);
        let mut parts: Vec<_> = sealed.split('.').map(str::to_owned).collect();
        parts[1] = BASE64_URL_SAFE_NO_PAD.encode(serde_json::to_vec(&attempt(2)).unwrap());
        assert_eq!(open(&parts.join("."), "a", 0), None);
        parts[0] = BASE64_URL_SAFE_NO_PAD.encode(r#"{"typ":"JWT","alg":"none"}"#);
        parts[2].clear();
        assert_eq!(open(&parts.join("."), "a", 0), None);
        assert_eq!(open("", "a", 0), None);
    }

    #[test]
    fn its_secrets_tell_nothing_of_one_another_and_are_not_in_the_cookie() {
        let all = |attempt: &Attempt, letter| {
            let secrets = attempt.secrets(&secret(letter));
            [secrets.state, secrets.nonce, secrets.verifier]
        };
        let mut seen = std::collections::BTreeSet::new();
        for (attempt, letter) in [(attempt(1), "a"), (attempt(2), "a"), (attempt(1), "b")] {
            let sealed = attempt.seal(&secret(letter)).unwrap();
            for value in all(&attempt, letter) {
                assert!(value.len() >= 43, "as long as PKCE asks");
                assert!(!sealed.contains(&value));
                assert!(seen.insert(value));
            }
        }
        assert_eq!(all(&attempt(1), "a"), all(&attempt(1), "a"));
    }

    #[test]
    fn a_second_cookie_of_the_name_makes_both_worthless() {
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
