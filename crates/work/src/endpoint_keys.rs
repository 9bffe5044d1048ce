//! Keys of endpoints on other machines. Each is bound to an origin and sent only to that scheme, host
//! and port, so that a stolen session cannot have a key sent elsewhere. Keys that administrators
//! enter are stored encrypted and never shown.

use anyhow::{Context as _, Result};
use reqwest::Url;
use serde::{Deserialize, Serialize};
use slovo_analysis::chat::Key;
use slovo_platform::random::Random;
use slovo_platform::sealed;
use slovo_platform::secret::Secret;
use utoipa::ToSchema;

/// Purpose of the encryption key.
const SEALED_FOR: &str = "keys of endpoints";

/// What becomes of the keys there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = EndpointKey)]
pub enum KeyUse {
    /// The server has no key.
    Missing,
    /// The configured key is sent with every request.
    Sent,
    /// The key that an administrator entered is sent with every request.
    Own,
    /// No key is sent: the address is not the one that the key belongs to.
    Withheld,
}

/// A key as it is stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SealedKey {
    /// Scheme, host and port that it may be sent to.
    pub place: String,
    sealed: String,
}

impl SealedKey {
    /// Encrypts a key for the origin of this address.
    ///
    /// # Errors
    /// If it is not a valid address.
    pub fn new(url: &str, key: &str, secret: &Secret, random: &dyn Random) -> Result<Self> {
        let place = place_of(url).context("a key needs a valid address")?;
        let sealed = sealed::seal(secret, SEALED_FOR, &place, key, random)?;
        Ok(Self { place, sealed })
    }

    /// The key; `None` if it was encrypted with another server secret, and has to be entered again.
    pub(crate) fn open(&self, secret: &Secret) -> Option<OwnKey> {
        let opened = sealed::open(secret, SEALED_FOR, &self.place, &self.sealed);
        let key = opened.and_then(|key| Ok(Key::new(&key)?));
        match key {
            Ok(key) => Some(OwnKey {
                place: self.place.clone(),
                key: key?,
            }),
            Err(error) => {
                tracing::warn!(%error, "the key of an endpoint cannot be used");
                None
            }
        }
    }
}

/// A key that an administrator entered, and the origin it may be sent to.
#[derive(Clone, Debug)]
pub(crate) struct OwnKey {
    pub(crate) place: String,
    pub(crate) key: Key,
}

/// Scheme, host and port of an address.
#[must_use]
pub fn place_of(url: &str) -> Option<String> {
    let url = Url::parse(url.trim()).ok()?;
    let origin = url.origin();
    origin.is_tuple().then(|| origin.ascii_serialization())
}
