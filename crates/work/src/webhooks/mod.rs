//! Webhooks: external services that the server calls, following Standard Webhooks
//! (standardwebhooks.com).
//!
//! A call is a POST of `{"type", "timestamp", "data"}` as JSON. `webhook-id` identifies the event
//! and is the same for every attempt, `webhook-timestamp` is the time of this attempt, and
//! `webhook-signature` signs both and the body with the service's key ([`signature`]). A status of
//! 200 to 299 means that the event was accepted; the body of the response is not read. Every other
//! status is a failure: 410 also stops all calls to the service, and redirects are not followed.
//! Failed deliveries are retried according to [`schedule`].
//!
//! `slovo_db::webhooks::events` defines which events are sent and when; [`envelope`] adds links
//! that work for a day ([`links`]) and are new for every attempt. Services of the category
//! transcription are called by `crate::jobs` ([`recognition`]), which waits for the transcript in
//! the response.
//!
//! Every connection passes the guard of `slovo_fetch`, with separate allow lists of private addresses
//! for services of administrators and for webhooks of users: neither is necessarily an administrator
//! of the network.

mod answer;
pub mod envelope;
pub mod links;
pub mod recognition;
pub mod schedule;
pub mod signature;
mod worker;

use std::sync::Arc;
use std::time::Duration;

use reqwest::header::{self, HeaderMap, HeaderName, HeaderValue};
use reqwest::{StatusCode, Url};
use serde_json::Value;
use slovo_db::Database;
use slovo_db::webhooks::deliveries::{AttemptResult, Lane};
use slovo_db::webhooks::services::Service;
use slovo_rules::webhook::ANSWER_SECONDS;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use signature::Key;
use slovo_fetch::allow_list::AllowListEntry;
use slovo_fetch::client::{Http, TransferLimits};
use slovo_fetch::guard::{Guard, GuardRefusal};
use slovo_fetch::post::{PostError, PostResponse};
use slovo_platform::clock::Clock;
use slovo_platform::random::Random;
use slovo_platform::secret::Secret;

/// How long a service may take to respond to an event: it should store it and process it later.
pub const ANSWER_TIME: Duration = Duration::from_secs(ANSWER_SECONDS);

/// How long messages are also signed with the previous key, in milliseconds: administrators have a
/// day to install the new one.
pub const OVERLAP_MS: i64 = 24 * 60 * 60 * 1000;

/// A message to a service.
#[derive(Clone, Debug)]
pub struct Message {
    /// Identifies the event; the same for all attempts.
    pub id: String,
    /// The body.
    pub body: Value,
}

/// Dependencies of the calls.
pub struct Parts {
    /// The database of services and deliveries.
    pub db: Database,
    /// The clock.
    pub clock: Arc<dyn Clock>,
    /// Random source for claims.
    pub random: Arc<dyn Random>,
    /// Secret that keys are derived from.
    pub secret: Secret,
    /// Private hosts and addresses where services of administrators may be.
    pub allow: Vec<AllowListEntry>,
    /// Private hosts and addresses where webhooks of users may be.
    pub allow_for_users: Vec<AllowListEntry>,
    /// The server's public URL, without a trailing slash.
    pub base: String,
    /// Cancelled when the server stops.
    pub shutdown: CancellationToken,
    /// Tasks that the server waits for before it exits.
    pub tasks: TaskTracker,
}

/// Calls services. Cheap to clone.
#[derive(Clone)]
pub struct Webhooks(Arc<Inner>);

struct Inner {
    db: Database,
    of_administrators: Caller,
    of_users: Caller,
    clock: Arc<dyn Clock>,
    random: Arc<dyn Random>,
    secret: Secret,
    shutdown: CancellationToken,
    tasks: TaskTracker,
    /// The server's public URL, without a trailing slash.
    base: String,
}

/// Calls receivers, and none at forbidden addresses.
struct Caller {
    http: Http,
    guard: Guard,
}

impl Caller {
    fn allowing(allow: &[AllowListEntry]) -> Self {
        let guard = Guard::allowing(allow);
        Self {
            http: Http::new(guard.clone(), TransferLimits::default()),
            guard,
        }
    }
}

