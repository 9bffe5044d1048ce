//! The guarded HTTP client: one request; redirects are followed and every hop is checked.

use std::sync::OnceLock;
use std::time::Duration;

use jiff::Timestamp;
use jiff::fmt::rfc2822::DateTimeParser;
use reqwest::header::{
    ACCEPT, ACCEPT_ENCODING, ACCEPT_RANGES, CONTENT_LENGTH, CONTENT_RANGE, HeaderMap, IF_RANGE,
    LOCATION, RANGE, RETRY_AFTER,
};
use reqwest::redirect::Policy;
use reqwest::{Client, Response, StatusCode, Url};
use tokio::time::{Instant, timeout};

use crate::error::FetchError;
use crate::guard::{CONNECT_TIME, ClientResolver, Guard, GuardRefusal};

/// Redirects that are followed for one request.
pub const MAX_REDIRECTS: usize = 5;

/// Timeouts and the minimum transfer rate.
#[derive(Debug, Clone, Copy)]
pub struct TransferLimits {
    /// From a request to the head of its response.
    pub head: Duration,
    /// Between two pieces of a response's body.
    pub idle: Duration,
    /// In each window of this length...
    pub window: Duration,
    /// ...at least this many bytes must arrive: a slow connection must not occupy a slot for
    /// nothing.
    pub min_bytes: u64,
}

impl Default for TransferLimits {
    fn default() -> Self {
        Self {
            head: Duration::from_secs(20),
            idle: Duration::from_secs(30),
            window: Duration::from_secs(60),
            min_bytes: 64 * 1024,
        }
    }
}

/// The requested byte range of a file.
#[derive(Debug, Clone, Copy)]
pub struct Part<'a> {
    /// The first byte.
    pub from: u64,
    /// The last byte; `None` for the rest of the file.
    pub to: Option<u64>,
    /// Validator (`ETag` or date) for `If-Range`: if the file has changed, the response holds the
    /// whole file.
    pub if_range: Option<&'a str>,
}

/// A response whose body has not been read.
#[derive(Debug)]
pub struct Answer {
    /// The final URL after redirects.
    pub url: Url,
    response: Response,
    limits: TransferLimits,
    rate: MinimumRate,
}

/// Whether bytes come fast enough: at least [`TransferLimits::min_bytes`] in each window.
#[derive(Debug)]
pub struct MinimumRate {
    limits: TransferLimits,
    /// Bytes received in the current window.
    bytes: u64,
    since: Instant,
}

impl MinimumRate {
    /// The first window begins now.
    #[must_use]
    pub fn new(limits: TransferLimits) -> Self {
        Self {
            limits,
            bytes: 0,
            since: Instant::now(),
        }
    }

    /// Counts bytes that have come. `false` if there were too few in the window that has ended.
    pub fn keeps(&mut self, came: usize) -> bool {
        self.bytes += u64::try_from(came).unwrap_or(u64::MAX);
        if self.since.elapsed() < self.limits.window {
            return true;
        }
        let is_enough = self.bytes >= self.limits.min_bytes;
        *self = Self::new(self.limits);
        is_enough
    }
}

/// The client. The guard decides where its connections may go.
pub struct Http {
    guard: Guard,
    limits: TransferLimits,
    guarded: OnceLock<Client>,
    named: OnceLock<Client>,
}

impl Http {
    /// Creates a client; expensive parts are set up with the first request.
    #[must_use]
    pub fn new(guard: Guard, limits: TransferLimits) -> Self {
        Self {
            guard,
            limits,
            guarded: OnceLock::new(),
            named: OnceLock::new(),
        }
    }

