//! The administrator's configuration of the endpoint, and its time limits.

use std::fmt;
use std::time::Duration;

use reqwest::Url;
use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderValue};

/// Context size in tokens if none is configured.
pub const DEFAULT_CONTEXT: usize = 8192;

/// Path of chat completions below the base address.
const COMPLETIONS: &str = "/chat/completions";

/// Path of transcriptions below the base address.
const TRANSCRIPTIONS: &str = "/audio/transcriptions";

/// Path of translations to English below the base address.
const TRANSLATIONS: &str = "/audio/translations";

/// The smallest context in tokens that holds instructions, some text and an answer.
pub const MIN_CONTEXT: usize = 2048;

/// Why an endpoint's configuration is invalid. The messages never contain the key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum EndpointError {
    /// It is not an absolute address.
    #[error("the address of the endpoint is not an address")]
    Url,
    /// The scheme is not http or https.
    #[error("the address of the endpoint has to begin with http:// or https://")]
    Scheme,
    /// The address contains a user name, a password or a fragment, which would be visible wherever
    /// addresses are shown.
    #[error("the address of the endpoint must have no password or fragment in it")]
    Extras,
    /// The key contains characters that an HTTP header cannot carry.
    #[error("the key of the endpoint has characters that cannot be sent")]
    Key,
    /// The context is too small.
    #[error("the context of the endpoint has to be at least {MIN_CONTEXT} tokens")]
    Context,
    /// The HTTP client cannot be created, for example because the machine has no trusted
    /// certificates.
    #[error("there is no HTTP client")]
    Client,
}

/// The key of the endpoint. It is sent in one header and never shown.
#[derive(Clone)]
pub struct Key {
    /// `Bearer …`
    bearer: HeaderValue,
    /// The key alone.
    plain: HeaderValue,
}

impl Key {
    /// A key; `None` if it is blank.
    ///
    /// # Errors
    /// [`EndpointError::Key`]
    pub fn new(key: &str) -> Result<Option<Self>, EndpointError> {
        let key = key.trim();
        if key.is_empty() {
            return Ok(None);
        }
        let header = |text: &str| {
            let mut value = HeaderValue::from_str(text).map_err(|_| EndpointError::Key)?;
            value.set_sensitive(true);
            Ok(value)
        };
        Ok(Some(Self {
            bearer: header(&format!("Bearer {key}"))?,
            plain: header(key)?,
        }))
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(…)")
    }
}

/// Time limits, retries and size limits of requests.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Longest time until a connection is established.
    pub connect: Duration,
    /// Longest time without a byte, before and within an answer (`ANALYSIS_TIMEOUT`).
    pub idle: Duration,
    /// Longest time of one answer, from the request to its end.
    pub total: Duration,
    /// Attempts per request, including the first.
    pub attempts: u32,
    /// Pause before the second attempt; doubled before each further one.
    pub pause: Duration,
    /// The longest pause between two attempts. If the endpoint asks for more, the task fails as
    /// busy.
    pub longest_pause: Duration,
    /// The most bytes of a response; each token of a stream takes about 300.
    pub wire_bytes: usize,
    /// The most bytes of text in an answer.
    pub text_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(10),
            idle: Duration::from_secs(60),
            total: Duration::from_secs(15 * 60),
            attempts: 4,
            pause: Duration::from_secs(1),
            longest_pause: Duration::from_secs(60),
            wire_bytes: 32 * 1024 * 1024,
            text_bytes: 1024 * 1024,
        }
    }
}

/// An OpenAI-compatible endpoint.
#[derive(Debug, Clone)]
pub struct Endpoint {
    /// The base address.
    base: Url,
    /// The address of requests.
    url: Url,
    /// Name of the model, as requested and shown.
    pub model: String,
    /// The key, if the endpoint requires one.
    pub key: Option<Key>,
    /// The most tokens of a request and its answer together.
    pub context: usize,
    /// Time and size limits.
    pub limits: Limits,
}

impl Endpoint {
    /// An endpoint at a base address such as `http://127.0.0.1:8080/v1`, with the default limits.
    /// Local addresses are allowed because only the administrator configures them. A query, such as
    /// Azure's `api-version`, is kept on every path; an address that ends in `/chat/completions` or
    /// `/audio/transcriptions` is accepted, too.
    ///
    /// # Errors
    /// [`EndpointError`] if the address or the context is invalid.
    pub fn new(
        url: &str,
        model: &str,
        key: Option<Key>,
        context: usize,
    ) -> Result<Self, EndpointError> {
        let mut url = Url::parse(url.trim()).map_err(|_| EndpointError::Url)?;
        if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() {
            return Err(EndpointError::Scheme);
        }
        let is_plain =
            url.username().is_empty() && url.password().is_none() && url.fragment().is_none();
        if !is_plain {
            return Err(EndpointError::Extras);
        }
        if context < MIN_CONTEXT {
            return Err(EndpointError::Context);
        }
        let path = url.path().trim_end_matches('/');
        let mut ends = [COMPLETIONS, TRANSCRIPTIONS].into_iter();
        let base = ends.find_map(|end| path.strip_suffix(end));
        let path = base.unwrap_or(path).to_owned();
        url.set_path(&path);
        Ok(Self {
            url: with_path(&url, COMPLETIONS),
            base: url,
            model: model.trim().to_owned(),
            key,
            context,
            limits: Limits::default(),
        })
    }

