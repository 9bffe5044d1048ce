//! Recognition by an OpenAI-compatible speech endpoint that an administrator has named, for example a
//! machine with a GPU beside this server. Recordings are cut into parts here and sent side by side.
//!
//! The address may be internal. Its key is bound to an origin, see [`crate::endpoint_keys`].

mod answer;
mod client;
pub(crate) mod wav;

use std::sync::Arc;

use slovo_analysis::chat::{DEFAULT_CONTEXT, Endpoint, EndpointError};
use slovo_db::Connection;
use slovo_db::site::server_settings;
use slovo_engine::Remote;
use slovo_platform::clock::Clock;
use slovo_platform::random::Random;
use slovo_platform::secret::Secret;
use slovo_rules::job_plan::JobPlan;
use slovo_rules::speech_endpoint::SpeechEndpointForm;
use slovo_rules::valid::Valid;
use tokio::runtime::Handle;

use crate::analysis::endpoint::ServerPace;
use crate::endpoint_keys::{KeyUse, OwnKey, SealedKey, place_of};
use client::Client;

const KEY: &str = "speech_endpoint";
/// Settings key of the key that was entered.
const OWN_KEY: &str = "speech_endpoint_key";

/// Prefix of the endpoint's model where it is stored as a model name.
const MODEL_PREFIX: &str = "endpoint:";

/// Header of every request to an endpoint. A server that would send the recording on refuses it, so
/// that two servers never send one to each other for ever.
pub const RELAYED: &str = "slovo-relayed";

/// The administrators' settings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StoredSettings {
    /// The form.
    pub form: SpeechEndpointForm,
    /// The key.
    pub key: Option<SealedKey>,
}

/// The stored settings.
///
/// # Errors
/// When the database fails.
pub async fn stored(connection: &mut Connection) -> slovo_db::Result<StoredSettings> {
    let form = server_settings::get(&mut *connection, KEY).await?;
    let key = server_settings::get::<Option<SealedKey>>(connection, OWN_KEY).await?;
    Ok(StoredSettings {
        form: form.unwrap_or_default(),
        key: key.flatten(),
    })
}

/// Stores checked settings. Jobs that begin afterwards use them, in every process.
///
/// # Errors
/// When the database fails.
pub async fn store(
    connection: &mut Connection,
    form: &Valid<SpeechEndpointForm>,
    key: Option<&SealedKey>,
    now: i64,
) -> slovo_db::Result<()> {
    server_settings::set(&mut *connection, KEY, &**form, now).await?;
    server_settings::set(connection, OWN_KEY, &key, now).await
}

/// The name of the endpoint's model as it is stored with a text.
#[must_use]
pub fn model_name(form: &SpeechEndpointForm) -> String {
    format!("{MODEL_PREFIX}{}", form.model)
}

/// Makes clients of the stored endpoint. Cheap to clone.
#[derive(Clone)]
pub struct SpeechEndpoints {
    secret: Secret,
    clock: Arc<dyn Clock>,
    random: Arc<dyn Random>,
}

impl SpeechEndpoints {
    /// Opens keys with this secret.
    #[must_use]
    pub fn new(secret: Secret, clock: Arc<dyn Clock>, random: Arc<dyn Random>) -> Self {
        Self {
            secret,
            clock,
            random,
        }
    }

    /// Encrypts a key for the origin of this address.
    ///
    /// # Errors
    /// If it is not a valid address.
    pub fn seal_key(&self, url: &str, key: &str) -> anyhow::Result<SealedKey> {
        SealedKey::new(url, key, &self.secret, &*self.random)
    }

    /// What becomes of the stored key.
    #[must_use]
    pub fn key_use(&self, stored: &StoredSettings) -> KeyUse {
        match (&stored.key, self.key(stored)) {
            (None, _) => KeyUse::Missing,
            (Some(_), Some(_)) => KeyUse::Own,
            (Some(_), None) => KeyUse::Withheld,
        }
    }

    /// The key, if it belongs to the address.
    fn key(&self, stored: &StoredSettings) -> Option<OwnKey> {
        let key = stored.key.as_ref()?;
        let is_own = place_of(&stored.form.url).as_ref() == Some(&key.place);
        is_own.then(|| key.open(&self.secret)).flatten()
    }

    /// The stored endpoint; `None` if there is none.
    ///
    /// # Errors
    /// If the address cannot be used.
    pub fn endpoint(&self, stored: &StoredSettings) -> Result<Option<Endpoint>, EndpointError> {
        let form = &stored.form;
        if form.url.is_empty() {
            return Ok(None);
        }
        let key = self.key(stored).map(|own| own.key);
        Endpoint::new(&form.url, &form.model, key, DEFAULT_CONTEXT).map(Some)
    }

    /// The engine elsewhere that recognises recordings of this plan, if there is one.
    pub(crate) fn remote(&self, stored: &StoredSettings, plan: &JobPlan) -> Option<Remote> {
        let form = &stored.form;
        if !form.serves(plan) {
            return None;
        }
        let unusable = |error: &dyn std::fmt::Display| {
            tracing::error!(%error, "the stored speech endpoint cannot be used; the embedded engine is");
        };
        let found = self.endpoint(stored);
        let endpoint = found.inspect_err(|error| unusable(error)).ok().flatten()?;
        let pace = Arc::new(ServerPace {
            clock: Arc::clone(&self.clock),
            random: Arc::clone(&self.random),
        });
        let client = Client::new(
            endpoint,
            (pace, Arc::clone(&self.random)),
            Handle::current(),
        );
        let client = client.inspect_err(|error| unusable(error)).ok()?;
        Some(Remote {
            engine: Arc::new(client),
            name: model_name(form),
            parallel: usize::try_from(form.parallel).unwrap_or(1),
            falls_back: form.falls_back,
        })
    }
}