    /// Requests a byte range and follows redirects. The response's status is 200 or 206. `now`
    /// resolves a date in `Retry-After`.
    ///
    /// # Errors
    /// The guard refused the address, or the response is of no use.
    pub async fn get(
        &self,
        url: &Url,
        part: Part<'_>,
        now: Timestamp,
    ) -> Result<Answer, FetchError> {
        let mut url = url.clone();
        for _ in 0..=MAX_REDIRECTS {
            self.guard.check(&url)?;
            let response = self.ask(&url, part).await?;
            let status = response.status();
            if matches!(status, StatusCode::OK | StatusCode::PARTIAL_CONTENT) {
                return Ok(Answer {
                    url,
                    response,
                    limits: self.limits,
                    rate: MinimumRate::new(self.limits),
                });
            }
            let Some(next) = redirected(&url, &response) else {
                return Err(status_error(status, response.headers(), now));
            };
            // A confidential request must not be downgraded to plain text.
            if url.scheme() == "https" && next.scheme() != "https" {
                return Err(GuardRefusal::Scheme.into());
            }
            url = next;
        }
        Err(GuardRefusal::Redirects.into())
    }

    /// The guard that decides where its connections go.
    pub(crate) fn guard(&self) -> &Guard {
        &self.guard
    }

    async fn ask(&self, url: &Url, part: Part<'_>) -> Result<Response, FetchError> {
        let end = part.to.map_or(String::new(), |to| to.to_string());
        let mut request = self
            .client(url)?
            .get(url.clone())
            .header(ACCEPT, "*/*")
            // Bytes are counted as they arrive, and nothing is decompressed.
            .header(ACCEPT_ENCODING, "identity");
        // No `Range` header for the whole file: a server may answer a range request with less.
        if part.from > 0 || part.to.is_some() {
            request = request.header(RANGE, format!("bytes={}-{end}", part.from));
        }
        if let Some(same) = part.if_range {
            request = request.header(IF_RANGE, same);
        }
        let result = timeout(self.limits.head, request.send()).await;
        let result = result.map_err(|_| FetchError::transient("no answer in time"))?;
        Ok(result?)
    }

    /// The client for this URL: the addresses that its connections may use depend on whether an
    /// administrator has listed the host and port.
    pub(crate) fn client(&self, url: &Url) -> Result<&Client, FetchError> {
        let port = url.port_or_known_default().unwrap_or_default();
        let is_allowed = self
            .guard
            .is_allowed(url.host_str().unwrap_or_default(), port);
        let place = if is_allowed {
            &self.named
        } else {
            &self.guarded
        };
        if let Some(client) = place.get() {
            return Ok(client);
        }
        let client = self.build(is_allowed).map_err(|error| {
            tracing::error!(%error, "no HTTP client");
            FetchError::transient("no HTTP client")
        })?;
        Ok(place.get_or_init(|| client))
    }

    fn build(&self, is_allowed: bool) -> reqwest::Result<Client> {
        // Another part of the program may have installed the TLS provider already.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let resolver = ClientResolver {
            guard: self.guard.clone(),
            named: is_allowed,
        };
        Client::builder()
            .connect_timeout(CONNECT_TIME)
            .redirect(Policy::none())
            .referer(false)
            // A proxy from the environment would resolve names itself, past the guard.
            .no_proxy()
            .dns_resolver(resolver)
            .user_agent(concat!("Slovo/", env!("CARGO_PKG_VERSION")))
            .build()
    }
}

/// The target of a redirect; `None` if the response is none.
fn redirected(url: &Url, response: &Response) -> Option<Url> {
    let status = response.status().as_u16();
    if !matches!(status, 301 | 302 | 303 | 307 | 308) {
        return None;
    }
    let location = response.headers().get(LOCATION)?;
    url.join(std::str::from_utf8(location.as_bytes()).ok()?)
        .ok()
}

/// The error for a response that is neither a file nor a redirect.
fn status_error(status: StatusCode, headers: &HeaderMap, now: Timestamp) -> FetchError {
    let wait = headers.get(RETRY_AFTER);
    let wait = wait.and_then(|value| retry_after(value.to_str().ok()?, now));
    FetchError::status(status.as_u16(), wait)
}