impl Webhooks {
    /// Starts nothing; see [`Webhooks::send_periodically`].
    #[must_use]
    pub fn new(parts: Parts) -> Self {
        Self(Arc::new(Inner {
            db: parts.db,
            of_administrators: Caller::allowing(&parts.allow),
            of_users: Caller::allowing(&parts.allow_for_users),
            clock: parts.clock,
            random: parts.random,
            secret: parts.secret,
            base: parts.base,
            shutdown: parts.shutdown,
            tasks: parts.tasks,
        }))
    }

    fn caller(&self, lane: Lane) -> &Caller {
        match lane {
            Lane::Administrators => &self.0.of_administrators,
            Lane::Users => &self.0.of_users,
        }
    }

    /// Whether a URL that administrators or users register may be called, judging by the URL alone.
    ///
    /// # Errors
    /// The guard refuses the URL.
    pub fn accepts(&self, lane: Lane, url: &str) -> Result<(), GuardRefusal> {
        let url = Url::parse(url).map_err(|_| GuardRefusal::Scheme)?;
        self.caller(lane).guard.check(&url)
    }

    /// The newest key of a service, in the form that is shown once.
    #[must_use]
    pub fn shown_secret(&self, service: &Service) -> String {
        Key::of(&self.0.secret, service.id, service.key_number).shown()
    }

    /// The keys in use for signing, newest first.
    fn keys(&self, service: &Service) -> Vec<Key> {
        let key = |number| Key::of(&self.0.secret, service.id, number);
        let mut keys = vec![key(service.key_number)];
        let since = self.0.clock.now_ms() - OVERLAP_MS;
        if service.key_number > 1 && service.rotated_at.is_some_and(|at| at > since) {
            keys.push(key(service.key_number - 1));
        }
        keys
    }

    /// Posts a message and waits for the head of the response.
    ///
    /// # Errors
    /// The guard refuses the URL, or there is no response.
    pub async fn post(
        &self,
        service: &Service,
        message: &Message,
        time_limit: Duration,
    ) -> Result<PostResponse, PostError> {
        let refused = |_| PostError::Refused(GuardRefusal::Scheme);
        let url = Url::parse(&service.form.url).map_err(refused)?;
        let body = message.body.to_string();
        let timestamp = self.0.clock.now().as_second();
        let signatures: Vec<String> = self
            .keys(service)
            .iter()
            .map(|key| key.sign(&message.id, timestamp, body.as_bytes()))
            .collect();
        let mut headers = HeaderMap::new();
        let json = HeaderValue::from_static("application/json");
        headers.insert(header::CONTENT_TYPE, json.clone());
        headers.insert(header::ACCEPT, json);
        for (name, value) in [
            ("webhook-id", message.id.clone()),
            ("webhook-timestamp", timestamp.to_string()),
            ("webhook-signature", signatures.join(" ")),
        ] {
            // Hexadecimal digits, numbers and Base64 are always valid in a header.
            let value = HeaderValue::try_from(value).map_err(|_| PostError::NotHttp)?;
            headers.insert(HeaderName::from_static(name), value);
        }
        let http = &self.caller(service.lane()).http;
        http.post(&url, headers, body, time_limit).await
    }

    /// Sends an event and returns the result.
    pub async fn send(&self, service: &Service, message: &Message) -> SendResult {
        let started = Instant::now();
        let posted = self.post(service, message, ANSWER_TIME).await;
        let latency_ms = i64::try_from(started.elapsed().as_millis()).unwrap_or(i64::MAX);
        let (status, error, retry_after) = match &posted {
            Ok(posted) => (
                Some(posted.status()),
                error_code(posted.status()),
                posted.retry_after(),
            ),
            Err(error) => (None, Some(error.code()), None),
        };
        SendResult {
            attempt_result: AttemptResult {
                status: status.map(|status| status.as_u16()),
                error,
                latency_ms,
            },
            is_gone: status == Some(StatusCode::GONE),
            retry_after,
        }
    }
}

/// The result of sending an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SendResult {
    /// For the log of deliveries.
    pub attempt_result: AttemptResult,
    /// Whether the service wants no more calls (410).
    pub is_gone: bool,
    /// The delay before a retry that the service asked for.
    pub retry_after: Option<Duration>,
}

/// The error code for this status; `None` for success.
fn error_code(status: StatusCode) -> Option<&'static str> {
    if status.is_success() {
        None
    } else if status.is_redirection() {
        Some("redirected")
    } else {
        Some("http_status")
    }
}
