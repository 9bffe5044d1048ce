//! Links to a recording: signed, bound to one job and one session, for six hours.
//!
//! A player takes an address and sends no header, so the right to play stands in the address. It
//! is a right to this one recording and nothing else, and the log shows no query (see `http`). It
//! ends with the session that made it: whoever reads a link asks whether that is in force.

use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation, decode, encode};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::secret::Secret;

/// How long a link works, in seconds: six hours, a working day at one transcript.
pub const LINK_SECONDS: i64 = 6 * 60 * 60;

const AUDIENCE: &str = "slovo-media";

/// What a link opens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// The job whose recording it is.
    pub job: Uuid,
    /// The session that made the link.
    pub session: String,
}

#[derive(Serialize, Deserialize)]
struct Claims {
    sub: Uuid,
    sid: String,
    aud: String,
    exp: i64,
}

/// Makes and reads the tokens of links (JWT, HS256, with a key of their own).
pub struct MediaLinks {
    signing: EncodingKey,
    checking: DecodingKey,
}

impl MediaLinks {
    /// With a key derived from the server's secret.
    #[must_use]
    pub fn new(secret: &Secret) -> Self {
        let key = secret.derive("media link, HS256");
        Self {
            signing: EncodingKey::from_secret(&key),
            checking: DecodingKey::from_secret(&key),
        }
    }

    /// A token for this link until `expires`, in Unix seconds.
    ///
    /// # Errors
    /// If signing fails, which it does not for HS256.
    pub fn issue(&self, link: &Link, expires: i64) -> Result<String, jsonwebtoken::errors::Error> {
        let claims = Claims {
            sub: link.job,
            sid: link.session.clone(),
            aud: AUDIENCE.to_owned(),
            exp: expires,
        };
        encode(&Header::new(Algorithm::HS256), &claims, &self.signing)
    }

    /// What the token opens at `now`, in Unix seconds, while its session is in force.
    #[must_use]
    pub fn read(&self, token: &str, now: i64) -> Option<Link> {
        let mut validation = Validation::new(Algorithm::HS256);
        validation.set_audience(&[AUDIENCE]);
        validation.set_required_spec_claims(&["exp", "aud", "sub"]);
        // The library would ask the machine's clock; ours is a parameter.
        validation.validate_exp = false;
        let claims = decode::<Claims>(token, &self.checking, &validation)
            .ok()?
            .claims;
        (now < claims.exp).then_some(Link {
            job: claims.sub,
            session: claims.sid,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_opens_one_job_until_it_expires() {
        let secret = |text: &str| Secret::given(&text.repeat(32)).unwrap();
        let links = MediaLinks::new(&secret("a"));
        let link = Link {
            job: Uuid::from_u128(1),
            session: "s".to_owned(),
        };
        let token = links.issue(&link, 1000).unwrap();
        assert_eq!(links.read(&token, 999), Some(link));
        assert_eq!(links.read(&token, 1000), None);
        assert_eq!(MediaLinks::new(&secret("b")).read(&token, 0), None);
        for junk in ["", "a.b.c", &token[1..], &format!("{token}x")] {
            assert_eq!(links.read(junk, 0), None, "{junk}");
        }
    }
}
