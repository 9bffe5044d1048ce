//! The client of NocoDB's REST API: sequential requests, rate-limited, with bounded responses.
//!
//! An administrator sets the address, and a self-hosted database is often on a private network:
//! unlike the client that downloads recordings for users, this one connects to private and loopback
//! addresses. It refuses link-local ones, where cloud metadata services hand out the machine's
//! credentials and no database is. Redirects are not followed: the token is for this host only.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use jiff::Timestamp;
use jiff::fmt::rfc2822::DateTimeParser;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::header::{ACCEPT, CONTENT_TYPE, RETRY_AFTER};
use reqwest::redirect::Policy;
use reqwest::{Method, Response, Url};
use serde_json::Value;
use tokio::sync::Mutex;
use tokio::time::{Instant, sleep, timeout};
use tokio_util::sync::CancellationToken;

use super::failure::{Failure, LinkLocal};
use slovo_platform::clock::Clock;
use slovo_platform::random::Random;
use slovo_platform::redacted::Redacted;

/// Limits of the client.
#[derive(Clone, Copy, Debug)]
pub struct ClientLimits {
    /// Shortest time between two requests. NocoDB's cloud allows five per second.
    pub pace: Duration,
    /// Connection timeout.
    pub connect: Duration,
    /// Timeout of a whole response.
    pub answer: Duration,
    /// Largest response, in bytes: enough for a page of a hundred rows or ten transcripts.
    pub max_bytes: usize,
    /// Attempts of a request that may be repeated.
    pub tries: u32,
    /// Pause before the second attempt; it doubles with each further attempt.
    pub pause: Duration,
    /// Longest `Retry-After` that is honoured.
    pub max_wait: Duration,
}

impl ClientLimits {
    /// Limits for a server that accepts this many requests per second.
    #[must_use]
    pub fn of_rate(requests_per_second: u32) -> Self {
        let pace = Duration::from_secs(1) / requests_per_second.max(1);
        Self {
            pace,
            connect: Duration::from_secs(10),
            answer: Duration::from_secs(60),
            max_bytes: 8 * 1024 * 1024,
            tries: 5,
            pause: pace * 5,
            max_wait: Duration::from_secs(120),
        }
    }

    /// Limits for a connection test, for which a user waits.
    #[must_use]
    pub const fn for_connection_test(self) -> Self {
        Self {
            connect: Duration::from_secs(5),
            answer: Duration::from_secs(10),
            tries: 2,
            max_wait: Duration::from_secs(2),
            ..self
        }
    }
}

/// The dependencies of the client.
pub struct Parts {
    /// Base address.
    pub api_url: String,
    /// The token.
    pub token: Redacted,
    /// Limits.
    pub limits: ClientLimits,
    /// The time, for dates in responses.
    pub clock: Arc<dyn Clock>,
    /// Randomness, for jitter.
    pub random: Arc<dyn Random>,
    /// Cancelled on shutdown.
    pub stop: CancellationToken,
}

/// Whether a request is idempotent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repeat {
    /// It is idempotent.
    Safe,
    /// It creates something each time.
    Unsafe,
}

/// The client of NocoDB's REST API.
pub struct Client {
    http: reqwest::Client,
    base: Url,
    parts: Parts,
    /// When the next request may be sent.
    next: Mutex<Instant>,
    requests: AtomicU64,
}

impl Client {
    /// A client for this address.
    ///
    /// # Errors
    /// The address is invalid or link-local.
    pub fn new(parts: Parts) -> Result<Self, Failure> {
        let base = Url::parse(&format!("{}/", parts.api_url.trim_end_matches('/')));
        let base = base.map_err(|_| Failure::Dns)?;
        let host = base.host_str().unwrap_or_default();
        // IP addresses are connected to without a lookup, so they are checked here.
        if let Ok(ip) = host.trim_matches(['[', ']']).parse::<IpAddr>()
            && is_link_local(ip)
        {
            return Err(Failure::Address);
        }
        let _ = rustls::crypto::ring::default_provider().install_default();
        let http = reqwest::Client::builder()
            .redirect(Policy::none())
            .no_proxy()
            .connect_timeout(parts.limits.connect)
            .dns_resolver(Arc::new(FilteringResolver))
            .build()
            .map_err(|error| Failure::of_client(&error))?;
        Ok(Self {
            http,
            base,
            parts,
            next: Mutex::new(Instant::now()),
            requests: AtomicU64::new(0),
        })
    }

    /// The number of requests sent.
    pub fn requests(&self) -> u64 {
        self.requests.load(Ordering::Relaxed)
    }

    /// Sends a GET request.
    ///
    /// # Errors
    /// [`Failure`].
    pub async fn get(&self, path: &str, query: &[(&str, String)]) -> Result<Value, Failure> {
        self.send(Method::GET, path, query, None, Repeat::Safe)
            .await
    }

    /// Sends a request until it succeeds, or as often as its repeatability allows.
    ///
    /// # Errors
    /// [`Failure`].
    pub async fn send(
        &self,
        method: Method,
        path: &str,
        query: &[(&str, String)],
        body: Option<&Value>,
        repeat: Repeat,
    ) -> Result<Value, Failure> {
        let mut url = self
            .base
            .join(path)
            .map_err(|_| Failure::Malformed("path"))?;
        if !query.is_empty() {
            url.query_pairs_mut().extend_pairs(query);
        }
        let mut tried = 0;
        loop {
            self.wait_for_turn().await?;
            tried += 1;
            let (failure, retry_after) = match self.try_once(&method, &url, body).await {
                Ok(value) => return Ok(value),
                Err(failure) => failure,
            };
            let again = match failure {
                // A server that answers so has not carried out the request.
                Failure::RateLimited => {
                    retry_after.is_none_or(|wait| wait <= self.parts.limits.max_wait)
                }
                _ => failure.is_transient() && (repeat == Repeat::Safe || failure.never_arrived()),
            };
            if !again || tried >= self.parts.limits.tries {
                return Err(failure);
            }
            let pause = retry_after.unwrap_or_else(|| self.pause(tried));
            tracing::debug!(%failure, tried, ?pause, "asking NocoDB again");
            self.wait(pause).await?;
        }
    }

