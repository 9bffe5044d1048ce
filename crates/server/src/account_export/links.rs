//! Links to an account's archive: signed, bound to one account and one session, for ten minutes.
//!
//! The browser downloads an address and sends no header, so the right stands in the address, as
//! with recordings (`jobs::links`). It ends with the session that made it.

use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation, decode, encode};
use serde::{Deserialize, Serialize};

use crate::secret::Secret;

/// How long a link works, in seconds: a click, not a bookmark.
pub const LINK_SECONDS: i64 = 10 * 60;

const AUDIENCE: &str = "slovo-export";

/// What a link opens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// The account.
    pub user_id: String,
    /// The session that made the link.
    pub session_id: String,
    /// Whether the recordings go with it.
    pub recordings: bool,
}

#[derive(Serialize, Deserialize)]
struct Claims {
    sub: String,
    sid: String,
    rec: bool,
    aud: String,
    exp: i64,
}

/// Makes and reads the tokens of links (JWT, HS256, with a key of their own).
pub struct ExportLinks {
    signing: EncodingKey,
    checking: DecodingKey,
}

impl ExportLinks {
    /// With a key derived from the server's secret.
    #[must_use]
    pub fn new(secret: &Secret) -> Self {
        let key = secret.derive("export link, HS256");
        Self {
            signing: EncodingKey::from_secret(&key),
            checking: DecodingKey::from_secret(&key),
        }
    }

    /// A token for this link until `expires`, in Unix seconds.
    ///
    /// # Errors
    /// If signing fails, which it does not for HS256.
    pub fn issue(&self, link: Link, expires: i64) -> Result<String, jsonwebtoken::errors::Error> {
        let claims = Claims {
            sub: link.user_id,
            sid: link.session_id,
            rec: link.recordings,
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
            user_id: claims.sub,
            session_id: claims.sid,
            recordings: claims.rec,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_opens_one_archive_until_it_expires() {
        let secret = |text: &str| Secret::given(&text.repeat(32)).unwrap();
        let links = ExportLinks::new(&secret("a"));
        let link = Link {
            user_id: "u".to_owned(),
            session_id: "s".to_owned(),
            recordings: true,
        };
        let token = links.issue(link.clone(), 1000).unwrap();
        assert_eq!(links.read(&token, 999), Some(link));
        assert_eq!(links.read(&token, 1000), None);
        assert_eq!(ExportLinks::new(&secret("b")).read(&token, 0), None);
        for junk in ["", "a.b.c", &token[1..], &format!("{token}x")] {
            assert_eq!(links.read(junk, 0), None, "{junk}");
        }
    }
}
