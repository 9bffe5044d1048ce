//! The analysis endpoint in effect: the administrators' settings take precedence over the server's
//! configuration.
//!
//! The address may be internal: an administrator may run the model on the same machine. Each key is
//! bound to an origin and sent only to that scheme, host and port. The configured key is bound to
//! the configured address; a key that an administrator entered is bound to the address in effect at
//! that time. Any other address gets neither, so that a stolen session cannot have a key sent
//! elsewhere. Entered keys are stored encrypted and never shown.

use std::sync::{Arc, PoisonError};
use std::time::Duration;

use slovo_analysis::chat::{Endpoint, EndpointError, Key};
use slovo_db::Connection;
use slovo_db::site::server_settings;
use slovo_rules::server_settings::AnalysisForm;
use slovo_rules::violation::{Code, Violation};
use slovo_rules::{Valid, Violations};
use tokio::runtime::Handle;

use super::Analyses;
use super::endpoint::ServerPace;
use crate::endpoint_keys::{KeyUse, OwnKey, SealedKey, place_of};

const KEY: &str = "analysis";
/// Settings key of the key that was entered.
const OWN_KEY: &str = "analysis_key";

/// How often to check for changes by other processes.
const INTERVAL: Duration = Duration::from_secs(5);

/// The configured endpoint. It may be incomplete (an address without a model, or the reverse);
/// administrators add what is missing.
#[derive(Clone, Debug)]
pub struct Configured {
    /// Base address.
    pub url: Option<String>,
    /// Model.
    pub model: Option<String>,
    /// Key, sent to that address only.
    pub key: Option<Key>,
    /// Context size of the model in tokens, prompt and answer together.
    pub context: usize,
    /// A request fails after this long without data.
    pub idle: Duration,
}

impl Configured {
    /// An endpoint at this address, with the configured context size and idle timeout.
    ///
    /// # Errors
    /// If the address or the context size is not valid.
    pub fn at(&self, url: &str, model: &str, key: Option<Key>) -> Result<Endpoint, EndpointError> {
        let mut endpoint = Endpoint::new(url, model, key, self.context)?;
        endpoint.limits.idle = self.idle;
        Ok(endpoint)
    }
}

/// The endpoint resulting from the settings and the configuration.
#[derive(Clone, Debug)]
pub struct EffectiveEndpoint {
    /// Base address, without a trailing slash.
    pub url: String,
    /// The endpoint.
    pub endpoint: Endpoint,
    /// Which key is sent.
    pub key: KeyUse,
}

/// The administrators' settings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StoredSettings {
    /// Address and model.
    pub form: AnalysisForm,
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

/// Stores checked settings. Call [`apply`] after the commit.
///
/// # Errors
/// When the database fails.
pub async fn store(
    connection: &mut Connection,
    form: &Valid<AnalysisForm>,
    key: Option<&SealedKey>,
    now: i64,
) -> slovo_db::Result<()> {
    server_settings::set(&mut *connection, KEY, &**form, now).await?;
    server_settings::set(connection, OWN_KEY, &key, now).await
}

