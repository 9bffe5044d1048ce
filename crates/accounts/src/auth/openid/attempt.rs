//! The cookie that the browser keeps while the user is at the provider, and until the page has the
//! session. It is only sent to these actions.
//!
//! It does not contain state, nonce and PKCE verifier: they are derived from its content with a key
//! of this server. So nothing has to be stored on the server for abandoned sign-ins.

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use jiff::Timestamp;
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation, decode, encode};
use serde::{Deserialize, Serialize};
use slovo_rules::account::OPENID_MINUTES;
use slovo_rules::locale::Locale;
use utoipa::ToSchema;
use uuid::Uuid;

use super::Secrets;
use crate::auth::session::new_token;
use slovo_platform::random::Random;
use slovo_platform::secret::Secret;

/// How long a user may stay at the provider, in seconds.
pub const ATTEMPT_SECONDS: i64 = OPENID_MINUTES * 60;

/// From where the sign-in begins; failures lead back there.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, PartialEq, Eq, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = GoogleIntent)]
pub enum Intent {
    /// The sign-in page.
    Login,
    /// The sign-up page.
    Signup,
}

/// Options of a sign-in.
#[derive(Clone, Copy, Debug)]
pub struct SignInOptions {
    /// From where.
    pub intent: Intent,
    /// Whether the session outlives the browser.
    pub remember: bool,
    /// Language of the provider's page and of a new account.
    pub locale: Locale,
    /// The plan that a new account asks for.
    pub plan: Option<Uuid>,
}

/// A sign-in that began in this browser.
#[derive(Clone, Serialize, Deserialize)]
pub struct Attempt {
    /// 256 random bits.
    browser: String,
    /// From where.
    pub intent: Intent,
    /// Whether the session outlives the browser.
    pub remember: bool,
    /// Language of a new account.
    pub locale: Locale,
    /// The plan that a new account asks for.
    pub plan: Option<Uuid>,
    /// Until when, Unix seconds.
    exp: i64,
}

impl Attempt {
    /// Begins a sign-in, which has to end within [`ATTEMPT_SECONDS`].
    pub fn new(random: &dyn Random, begin: &SignInOptions, now: Timestamp) -> Self {
        Self {
            browser: new_token(random),
            intent: begin.intent,
            remember: begin.remember,
            locale: begin.locale,
            plan: begin.plan,
            exp: now.as_second() + ATTEMPT_SECONDS,
        }
    }

    /// The signed form that the browser keeps (JWT, HS256).
    ///
    /// # Errors
    /// If signing fails, which it does not for HS256.
    pub fn seal(&self, secret: &Secret) -> Result<String, jsonwebtoken::errors::Error> {
        let key = EncodingKey::from_secret(&key(secret));
        encode(&Header::new(Algorithm::HS256), self, &key)
    }

    /// The sign-in that this browser began, if its signature is valid and it has not expired.
    pub fn open(secret: &Secret, sealed: &str, now: Timestamp) -> Option<Self> {
        let mut validation = Validation::new(Algorithm::HS256);
        // The library would use the system clock.
        validation.validate_exp = false;
        let key = DecodingKey::from_secret(&key(secret));
        let attempt = decode::<Self>(sealed, &key, &validation).ok()?.claims;
        (now.as_second() < attempt.exp).then_some(attempt)
    }

    /// The secrets of this sign-in.
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

#[cfg(test)]
mod tests {
    use slovo_platform::testing::SeededRandom;

    use super::*;

    fn attempt(seed: u64) -> Attempt {
        let begin = SignInOptions {
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
    fn a_sealed_attempt_opens_only_here_unchanged_and_for_ten_minutes() {
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
    fn the_secrets_of_attempts_differ_and_are_not_in_the_cookie() {
        let all_secrets = |attempt: &Attempt, letter| {
            let secrets = attempt.secrets(&secret(letter));
            [secrets.state, secrets.nonce, secrets.verifier]
        };
        let mut seen = std::collections::BTreeSet::new();
        for (attempt, letter) in [(attempt(1), "a"), (attempt(2), "a"), (attempt(1), "b")] {
            let sealed = attempt.seal(&secret(letter)).unwrap();
            for value in all_secrets(&attempt, letter) {
                assert!(value.len() >= 43, "as long as PKCE asks");
                assert!(!sealed.contains(&value));
                assert!(seen.insert(value));
            }
        }
        assert_eq!(all_secrets(&attempt(1), "a"), all_secrets(&attempt(1), "a"));
    }
}
