//! Webhooks: external services that the server calls, following Standard Webhooks
//! (standardwebhooks.com).
//!
//! A call is a POST of `{"type", "timestamp", "data"}` as JSON. `webhook-id` names the event and is
//! the same at every attempt, `webhook-timestamp` is the moment of this one, `webhook-signature`
//! is made of both and the body with the service's key ([`signature`]). An answer of 200 to 299
//! means that it was taken; its body is not read. Nothing else does: 410 also stops all calls to the
//! service, a redirect is not followed. What was not taken is sent again by [`schedule`].
//!
//! What is told of, and when, is in `slovo_db::webhooks::events`; [`envelope`] adds links that work
//! for a day ([`links`]), made anew at every attempt. A service of category transcription is asked by
//! `crate::jobs` ([`recognition`]), which waits for its answer instead of the delivery's.
//!
//! Every connection passes the guard of `slovo_fetch`, with a separate allow list for private
//! addresses: a site administrator is not necessarily a network administrator.

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
use slovo_db::webhooks::deliveries::AttemptResult;
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

/// How long a service may take to answer an event: it should note it and do its work later.
pub const ANSWER_TIME: Duration = Duration::from_secs(ANSWER_SECONDS);

/// How long the key before the newest one is signed with as well, in milliseconds: a day to put the
/// new one in its place.
pub const OVERLAP_MS: i64 = 24 * 60 * 60 * 1000;

/// What is sent.
#[derive(Clone, Debug)]
pub struct Message {
    /// Names the event at all attempts.
    pub id: String,
    /// The body.
    pub body: Value,
}

/// What calls are made with.
pub struct Parts {
    /// Where services and deliveries are.
    pub db: Database,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// Randomness, for claims.
    pub random: Arc<dyn Random>,
    /// What keys are derived from.
    pub secret: Secret,
    /// What may be reached although it is private.
    pub allow: Vec<AllowListEntry>,
    /// Where the server is reached, without a slash at its end.
    pub base: String,
    /// Cancelled when the server stops.
    pub shutdown: CancellationToken,
    /// What the server waits for before it ends.
    pub tasks: TaskTracker,
}

/// Calls services. Cheap to clone.
#[derive(Clone)]
pub struct Webhooks(Arc<Inner>);

struct Inner {
    db: Database,
    http: Http,
    guard: Guard,
    clock: Arc<dyn Clock>,
    random: Arc<dyn Random>,
    secret: Secret,
    shutdown: CancellationToken,
    tasks: TaskTracker,
    /// Where the server is reached, without a slash at its end.
    base: String,
}

impl Webhooks {
    /// Calls that nobody makes yet; see [`Webhooks::keep_sent`].
    #[must_use]
    pub fn new(parts: Parts) -> Self {
        let guard = Guard::allowing(&parts.allow);
        Self(Arc::new(Inner {
            db: parts.db,
            http: Http::new(guard.clone(), TransferLimits::default()),
            guard,
            clock: parts.clock,
            random: parts.random,
            secret: parts.secret,
            base: parts.base,
            shutdown: parts.shutdown,
            tasks: parts.tasks,
        }))
    }

    /// Whether an address may be called at all, as far as it can be told by itself.
    ///
    /// # Errors
    /// The server does not go there.
    pub fn accepts(&self, url: &str) -> Result<(), GuardRefusal> {
        let url = Url::parse(url).map_err(|_| GuardRefusal::Scheme)?;
        self.0.guard.check(&url)
    }

    /// The newest key of a service, as its owner is shown it once.
    #[must_use]
    pub fn shown_secret(&self, service: &Service) -> String {
        Key::of(&self.0.secret, service.id, service.key_number).shown()
    }

    /// The keys that are signed with now, the newest first.
    fn keys(&self, service: &Service) -> Vec<Key> {
        let key = |number| Key::of(&self.0.secret, service.id, number);
        let mut keys = vec![key(service.key_number)];
        let since = self.0.clock.now_ms() - OVERLAP_MS;
        if service.key_number > 1 && service.rotated_at.is_some_and(|at| at > since) {
            keys.push(key(service.key_number - 1));
        }
        keys
    }

    /// Posts a message and waits for the head of the answer.
    ///
    /// # Errors
    /// The server does not go there, or nothing is answered.
    pub async fn post(
        &self,
        service: &Service,
        message: &Message,
        patience: Duration,
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
            // Hexadecimal digits, numbers and Base64: they are always fit for a header.
            let value = HeaderValue::try_from(value).map_err(|_| PostError::NotHttp)?;
            headers.insert(HeaderName::from_static(name), value);
        }
        self.0.http.post(&url, headers, body, patience).await
    }

    /// Sends an event and says how it went.
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

/// How a sending went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SendResult {
    /// For the log of deliveries.
    pub attempt_result: AttemptResult,
    /// Whether the service wants to hear nothing any more.
    pub is_gone: bool,
    /// When it wants to be asked again.
    pub retry_after: Option<Duration>,
}

/// Code of what is wrong with an answer of this status.
fn error_code(status: StatusCode) -> Option<&'static str> {
    if status.is_success() {
        None
    } else if status.is_redirection() {
        Some("redirected")
    } else {
        Some("http_status")
    }
}
