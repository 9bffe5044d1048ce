//! Access tokens: signed, short-lived, and only a reference to a session.

use jiff::Timestamp;
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation, decode, encode};
use serde::{Deserialize, Serialize};
use slovo_rules::account::ACCESS_TOKEN_MINUTES;

use slovo_platform::secret::Secret;

/// How long an access token is valid, in seconds.
pub const ACCESS_TOKEN_SECONDS: i64 = ACCESS_TOKEN_MINUTES * 60;

/// Tolerated difference between the clocks of two processes of one server, in seconds.
const CLOCK_SKEW_SECONDS: i64 = 60;

const ISSUER: &str = "slovo";
const AUDIENCE: &str = "slovo-api";

/// The claims of an access token.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claims {
    /// The account's id.
    pub sub: String,
    /// The session's id.
    pub sid: String,
    /// The issuer.
    pub iss: String,
    /// The audience.
    pub aud: String,
    /// Issued at, Unix seconds.
    pub iat: i64,
    /// Expires at, Unix seconds.
    pub exp: i64,
}

/// Issues and verifies access tokens (JWT, HS256).
#[derive(Clone)]
pub struct AccessTokens {
    signing: EncodingKey,
    checking: DecodingKey,
    validation: Validation,
}

impl AccessTokens {
    /// With a key derived from the server's secret.
    pub fn new(secret: &Secret) -> Self {
        let key = secret.derive("access token, HS256");
        let mut validation = Validation::new(Algorithm::HS256);
        validation.set_issuer(&[ISSUER]);
        validation.set_audience(&[AUDIENCE]);
        validation.set_required_spec_claims(&["exp", "iss", "aud", "sub"]);
        // The library would use the system clock; ours is a parameter, see `read`.
        validation.validate_exp = false;
        Self {
            signing: EncodingKey::from_secret(&key),
            checking: DecodingKey::from_secret(&key),
            validation,
        }
    }

    /// A token for this session.
    ///
    /// # Errors
    /// If signing fails, which it does not for HS256.
    pub fn issue(
        &self,
        user_id: &str,
        session_id: &str,
        now: Timestamp,
    ) -> Result<String, jsonwebtoken::errors::Error> {
        let iat = now.as_second();
        let claims = Claims {
            sub: user_id.to_owned(),
            sid: session_id.to_owned(),
            iss: ISSUER.to_owned(),
            aud: AUDIENCE.to_owned(),
            iat,
            exp: iat + ACCESS_TOKEN_SECONDS,
        };
        encode(&Header::new(Algorithm::HS256), &claims, &self.signing)
    }

    /// The claims of a token, if it is ours and still valid.
    pub fn read(&self, token: &str, now: Timestamp) -> Option<Claims> {
        let claims = decode::<Claims>(token, &self.checking, &self.validation)
            .ok()?
            .claims;
        let now = now.as_second();
        (claims.iat <= now + CLOCK_SKEW_SECONDS && now < claims.exp).then_some(claims)
    }
}

#[cfg(test)]
mod tests {
    use base64::Engine as _;
    use base64::prelude::BASE64_URL_SAFE_NO_PAD;
    use serde_json::json;

    use super::*;

    const NOW: i64 = 1_800_000_000;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).unwrap()
    }

    fn tokens(secret: &str) -> AccessTokens {
        AccessTokens::new(&Secret::given(&secret.repeat(32)).unwrap())
    }

    /// Signs arbitrary claims with the correct key.
    fn signed(claims: &serde_json::Value, algorithm: Algorithm) -> String {
        encode(&Header::new(algorithm), claims, &tokens("a").signing).unwrap()
    }

    fn valid_claims() -> serde_json::Value {
        json!({"sub": "u", "sid": "s", "iss": "slovo", "aud": "slovo-api", "iat": NOW, "exp": NOW + 900})
    }

    #[test]
    fn a_token_is_valid_for_fifteen_minutes() {
        let tokens = tokens("a");
        let token = tokens.issue("u", "s", at(NOW)).unwrap();
        assert_eq!(tokens.read(&token, at(NOW)).unwrap().sid, "s");
        assert!(tokens.read(&token, at(NOW + 899)).is_some());
        assert!(tokens.read(&token, at(NOW + 900)).is_none());
    }

    #[test]
    fn wrong_or_missing_claims_are_refused() {
        let tokens = tokens("a");
        assert!(
            tokens
                .read(&signed(&valid_claims(), Algorithm::HS256), at(NOW))
                .is_some()
        );
        for (claim, value) in [
            ("iss", json!("other")),
            ("aud", json!("other")),
            ("aud", json!(["other"])),
            ("exp", json!("never")),
            ("exp", json!(NOW - 1)),
            ("iat", json!(NOW + 61)),
            ("sub", json!(null)),
        ] {
            let mut claims = valid_claims();
            claims[claim] = value.clone();
            let token = signed(&claims, Algorithm::HS256);
            assert!(tokens.read(&token, at(NOW)).is_none(), "{claim} {value}");
        }
        for claim in ["iss", "aud", "exp", "sub", "sid"] {
            let mut claims = valid_claims();
            claims.as_object_mut().unwrap().remove(claim);
            let token = signed(&claims, Algorithm::HS256);
            assert!(tokens.read(&token, at(NOW)).is_none(), "without {claim}");
        }
    }

    #[test]
    fn other_keys_and_algorithms_are_refused() {
        let local_tokens = tokens("a");
        let foreign = tokens("b").issue("u", "s", at(NOW)).unwrap();
        assert!(local_tokens.read(&foreign, at(NOW)).is_none());
        assert!(
            local_tokens
                .read(&signed(&valid_claims(), Algorithm::HS384), at(NOW))
                .is_none()
        );
        let part = |value: &serde_json::Value| BASE64_URL_SAFE_NO_PAD.encode(value.to_string());
        for algorithm in ["none", "None", "NONE", "HS256"] {
            let unsigned = format!(
                "{}.{}.",
                part(&json!({"alg": algorithm, "typ": "JWT"})),
                part(&valid_claims())
            );
            assert!(
                local_tokens.read(&unsigned, at(NOW)).is_none(),
                "{algorithm}"
            );
        }
    }

    #[test]
    fn a_token_with_any_byte_changed_is_refused() {
        let tokens = tokens("a");
        let token = tokens.issue("u", "s", at(NOW)).unwrap();
        for position in 0..token.len() - 1 {
            let mut changed = token.clone().into_bytes();
            changed[position] = if changed[position] == b'A' {
                b'B'
            } else {
                b'A'
            };
            let changed = String::from_utf8(changed).unwrap();
            assert!(tokens.read(&changed, at(NOW)).is_none(), "{position}");
        }
        for junk in ["", ".", "..", "a.b.c", "💥", &"a".repeat(100_000)] {
            assert!(tokens.read(junk, at(NOW)).is_none());
        }
    }
}
