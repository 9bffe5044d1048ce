//! One guarded POST. No redirect is followed: what is posted is signed and meant for one place.

use std::time::Duration;

use reqwest::header::{HeaderMap, RETRY_AFTER};
use reqwest::{Body, Response, StatusCode, Url};
use tokio::time::timeout;

use crate::client::Http;
use crate::guard::{Refusal, refusal_in};

/// Why there is no answer.
#[derive(Debug, thiserror::Error, Clone, Copy, PartialEq, Eq)]
pub enum PostError {
    /// The server does not go there.
    #[error("refused: {0}")]
    Refused(#[from] Refusal),
    /// Nothing came in time.
    #[error("no answer in time")]
    TimedOut,
    /// Nobody answers there, or the name or the certificate is wrong.
    #[error("no connection")]
    NoConnection,
    /// What is answered is not HTTP.
    #[error("the answer is not HTTP")]
    NotHttp,
    /// It broke off on the way.
    #[error("the answer broke off")]
    BrokenOff,
    /// It is longer than it may be.
    #[error("the answer is too long")]
    TooLong,
}

impl PostError {
    /// Its stable name.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Refused(Refusal::Address) => "refused_address",
            Self::Refused(Refusal::Port) => "refused_port",
            Self::Refused(Refusal::Scheme | Refusal::Credentials | Refusal::Redirects) => {
                "refused_url"
            }
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

/// An answer whose body has not been read.
#[derive(Debug)]
pub struct Posted(Response);

impl Http {
    /// Posts to an address and waits so long for the head of an answer, whatever its status.
    ///
    /// # Errors
    /// The server does not go there, or nothing is answered.
    pub async fn post(
        &self,
        url: &Url,
        headers: HeaderMap,
        body: impl Into<Body>,
        patience: Duration,
    ) -> Result<Posted, PostError> {
        self.guard().check(url)?;
        let client = self.client(url).map_err(|_| PostError::NoConnection)?;
        let request = client.post(url.clone()).headers(headers).body(body);
        let answered = timeout(patience, request.send()).await;
        let answered = answered.map_err(|_| PostError::TimedOut)?;
        Ok(Posted(answered?))
    }
}

impl Posted {
    /// Its status.
    #[must_use]
    pub fn status(&self) -> StatusCode {
        self.0.status()
    }

    /// Seconds after which the other side wants to be asked again, if it says so.
    #[must_use]
    pub fn retry_after(&self) -> Option<Duration> {
        let value = self.0.headers().get(RETRY_AFTER)?.to_str().ok()?;
        value.trim().parse().ok().map(Duration::from_secs)
    }

    /// The whole body, of at most `most` bytes, each piece of which comes within `idle`.
    ///
    /// # Errors
    /// It is longer, or breaks off.
    pub async fn body(mut self, most: usize, idle: Duration) -> Result<Vec<u8>, PostError> {
        let mut body = Vec::new();
        loop {
            let chunk = timeout(idle, self.0.chunk()).await;
            let chunk = chunk.map_err(|_| PostError::TimedOut)?;
            let Some(chunk) = chunk.map_err(|_| PostError::BrokenOff)? else {
                return Ok(body);
            };
            if body.len() + chunk.len() > most {
                return Err(PostError::TooLong);
            }
            body.extend_from_slice(&chunk);
        }
    }
}
