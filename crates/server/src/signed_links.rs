//! Addresses that carry a right: signed, for one purpose, until a time.
//!
//! A player or a download takes an address and sends no header, so the right stands in the
//! address. Whoever reads one asks also whether the session that made it is in force.

use std::marker::PhantomData;

use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation, decode, encode};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::secret::Secret;

/// What a link opens: the claims of its token, `sub` among them.
pub trait Right: Serialize + DeserializeOwned {
    /// What the key is derived for, see [`Secret::derive`]; no two rights have the same.
    const PURPOSE: &'static str;
    /// The token's audience; no two rights have the same.
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

impl<R: Right> SignedLinks<R> {
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

    /// What the token opens at `now`, in Unix seconds, while its session is in force.
    #[must_use]
    pub fn read(&self, token: &str, now: i64) -> Option<R> {
        let mut validation = Validation::new(Algorithm::HS256);
        validation.set_audience(&[R::AUDIENCE]);
        validation.set_required_spec_claims(&["exp", "aud", "sub"]);
        // The library would ask the machine's clock; ours is a parameter.
        validation.validate_exp = false;
        let claims = decode::<Claims<R>>(token, &self.checking, &validation)
            .ok()?
            .claims;
        (now < claims.exp).then_some(claims.right)
    }
}