/// The endpoint from these settings and this configuration; `None` if neither names one.
fn in_force(
    config: &Configured,
    form: &AnalysisForm,
    own: Option<&OwnKey>,
) -> Result<Option<EffectiveEndpoint>, Violations> {
    let over = |set: &str, configured: Option<String>| {
        Some(set.to_owned())
            .filter(|set| !set.is_empty())
            .or(configured)
    };
    let url = over(&form.url, config.url.clone());
    let model = over(&form.model, config.model.clone());
    let (url, model) = match (url, model) {
        (None, None) => return Ok(None),
        (None, Some(_)) => return Err(Violation::new("url", Code::UrlRequired).into()),
        (Some(_), None) => return Err(Violation::new("model", Code::ModelRequired).into()),
        (Some(url), Some(model)) => (url, model),
    };
    let unusable = |error| match error {
        EndpointError::Url | EndpointError::Scheme | EndpointError::Extras => {
            Violations::from(Violation::new("url", Code::UrlInvalid))
        }
        // From the configuration, which was checked at startup.
        EndpointError::Key | EndpointError::Context | EndpointError::Client => {
            Violations::from(Violation::new("", Code::UrlInvalid))
        }
    };
    let configured = config.key.clone();
    let place = place_of(&url);
    let is_own = |own: &&OwnKey| place.as_ref() == Some(&own.place);
    let is_configured = |_: &Key| config.url.as_deref().and_then(place_of) == place;
    let has_any = own.is_some() || configured.is_some();
    let (api_key, key) = match (own.filter(is_own), configured.filter(is_configured)) {
        (Some(own), _) => (Some(own.key.clone()), KeyUse::Own),
        (None, Some(key)) => (Some(key), KeyUse::Sent),
        (None, None) if has_any => (None, KeyUse::Withheld),
        (None, None) => (None, KeyUse::Missing),
    };
    let endpoint = config.at(&url, &model, api_key).map_err(unusable)?;
    Ok(Some(EffectiveEndpoint {
        url: url.trim().trim_end_matches('/').to_owned(),
        endpoint,
        key,
    }))
}

impl Analyses {
    /// The endpoint that these settings and the configuration result in; `None` if neither names
    /// one.
    ///
    /// # Errors
    /// If something is missing or not usable.
    pub fn in_force(
        &self,
        stored: &StoredSettings,
    ) -> Result<Option<EffectiveEndpoint>, Violations> {
        let own = stored.key.as_ref().and_then(|key| key.open(&self.0.secret));
        in_force(&self.0.config, &stored.form, own.as_ref())
    }

    /// Encrypts a key for the origin of this address.
    ///
    /// # Errors
    /// If it is not a valid address.
    pub fn seal_key(&self, url: &str, key: &str) -> anyhow::Result<SealedKey> {
        SealedKey::new(url, key, &self.0.secret, &*self.0.random)
    }

    /// Applies the stored endpoint in this process, if it has changed. Running analyses keep the
    /// endpoint they began with.
    ///
    /// # Errors
    /// When the database fails, or there is no HTTP client.
    pub async fn apply_configured(&self) -> anyhow::Result<()> {
        let stored = stored(&mut *self.0.db.read().await?).await?;
        let in_force = &self.0.configured;
        let mut configured = in_force.lock().unwrap_or_else(PoisonError::into_inner);
        if *configured == stored {
            return Ok(());
        }
        let found = match self.in_force(&stored) {
            Ok(found) => found,
            Err(violations) => {
                // It was checked against another configuration.
                tracing::warn!(%violations, "the stored analysis endpoint cannot be used; there is none");
                None
            }
        };
        let pace = ServerPace {
            clock: Arc::clone(&self.0.clock),
            random: Arc::clone(&self.0.random),
        };
        let endpoint = found.map(|found| found.endpoint);
        let host = endpoint.as_ref().map(Endpoint::host);
        let engines = self.engines();
        self.exchange(engines.with_endpoint(endpoint, pace, Handle::current())?);
        *configured = stored;
        tracing::info!(?host, "the analysis endpoint has changed");
        Ok(())
    }