    /// One attempt; a failure comes with the delay that the server requests.
    async fn try_once(
        &self,
        method: &Method,
        url: &Url,
        body: Option<&Value>,
    ) -> Result<Value, (Failure, Option<Duration>)> {
        self.requests.fetch_add(1, Ordering::Relaxed);
        let mut request = self
            .http
            .request(method.clone(), url.clone())
            .header(ACCEPT, "application/json")
            .header("xc-token", self.parts.token.expose());
        if let Some(body) = body {
            request = request
                .header(CONTENT_TYPE, "application/json")
                .body(body.to_string());
        }
        let exchange = async {
            let response = request.send().await;
            let response = response.map_err(|error| (Failure::of_client(&error), None))?;
            self.read(response).await
        };
        timeout(self.parts.limits.answer, exchange)
            .await
            .unwrap_or(Err((Failure::Timeout, None)))
    }

    async fn read(&self, mut response: Response) -> Result<Value, (Failure, Option<Duration>)> {
        let status = response.status();
        let wait = response.headers().get(RETRY_AFTER);
        let wait = wait.and_then(|wait| self.wait_of(wait.to_str().ok()?));
        let mut text = Vec::new();
        loop {
            match response.chunk().await {
                Ok(Some(chunk)) if text.len() + chunk.len() <= self.parts.limits.max_bytes => {
                    text.extend_from_slice(&chunk);
                }
                Ok(Some(_)) => return Err((Failure::TooLarge, None)),
                Ok(None) => break,
                Err(error) => return Err((Failure::of_client(&error), None)),
            }
        }
        let value = serde_json::from_slice::<Value>(&text);
        if status.is_success() {
            // A deletion may have an empty response.
            return match value {
                Ok(value) => Ok(value),
                Err(_) if text.is_empty() => Ok(Value::Null),
                Err(_) => Err((Failure::NotNocodb(Some(status.as_u16())), None)),
            };
        }
        let message = value.ok().map(|value| self.error_message(&value));
        let failure = match (status.as_u16(), message) {
            // A page of a proxy or another program.
            (404 | 405, None) => Failure::NotNocodb(Some(status.as_u16())),
            (_, message) => Failure::of_status(status, &message.unwrap_or_default()),
        };
        Err((failure, wait))
    }

    /// The server's error message, which never contains the token.
    fn error_message(&self, value: &Value) -> String {
        let part = |name: &str| value.get(name).and_then(Value::as_str).unwrap_or_default();
        let code = part("error");
        let message = [part("message"), part("msg")]
            .into_iter()
            .find(|m| !m.is_empty());
        let text = format!("{code} {}", message.unwrap_or_default());
        text.trim().replace(self.parts.token.expose(), "…")
    }

    /// `Retry-After`, in seconds or as a date.
    fn wait_of(&self, text: &str) -> Option<Duration> {
        if let Ok(seconds) = text.trim().parse() {
            return Some(Duration::from_secs(seconds));
        }
        let until: Timestamp = DateTimeParser::new().parse_timestamp(text).ok()?;
        let milliseconds = until.as_millisecond() - self.parts.clock.now_ms();
        Some(Duration::from_millis(
            u64::try_from(milliseconds).unwrap_or(0),
        ))
    }

    async fn wait_for_turn(&self) -> Result<(), Failure> {
        let mut next = self.next.lock().await;
        let now = Instant::now();
        let turn = (*next).max(now);
        *next = turn + self.parts.limits.pace;
        drop(next);
        self.wait(turn.saturating_duration_since(now)).await
    }

    async fn wait(&self, pause: Duration) -> Result<(), Failure> {
        tokio::select! {
            biased;
            () = self.parts.stop.cancelled() => Err(Failure::Stopped),
            () = sleep(pause) => Ok(()),
        }
    }

    /// Exponential backoff with jitter, so that several servers do not retry at the same moment.
    fn pause(&self, tried: u32) -> Duration {
        let mut byte = [0];
        self.parts.random.fill(&mut byte);
        let pause = self.parts.limits.pause * 2_u32.saturating_pow(tried - 1);
        pause + pause.mul_f64(f64::from(byte[0]) / 512.0)
    }
}

/// Resolves names, without link-local addresses.
struct FilteringResolver;

impl Resolve for FilteringResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let host = name.as_str().to_owned();
        Box::pin(async move {
            let found = tokio::net::lookup_host((host, 0)).await?;
            let (out, fine): (Vec<SocketAddr>, Vec<SocketAddr>) =
                found.partition(|address| is_link_local(address.ip()));
            if fine.is_empty() && !out.is_empty() {
                return Err(io::Error::other(LinkLocal).into());
            }
            Ok(Box::new(fine.into_iter()) as Addrs)
        })
    }
}

fn is_link_local(ip: IpAddr) -> bool {
    match ip {
        IpAddr::V4(v4) => v4.is_link_local(),
        IpAddr::V6(v6) => match v6.to_ipv4_mapped() {
            Some(v4) => v4.is_link_local(),
            None => v6.segments()[0] & 0xffc0 == 0xfe80,
        },
    }
}
