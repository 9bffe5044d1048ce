//! What an administrator says about the endpoint, and how long it is waited for.

use std::fmt;
use std::time::Duration;

use reqwest::Url;
use reqwest::header::HeaderValue;

/// Context that is taken for granted where none is configured, in tokens.
pub const DEFAULT_CONTEXT: usize = 8192;

/// Smallest context that instructions, a piece of text and an answer fit into, in tokens.
pub const MIN_CONTEXT: usize = 2048;

/// Why an endpoint cannot be used as it is configured. No text of it holds the key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum EndpointError {
    /// It is no absolute address.
    #[error("the address of the endpoint is not an address")]
    Url,
    /// Its scheme is another.
    #[error("the address of the endpoint has to begin with http:// or https://")]
    Scheme,
    /// A name, a password, a query or a fragment in it: they would be shown where addresses are.
    #[error("the address of the endpoint must have no password, query or fragment in it")]
    Extras,
    /// A key that no header can carry.
    #[error("the key of the endpoint has characters that cannot be sent")]
    Key,
    /// Too small.
    #[error("the context of the endpoint has to be at least {MIN_CONTEXT} tokens")]
    Context,
    /// The machine has no certificates to trust, or the like.
    #[error("there is no HTTP client")]
    Client,
}

/// The key of the endpoint. It is sent in one header and shown nowhere.
#[derive(Clone)]
pub struct Key(HeaderValue);

impl Key {
    /// A key; `None` where it is blank.
    ///
    /// # Errors
    /// [`EndpointError::Key`]
    pub fn new(key: &str) -> Result<Option<Self>, EndpointError> {
        let key = key.trim();
        if key.is_empty() {
            return Ok(None);
        }
        let mut value =
            HeaderValue::from_str(&format!("Bearer {key}")).map_err(|_| EndpointError::Key)?;
        value.set_sensitive(true);
        Ok(Some(Self(value)))
    }

    /// What `Authorization` says.
    pub(super) fn header(&self) -> HeaderValue {
        self.0.clone()
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(…)")
    }
}

/// How long and how often an endpoint is asked, and how much it may answer.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Until a connection stands.
    pub connect: Duration,
    /// Without a byte, before and within an answer (`ANALYSIS_TIMEOUT`).
    pub idle: Duration,
    /// One answer from its request to its end.
    pub total: Duration,
    /// Tries of one request, the first included.
    pub attempts: u32,
    /// Before the second try; doubled with each further one.
    pub pause: Duration,
    /// Longest time between two tries. An endpoint that asks for more is busy, and the task ends.
    pub longest_pause: Duration,
    /// Bytes of an answer as they come; each token of a stream brings about 300 along.
    pub wire_bytes: usize,
    /// Bytes of text in an answer.
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
    url: Url,
    /// Name of the model, as it is asked for and shown.
    pub model: String,
    /// The key, if it wants one.
    pub key: Option<Key>,
    /// Tokens that a request and its answer may have together.
    pub context: usize,
    /// Patience.
    pub limits: Limits,
}

impl Endpoint {
    /// An endpoint below a base address such as `http://127.0.0.1:8080/v1`, with the default
    /// limits. It may be local: the administrator names it.
    ///
    /// # Errors
    /// [`EndpointError`]: what is wrong with the address or the context.
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
        let is_plain = url.username().is_empty()
            && url.password().is_none()
            && url.query().is_none()
            && url.fragment().is_none();
        if !is_plain {
            return Err(EndpointError::Extras);
        }
        if context < MIN_CONTEXT {
            return Err(EndpointError::Context);
        }
        let path = format!("{}/chat/completions", url.path().trim_end_matches('/'));
        url.set_path(&path);
        Ok(Self {
            url,
            model: model.trim().to_owned(),
            key,
            context,
            limits: Limits::default(),
        })
    }

    /// Where texts go: host, with the port where it is not the scheme's own.
    #[must_use]
    pub fn host(&self) -> String {
        let host = self.url.host_str().unwrap_or_default();
        self.url
            .port()
            .map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
    }

    /// Where requests go.
    pub(super) const fn url(&self) -> &Url {
        &self.url
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn endpoint(url: &str) -> Result<Endpoint, EndpointError> {
        Endpoint::new(url, "m", None, DEFAULT_CONTEXT)
    }

    #[test]
    fn the_path_follows_the_base_with_or_without_a_slash() {
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
    fn addresses_that_cannot_be_used_are_refused() {
        for (address, error) in [
            ("", EndpointError::Url),
            ("127.0.0.1:80", EndpointError::Url),
            ("ftp://a.example", EndpointError::Scheme),
            ("http://u:p@a.example", EndpointError::Extras),
            ("http://a.example?key=1", EndpointError::Extras),
        ] {
            assert_eq!(endpoint(address).unwrap_err(), error, "{address}");
        }
        let small = Endpoint::new("http://a.example", "m", None, 512);
        assert_eq!(small.unwrap_err(), EndpointError::Context);
    }

    #[test]
    fn the_key_is_shown_nowhere() {
        let key = Key::new(" k-secret-1 ").unwrap();
        let endpoint = Endpoint::new("http://a.example", "m", key, 8192).unwrap();
        let shown = format!("{endpoint:?} {:?}", endpoint.key.as_ref().unwrap().header());
        assert!(!shown.contains("k-secret-1"), "{shown}");
        assert!(Key::new("  ").unwrap().is_none());
        assert_eq!(Key::new("a\nb").unwrap_err(), EndpointError::Key);
    }
}