    /// Applies changes made by other processes, until the server stops.
    pub async fn reload_periodically(self) {
        loop {
            tokio::select! {
                () = self.0.shutdown.cancelled() => return,
                () = tokio::time::sleep(INTERVAL) => {}
            }
            if let Err(error) = self.apply_configured().await {
                tracing::warn!(
                    error = format!("{error:#}"),
                    "the stored analysis endpoint could not be applied"
                );
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(url: Option<&str>, model: Option<&str>, key: Option<&str>) -> Configured {
        Configured {
            url: url.map(str::to_owned),
            model: model.map(str::to_owned),
            key: key.and_then(|key| Key::new(key).unwrap()),
            context: 8192,
            idle: Duration::from_secs(60),
        }
    }

    fn form(url: &str, model: &str) -> AnalysisForm {
        AnalysisForm {
            url: url.to_owned(),
            model: model.to_owned(),
        }
    }

    #[test]
    fn administrator_settings_override_the_configuration() {
        let none = config(None, None, None);
        assert!(in_force(&none, &form("", ""), None).unwrap().is_none());
        let missing = in_force(&none, &form("http://a/v1", ""), None).unwrap_err();
        assert!(missing.has(Code::ModelRequired));
        let missing = in_force(&none, &form("", "m"), None).unwrap_err();
        assert!(missing.has(Code::UrlRequired));
        let set = in_force(&none, &form("http://10.0.0.7:8080/v1", "m"), None);
        let set = set.unwrap().unwrap();
        assert_eq!(
            (set.endpoint.host().as_str(), set.key),
            ("10.0.0.7:8080", KeyUse::Missing)
        );

        let configured = config(Some("http://own/v1"), Some("own"), None);
        let found = in_force(&configured, &form("", ""), None).unwrap().unwrap();
        assert_eq!(
            (&*found.url, &*found.endpoint.model),
            ("http://own/v1", "own")
        );
        let found = in_force(&configured, &form("", "other"), None)
            .unwrap()
            .unwrap();
        assert_eq!(
            (&*found.url, &*found.endpoint.model),
            ("http://own/v1", "other")
        );
        let found = in_force(&configured, &form("https://b/v1", ""), None)
            .unwrap()
            .unwrap();
        assert_eq!(
            (&*found.url, &*found.endpoint.model),
            ("https://b/v1", "own")
        );
    }

    #[test]
    fn an_api_key_is_sent_to_its_own_origin_only() {
        let configured = config(Some("https://ai.example/v1"), Some("m"), Some("hunter2"));
        for (url, key) in [
            ("", KeyUse::Sent),
            ("https://ai.example/v2", KeyUse::Sent),
            ("https://ai.example:443/v1", KeyUse::Sent),
            // Plain HTTP, another port, another host, and a look-alike host.
            ("http://ai.example/v1", KeyUse::Withheld),
            ("https://ai.example:8443/v1", KeyUse::Withheld),
            ("https://evil.example/v1", KeyUse::Withheld),
            ("https://ai.example.evil.example/v1", KeyUse::Withheld),
            ("https://ai.example.@evil.example/v1", KeyUse::Withheld),
        ] {
            let Ok(found) = in_force(&configured, &form(url, ""), None) else {
                assert!(url.contains('@'), "{url}");
                continue;
            };
            let found = found.unwrap();
            assert_eq!(found.key, key, "{url}");
            assert_eq!(found.endpoint.key.is_some(), key == KeyUse::Sent, "{url}");
        }
        // An entered key is sent to its own origin and takes precedence over the configured one.
        let own_key = |place: &str| OwnKey {
            place: place.to_owned(),
            key: Key::new("sk-own").unwrap().unwrap(),
        };
        for (place, url, key) in [
            ("https://b.example", "https://b.example/v1", KeyUse::Own),
            (
                "https://b.example",
                "https://b.example:8443/v1",
                KeyUse::Withheld,
            ),
            ("https://b.example", "", KeyUse::Sent),
            ("https://ai.example", "", KeyUse::Own),
        ] {
            let entered = own_key(place);
            let found = in_force(&configured, &form(url, ""), Some(&entered)).unwrap();
            assert_eq!(found.unwrap().key, key, "{place} {url}");
        }
        // A key without an address is bound to no origin.
        let unbound = config(None, None, Some("hunter2"));
        let found = in_force(&unbound, &form("https://a/v1", "m"), None).unwrap();
        assert_eq!(found.unwrap().key, KeyUse::Withheld);
    }
}