/// Seconds, or a date.
fn retry_after(value: &str, now: Timestamp) -> Option<Duration> {
    if let Ok(seconds) = value.trim().parse() {
        return Some(Duration::from_secs(seconds));
    }
    let at = DateTimeParser::new().parse_timestamp(value.trim()).ok()?;
    Duration::try_from(at.duration_since(now)).ok()
}

impl Answer {
    /// The offset of the body in the file, and the size of the whole file if known; `None` if the
    /// headers make no sense.
    #[must_use]
    pub fn place(&self) -> Option<(u64, Option<u64>)> {
        if self.response.status() == StatusCode::PARTIAL_CONTENT {
            return content_range(self.header(CONTENT_RANGE.as_str())?);
        }
        let length = self.header(CONTENT_LENGTH.as_str());
        Some((0, length.and_then(|length| length.trim().parse().ok())))
    }

    /// Whether the end of the body is the end of the file: a part of a file of unknown length may
    /// be followed by more.
    #[must_use]
    pub fn ends_file(&self) -> bool {
        let is_part = self.response.status() == StatusCode::PARTIAL_CONTENT;
        !is_part || matches!(self.place(), Some((_, Some(_))))
    }

    /// Whether the server announces support for byte ranges.
    #[must_use]
    pub fn offers_parts(&self) -> bool {
        let units = self.header(ACCEPT_RANGES.as_str());
        let mut units = units.unwrap_or_default().split(',');
        units.any(|unit| unit.trim().eq_ignore_ascii_case("bytes"))
    }

    /// A header, if it is plain text.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.response.headers().get(name)?.to_str().ok()
    }

    /// A header's bytes.
    #[must_use]
    pub fn raw_header(&self, name: &str) -> Option<&[u8]> {
        Some(self.response.headers().get(name)?.as_bytes())
    }

    /// The next piece of the body; `None` at its end.
    ///
    /// # Errors
    /// The connection broke, or the transfer was too slow.
    pub async fn chunk(&mut self) -> Result<Option<impl AsRef<[u8]> + use<>>, FetchError> {
        let chunk = timeout(self.limits.idle, self.response.chunk()).await;
        let chunk = chunk.map_err(|_| FetchError::transient("nothing came for too long"))??;
        match &chunk {
            Some(chunk) if !self.rate.keeps(chunk.len()) => {
                Err(FetchError::transient("the bytes come too slowly"))
            }
            _ => Ok(chunk),
        }
    }
}

/// `bytes 0-99/1234`, or `*` for what is not known.
fn content_range(value: &str) -> Option<(u64, Option<u64>)> {
    let rest = value.trim().strip_prefix("bytes ")?;
    let (range, total) = rest.split_once('/')?;
    let (first, last) = range.split_once('-')?;
    let (first, last): (u64, u64) = (first.trim().parse().ok()?, last.trim().parse().ok()?);
    let total = match total.trim() {
        "*" => None,
        total => Some(total.parse().ok()?),
    };
    let is_valid = first <= last && total.is_none_or(|total| last < total);
    is_valid.then_some((first, total))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_range_headers_are_parsed_and_invalid_ones_ignored() {
        assert_eq!(content_range("bytes 0-99/1234"), Some((0, Some(1234))));
        assert_eq!(content_range("bytes 5-9/*"), Some((5, None)));
        for wrong in [
            "",
            "bytes */5",
            "bytes 9-5/10",
            "bytes 0-10/10",
            "items 0-1/2",
            "bytes 0-1",
        ] {
            assert_eq!(content_range(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn retry_after_is_a_number_of_seconds_or_a_date() {
        let now: Timestamp = "2026-03-01T12:00:00Z".parse().unwrap();
        assert_eq!(retry_after("7", now), Some(Duration::from_secs(7)));
        let date = "Sun, 01 Mar 2026 12:01:00 GMT";
        assert_eq!(retry_after(date, now), Some(Duration::from_secs(60)));
        assert_eq!(retry_after("Sun, 01 Mar 2026 11:00:00 GMT", now), None);
        assert_eq!(retry_after("soon", now), None);
    }
}