    /// The host that texts are sent to, with the port if it is not the scheme's default.
    #[must_use]
    pub fn host(&self) -> String {
        let host = self.url.host_str().unwrap_or_default();
        self.url
            .port()
            .map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
    }

    /// The address of requests.
    #[must_use]
    pub const fn url(&self) -> &Url {
        &self.url
    }

    /// The address of audio requests: transcriptions, or translations to English.
    #[must_use]
    pub fn audio_url(&self, is_translation: bool) -> Url {
        with_path(
            &self.base,
            if is_translation {
                TRANSLATIONS
            } else {
                TRANSCRIPTIONS
            },
        )
    }

    /// The address of the list of models.
    #[must_use]
    pub fn models_url(&self) -> Url {
        with_path(&self.base, "/models")
    }

    /// The authentication header of every request. Azure, recognised by its `api-version`, requires
    /// the key in its own header.
    #[must_use]
    pub fn credentials(&self) -> HeaderMap {
        let mut headers = HeaderMap::new();
        let Some(key) = &self.key else {
            return headers;
        };
        headers.insert(AUTHORIZATION, key.bearer.clone());
        if self
            .base
            .query_pairs()
            .any(|(name, _)| name == "api-version")
        {
            headers.insert("api-key", key.plain.clone());
        }
        headers
    }
}

/// An address below this one, keeping its query.
fn with_path(base: &Url, path: &str) -> Url {
    let mut url = base.clone();
    url.set_path(&format!("{}{path}", base.path().trim_end_matches('/')));
    url
}

#[cfg(test)]
mod tests {
    use super::*;

    fn endpoint(url: &str) -> Result<Endpoint, EndpointError> {
        Endpoint::new(url, "m", None, DEFAULT_CONTEXT)
    }

    #[test]
    fn the_path_is_appended_to_a_base_with_or_without_a_slash() {
        for base in ["http://127.0.0.1:8080/v1", "http://127.0.0.1:8080/v1/"] {
            let endpoint = endpoint(base).unwrap();
            assert_eq!(
                endpoint.url().as_str(),
                "http://127.0.0.1:8080/v1/chat/completions"
            );
            assert_eq!(endpoint.host(), "127.0.0.1:8080");
        }
        assert_eq!(endpoint("https://ai.example").unwrap().host(), "ai.example");
    }

    #[test]
    fn audio_is_sent_below_the_base_address() {
        for base in [
            "http://a.example/v1",
            "http://a.example/v1/audio/transcriptions/",
        ] {
            let endpoint = endpoint(base).unwrap();
            let urls = [false, true].map(|is_translation| endpoint.audio_url(is_translation));
            assert_eq!(urls[0].as_str(), "http://a.example/v1/audio/transcriptions");
            assert_eq!(urls[1].as_str(), "http://a.example/v1/audio/translations");
        }
    }

    #[test]
    fn a_query_stays_at_the_end_of_every_path() {
        for base in [
            "https://x.openai.azure.com/openai/deployments/d?api-version=2024-10-21",
            "https://x.openai.azure.com/openai/deployments/d/chat/completions?api-version=2024-10-21",
        ] {
            let mut endpoint = endpoint(base).unwrap();
            assert_eq!(
                endpoint.url().as_str(),
                "https://x.openai.azure.com/openai/deployments/d/chat/completions?api-version=2024-10-21"
            );
            assert_eq!(
                endpoint.models_url().as_str(),
                "https://x.openai.azure.com/openai/deployments/d/models?api-version=2024-10-21"
            );
            assert!(endpoint.credentials().is_empty());
            endpoint.key = Key::new("k").unwrap();
            let sent = endpoint.credentials();
            assert_eq!(
                (&sent["authorization"], &sent["api-key"]),
                (
                    &HeaderValue::from_static("Bearer k"),
                    &HeaderValue::from_static("k"),
                )
            );
        }
        let mut plain = endpoint("http://a.example/v1").unwrap();
        plain.key = Key::new("k").unwrap();
        assert_eq!(plain.credentials().len(), 1, "nobody else is told twice");
    }

    #[test]
    fn addresses_that_cannot_be_used_are_refused() {
        for (address, error) in [
            ("", EndpointError::Url),
            ("127.0.0.1:80", EndpointError::Url),
            ("ftp://a.example", EndpointError::Scheme),
            ("http://u:p@a.example", EndpointError::Extras),
            ("http://a.example#x", EndpointError::Extras),
        ] {
            assert_eq!(endpoint(address).unwrap_err(), error, "{address}");
        }
        let small = Endpoint::new("http://a.example", "m", None, 512);
        assert_eq!(small.unwrap_err(), EndpointError::Context);
    }

    #[test]
    fn the_key_does_not_appear_in_debug_output() {
        let key = Key::new(" k-secret-1 ").unwrap();
        let endpoint = Endpoint::new("http://a.example", "m", key, 8192).unwrap();
        let output = format!("{endpoint:?} {:?}", endpoint.credentials());
        assert!(!output.contains("k-secret-1"), "{output}");
        assert!(Key::new("  ").unwrap().is_none());
        assert_eq!(Key::new("a\nb").unwrap_err(), EndpointError::Key);
    }
}
