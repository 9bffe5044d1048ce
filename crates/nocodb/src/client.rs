//! The client of NocoDB's REST API: one request at a time, at its pace, with its answers bounded.
//!
//! The address is an administrator's, and a database of one's own often stands in one's own
//! network: unlike the client that fetches recordings for users, this one goes to private and
//! loopback addresses. What it does not ask are link-local ones, where clouds give out the
//! machine's own credentials and no database is. Redirects are not followed: the token is for this
//! host.

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

use super::failure::Failure;
use slovo_platform::clock::Clock;
use slovo_platform::random::Random;
use slovo_platform::redacted::Redacted;

/// How the external database is spoken to.
#[derive(Clone, Copy, Debug)]
pub struct Manner {
    /// From one request to the next, at least. Their cloud takes five a second.
    pub pace: Duration,
    /// For a connection to be made.
    pub connect: Duration,
    /// For a whole answer.
    pub answer: Duration,
    /// Bytes of an answer that are read: a page of a hundred rows or of ten transcripts has room.
    pub max_bytes: usize,
    /// Tries of a request that may be repeated.
    pub tries: u32,
    /// Before the second try; twice as long before each one after it.
    pub pause: Duration,
    /// The longest that a server may ask to wait.
    pub max_wait: Duration,
}

impl Manner {
    /// That of a server that may be sent so many requests a second.
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

    /// The same for a test of the connection: somebody waits for it.
    #[must_use]
    pub const fn brief(self) -> Self {
        Self {
            connect: Duration::from_secs(5),
            answer: Duration::from_secs(10),
            tries: 2,
            max_wait: Duration::from_secs(2),
            ..self
        }
    }
}

/// What the client is made of.
pub struct Parts {
    /// Base address.
    pub api_url: String,
    /// The token.
    pub token: Redacted,
    /// How it is spoken to.
    pub manner: Manner,
    /// The time, for dates in answers.
    pub clock: Arc<dyn Clock>,
    /// Chance, for the pauses.
    pub random: Arc<dyn Random>,
    /// Told to stop.
    pub stop: CancellationToken,
}

/// Whether a request does no more when it is sent again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repeat {
    /// It does no more.
    Safe,
    /// It makes something each time.
    Unsafe,
}

/// See the module.
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
    /// The address is none, or link-local.
    pub fn new(parts: Parts) -> Result<Self, Failure> {
        let base = Url::parse(&format!("{}/", parts.api_url.trim_end_matches('/')));
        let base = base.map_err(|_| Failure::Dns)?;
        let host = base.host_str().unwrap_or_default();
        // An address is connected to without being looked up, so it is judged here.
        if let Ok(ip) = host.trim_matches(['[', ']']).parse::<IpAddr>()
            && is_link_local(ip)
        {
            return Err(Failure::Address);
        }
        let _ = rustls::crypto::ring::default_provider().install_default();
        let http = reqwest::Client::builder()
            .redirect(Policy::none())
            .no_proxy()
            .connect_timeout(parts.manner.connect)
            .dns_resolver(Arc::new(Lookup))
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

    /// Requests that were sent.
    pub fn requests(&self) -> u64 {
        self.requests.load(Ordering::Relaxed)
    }

    /// Asks for something.
    ///
    /// # Errors
    /// [`Failure`].
    pub async fn get(&self, path: &str, query: &[(&str, String)]) -> Result<Value, Failure> {
        self.send(Method::GET, path, query, None, Repeat::Safe)
            .await
    }

    /// Sends a request until it is answered, or as often as its manner says.
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
            let (failure, asked) = match self.once(&method, &url, body).await {
                Ok(value) => return Ok(value),
                Err(failure) => failure,
            };
            let again = match failure {
                // Whoever says so has done nothing.
                Failure::RateLimited => asked.is_none_or(|wait| wait <= self.parts.manner.max_wait),
                _ => failure.may_pass() && (repeat == Repeat::Safe || failure.never_arrived()),
            };
            if !again || tried >= self.parts.manner.tries {
                return Err(failure);
            }
            let pause = asked.unwrap_or_else(|| self.pause(tried));
            tracing::debug!(%failure, tried, ?pause, "asking NocoDB again");
            self.rest(pause).await?;
        }
    }

    /// One try; with a failure comes how long the server asks to wait.
    async fn once(
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
        let answered = async {
            let response = request.send().await;
            let response = response.map_err(|error| (Failure::of_client(&error), None))?;
            self.read(response).await
        };
        timeout(self.parts.manner.answer, answered)
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
                Ok(Some(chunk)) if text.len() + chunk.len() <= self.parts.manner.max_bytes => {
                    text.extend_from_slice(&chunk);
                }
                Ok(Some(_)) => return Err((Failure::TooLarge, None)),
                Ok(None) => break,
                Err(error) => return Err((Failure::of_client(&error), None)),
            }
        }
        let value = serde_json::from_slice::<Value>(&text);
        if status.is_success() {
            // A deletion may be answered with nothing.
            return match value {
                Ok(value) => Ok(value),
                Err(_) if text.is_empty() => Ok(Value::Null),
                Err(_) => Err((Failure::NotNocodb(Some(status.as_u16())), None)),
            };
        }
        let told = value.ok().map(|value| self.told(&value));
        let failure = match (status.as_u16(), told) {
            // A page of a proxy or another program.
            (404 | 405, None) => Failure::NotNocodb(Some(status.as_u16())),
            (_, told) => Failure::of_status(status, &told.unwrap_or_default()),
        };
        Err((failure, wait))
    }

    /// The server's own words of what is wrong, which never hold the token.
    fn told(&self, value: &Value) -> String {
        let part = |name: &str| value.get(name).and_then(Value::as_str).unwrap_or_default();
        let code = part("error");
        let message = [part("message"), part("msg")]
            .into_iter()
            .find(|m| !m.is_empty());
        let told = format!("{code} {}", message.unwrap_or_default());
        told.trim().replace(self.parts.token.expose(), "…")
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
        *next = turn + self.parts.manner.pace;
        drop(next);
        self.rest(turn.saturating_duration_since(now)).await
    }

    async fn rest(&self, pause: Duration) -> Result<(), Failure> {
        tokio::select! {
            biased;
            () = self.parts.stop.cancelled() => Err(Failure::Stopped),
            () = sleep(pause) => Ok(()),
        }
    }

    /// Twice as long with each try, and a little more by chance, so that several servers do not
    /// come back at the same moment.
    fn pause(&self, tried: u32) -> Duration {
        let mut byte = [0];
        self.parts.random.fill(&mut byte);
        let pause = self.parts.manner.pause * 2_u32.saturating_pow(tried - 1);
        pause + pause.mul_f64(f64::from(byte[0]) / 512.0)
    }
}

/// A host that stands for nothing but link-local addresses.
#[derive(Debug, thiserror::Error)]
#[error("the address is link-local")]
pub(super) struct LinkLocal;

/// Looks names up; see the module for what it leaves out.
struct Lookup;

impl Resolve for Lookup {
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
