//! URLs that carry a right: signed, for one purpose, until they expire.
//!
//! A player or a download uses a URL and sends no header, so the token is part of the URL. Code
//! that reads one must also check that the session that created it is in force.

use std::marker::PhantomData;

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation, decode, encode};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::secret::Secret;

/// What a link grants: the claims of its token, including `sub`.
pub trait LinkClaims: Serialize + DeserializeOwned {
    /// The purpose the key is derived for, see [`Secret::derive`]; unique for each kind of right.
    const PURPOSE: &'static str;
    /// The token's audience; unique for each kind of right.
    const AUDIENCE: &'static str;
}

#[derive(Serialize, Deserialize)]
struct Claims<R> {
    #[serde(flatten)]
    right: R,
    aud: String,
    exp: i64,
}

/// Makes and reads the tokens of links (JWT, HS256, with a key of their own).
pub struct SignedLinks<R> {
    signing: EncodingKey,
    checking: DecodingKey,
    right: PhantomData<R>,
}

impl<R: LinkClaims> SignedLinks<R> {
    /// With a key derived from the server's secret.
    #[must_use]
    pub fn new(secret: &Secret) -> Self {
        let key = secret.derive(R::PURPOSE);
        Self {
            signing: EncodingKey::from_secret(&key),
            checking: DecodingKey::from_secret(&key),
            right: PhantomData,
        }
    }

    /// A token for this right until `expires`, in Unix seconds.
    ///
    /// # Errors
    /// If signing fails, which it does not for HS256.
    pub fn issue(&self, right: &R, expires: i64) -> Result<String, jsonwebtoken::errors::Error> {
        let claims = Claims {
            right,
            aud: R::AUDIENCE.to_owned(),
            exp: expires,
        };
        encode(&Header::new(Algorithm::HS256), &claims, &self.signing)
    }

    /// The claims of a token that is valid at `now`, in Unix seconds. The caller checks its
    /// session.
    #[must_use]
    pub fn read(&self, token: &str, now: i64) -> Option<R> {
        let mut validation = Validation::new(Algorithm::HS256);
        validation.set_audience(&[R::AUDIENCE]);
        validation.set_required_spec_claims(&["exp", "aud", "sub"]);
        // The library would read the machine's clock; here the time is a parameter.
        validation.validate_exp = false;
        let claims = decode::<Claims<R>>(token, &self.checking, &validation)
            .ok()?
            .claims;
        (now < claims.exp).then_some(claims.right)
    }
}

/// Bytes of the code in a token: 128 bits cannot be guessed.
const CODE_BYTES: usize = 16;

/// Tokens that name one row for as long as it exists: its id and a code derived from it with the
/// server's secret (HKDF-SHA256, whose expansion is HMAC). They are short because people share
/// them.
pub struct SignedId<'a> {
    secret: &'a Secret,
    purpose: &'static str,
}

impl<'a> SignedId<'a> {
    /// For rows of one kind; the purpose is unique for each kind.
    #[must_use]
    pub fn new(secret: &'a Secret, purpose: &'static str) -> Self {
        Self { secret, purpose }
    }

    /// The token of the row with this id.
    #[must_use]
    pub fn token(&self, id: Uuid) -> String {
        BASE64_URL_SAFE_NO_PAD.encode(self.bytes(id))
    }

    /// The id in a token, if this server issued it.
    #[must_use]
    pub fn read(&self, token: &str) -> Option<Uuid> {
        let given = BASE64_URL_SAFE_NO_PAD.decode(token).ok()?;
        let id = Uuid::from_slice(given.get(..16)?).ok()?;
        let right = self.bytes(id);
        // Constant-time comparison: the time must not reveal where the bytes differ.
        let differences = given
            .iter()
            .zip(&right)
            .fold(0, |sum, (a, b)| sum | (a ^ b));
        (given.len() == right.len() && std::hint::black_box(differences) == 0).then_some(id)
    }

    fn bytes(&self, id: Uuid) -> Vec<u8> {
        let code = self.secret.derive(&format!("{}: {id}", self.purpose));
        [id.as_bytes(), &code[..CODE_BYTES]].concat()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_tokens_of_the_same_secret_and_purpose_are_accepted() {
        let secret = |text: &str| Secret::given(&text.repeat(32)).unwrap();
        let (own_secret, other_secret) = (secret("a"), secret("b"));
        let links = SignedId::new(&own_secret, "share");
        let id = Uuid::from_u128(7);
        let token = links.token(id);
        assert_eq!(links.read(&token), Some(id));
        assert_eq!(SignedId::new(&other_secret, "share").read(&token), None);
        assert_eq!(SignedId::new(&own_secret, "else").read(&token), None);
        for at in 0..token.len() {
            let changed = if token.as_bytes()[at] == b'A' {
                "B"
            } else {
                "A"
            };
            let forged = format!("{}{changed}{}", &token[..at], &token[at + 1..]);
            assert_eq!(links.read(&forged), None, "{forged}");
            assert_eq!(links.read(&token[..at]), None, "{at}");
        }
        for junk in [
            "",
            "ї",
            &format!("{token}A"),
            &format!("{token}="),
            &id.to_string(),
        ] {
            assert_eq!(links.read(junk), None, "{junk}");
        }
    }
}
