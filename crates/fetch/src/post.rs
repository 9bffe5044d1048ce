//! One guarded request of any method. Redirects are not followed: its body or its headers are meant for
//! one recipient.

use std::time::Duration;

use bytes::Bytes;
use reqwest::header::{HeaderMap, HeaderName, RETRY_AFTER};
use reqwest::{Body, Method, Response, StatusCode, Url};
use tokio::time::timeout;

use crate::client::Http;
use crate::guard::{GuardRefusal, refusal_in};

/// Why there is no response.
#[derive(Debug, thiserror::Error, Clone, Copy, PartialEq, Eq)]
pub enum PostError {
    /// The guard refused the address.
    #[error("refused: {0}")]
    Refused(#[from] GuardRefusal),
    /// Timed out.
    #[error("no answer in time")]
    TimedOut,
    /// The connection failed: nobody listens, or the name or the certificate is wrong.
    #[error("no connection")]
    NoConnection,
    /// The response is not HTTP.
    #[error("the answer is not HTTP")]
    NotHttp,
    /// The connection broke.
    #[error("the answer broke off")]
    BrokenOff,
    /// The response is too long.
    #[error("the answer is too long")]
    TooLong,
}

impl PostError {
    /// Its stable name.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Refused(GuardRefusal::Address) => "refused_address",
            Self::Refused(GuardRefusal::Port) => "refused_port",
            Self::Refused(
                GuardRefusal::Scheme | GuardRefusal::Credentials | GuardRefusal::Redirects,
            ) => "refused_url",
            Self::TimedOut => "timed_out",
            Self::NoConnection => "no_connection",
            Self::NotHttp => "not_http",
            Self::BrokenOff => "broken_off",
            Self::TooLong => "too_long",
        }
    }
}

impl From<reqwest::Error> for PostError {
    fn from(error: reqwest::Error) -> Self {
        if let Some(refusal) = refusal_in(&error) {
            return refusal.into();
        }
        if error.is_timeout() {
            Self::TimedOut
        } else if error.is_connect() {
            Self::NoConnection
        } else if error.is_body() || error.is_decode() {
            Self::BrokenOff
        } else {
            Self::NotHttp
        }
    }
}

/// A response whose body has not been read.
#[derive(Debug)]
pub struct PostResponse(Response);

impl Http {
    /// Posts to a URL and waits up to the given time for the head of a response, whatever its
    /// status.
    ///
    /// # Errors
    /// The guard refused the address, or there is no response.
    pub async fn post(
        &self,
        url: &Url,
        headers: HeaderMap,
        body: impl Into<Body>,
        time_limit: Duration,
    ) -> Result<PostResponse, PostError> {
        self.send(Method::POST, url, headers, body, time_limit)
            .await
    }

    /// [`Http::post`] with any method.
    ///
    /// # Errors
    /// The guard refused the address, or there is no response.
    pub async fn send(
        &self,
        method: Method,
        url: &Url,
        headers: HeaderMap,
        body: impl Into<Body>,
        time_limit: Duration,
    ) -> Result<PostResponse, PostError> {
        self.guard().check(url)?;
        let client = self.client(url).map_err(|_| PostError::NoConnection)?;
        let request = client.request(method, url.clone());
        let request = request.headers(headers).body(body);
        let result = timeout(time_limit, request.send()).await;
        let result = result.map_err(|_| PostError::TimedOut)?;
        Ok(PostResponse(result?))
    }
}

impl PostResponse {
    /// Its status.
    #[must_use]
    pub fn status(&self) -> StatusCode {
        self.0.status()
    }

    /// The response's `Retry-After` in seconds, if any.
    #[must_use]
    pub fn retry_after(&self) -> Option<Duration> {
        let value = self.0.headers().get(RETRY_AFTER)?.to_str().ok()?;
        value.trim().parse().ok().map(Duration::from_secs)
    }

    /// A header of the response, if it is text.
    #[must_use]
    pub fn header(&self, name: &HeaderName) -> Option<&str> {
        self.0.headers().get(name)?.to_str().ok()
    }

    /// The whole body, of at most `most` bytes; `idle` is the longest wait between two pieces.
    ///
    /// # Errors
    /// The body is longer, or the connection breaks.
    pub async fn body(mut self, limit: usize, idle: Duration) -> Result<Vec<u8>, PostError> {
        let mut body = Vec::new();
        while let Some(chunk) = self.chunk(idle).await? {
            if body.len() + chunk.len() > limit {
                return Err(PostError::TooLong);
            }
            body.extend_from_slice(&chunk);
        }
        Ok(body)
    }

    /// The next piece of the body; `None` at its end. `idle` is the longest wait.
    ///
    /// # Errors
    /// The connection breaks.
    pub async fn chunk(&mut self, idle: Duration) -> Result<Option<Bytes>, PostError> {
        let chunk = timeout(idle, self.0.chunk()).await;
        let chunk = chunk.map_err(|_| PostError::TimedOut)?;
        chunk.map_err(|_| PostError::BrokenOff)
    }
}
