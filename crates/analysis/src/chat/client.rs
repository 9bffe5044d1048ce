//! Sends one request to the endpoint and reads its streamed answer. Enforces limits, retries, and
//! keeps the key and all users' texts out of errors.

use std::sync::Arc;
use std::time::Duration;

use reqwest::header::{
    ACCEPT, ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_TYPE, HeaderMap, RETRY_AFTER,
};
use reqwest::redirect::Policy;
use reqwest::{Response, StatusCode};
use serde::Deserialize;
use serde_json::Value;
use tokio::time::timeout;

use super::endpoint::{Endpoint, EndpointError};
use super::pace::{TimeSource, pause, retry_after};
use super::sse::{Events, SseError};
use crate::AnalysisError;

/// The most bytes of an error response that are read.
const ERROR_BYTES: usize = 16 * 1024;

/// Receives text as it arrives.
pub type Sink<'a> = &'a mut (dyn FnMut(&str) + Send);

/// A completely received answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChatAnswer {
    /// Its text.
    pub text: String,
    /// Whether it was cut off by the token limit.
    pub is_cut: bool,
}

/// Why there is no answer.
#[derive(Debug)]
pub enum ChatError {
    /// The endpoint rejected the request as invalid; `message` is its message in lower case.
    Rejected {
        /// HTTP status.
        status: u16,
        /// Only for finding the name of the rejected field; never shown.
        message: String,
    },
    /// Any other error.
    Failed(AnalysisError),
}

/// The failure of one attempt.
enum AttemptError {
    /// Temporary: the same request may succeed later.
    Transient(AnalysisError, Option<Duration>),
    /// Permanent.
    Final(ChatError),
}

impl AttemptError {
    fn silent(what: &str) -> Self {
        Self::Transient(AnalysisError::Unreachable(what.to_owned()), None)
    }

    const fn bad(what: &'static str) -> Self {
        Self::Transient(AnalysisError::BadAnswer(what), None)
    }

    const fn failed(error: AnalysisError) -> Self {
        Self::Final(ChatError::Failed(error))
    }
}

/// The client of one endpoint.
pub struct Client {
    endpoint: Endpoint,
    http: reqwest::Client,
    pace: Arc<dyn TimeSource>,
}

impl Client {
    /// Creates a client. It trusts the certificates that the machine trusts.
    ///
    /// # Errors
    /// [`EndpointError::Client`]
    pub fn new(endpoint: Endpoint, pace: Arc<dyn TimeSource>) -> Result<Self, EndpointError> {
        // Another part of the program may already have installed the TLS provider.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let http = reqwest::Client::builder()
            .connect_timeout(endpoint.limits.connect)
            // A redirect would send texts to a host that the administrator has not configured.
            .redirect(Policy::none())
            .referer(false)
            .no_proxy()
            .user_agent(concat!("Slovo/", env!("CARGO_PKG_VERSION")))
            .build()
            .map_err(|_| EndpointError::Client)?;
        Ok(Self {
            endpoint,
            http,
            pace,
        })
    }

    /// The endpoint.
    pub const fn endpoint(&self) -> &Endpoint {
        &self.endpoint
    }

    /// Sends the request and retries while that can help. Text that `sink` has already shown cannot
    /// be withdrawn: with `is_shown` there is no retry once text has arrived.
    pub async fn answer(
        &self,
        body: &Value,
        sink: Sink<'_>,
        is_shown: bool,
    ) -> Result<ChatAnswer, ChatError> {
        let body = body.to_string();
        let limits = &self.endpoint.limits;
        let mut tries = 1;
        loop {
            let mut has_begun = false;
            let mut on_text = |text: &str| {
                has_begun = is_shown;
                sink(text);
            };
            let (error, requested_pause) = match self.within_limits(&body, &mut on_text).await {
                Ok(answered) => return Ok(answered),
                Err(AttemptError::Final(no_answer)) => return Err(no_answer),
                Err(AttemptError::Transient(error, requested_pause)) => (error, requested_pause),
            };
            let is_too_long = requested_pause.is_some_and(|pause| pause > limits.longest_pause);
            if has_begun || is_too_long || tries >= limits.attempts {
                return Err(ChatError::Failed(error));
            }
            let own_pause = pause(limits, tries, self.pace.jitter());
            self.pace
                .wait(requested_pause.map_or(own_pause, |pause| pause.max(own_pause)))
                .await;
            tries += 1;
        }
    }

    async fn within_limits(&self, body: &str, sink: Sink<'_>) -> Result<ChatAnswer, AttemptError> {
        let exchange = timeout(self.endpoint.limits.total, self.exchange(body, sink));
        exchange.await.unwrap_or_else(|_| {
            let late = AnalysisError::Unreachable("its answer takes too long".to_owned());
            Err(AttemptError::failed(late))
        })
    }

    async fn exchange(&self, body: &str, sink: Sink<'_>) -> Result<ChatAnswer, AttemptError> {
        let request = self
            .http
            .post(self.endpoint.url().clone())
            .header(CONTENT_TYPE, "application/json")
            .header(ACCEPT, "text/event-stream, application/json")
            // No compression: received bytes are counted against the limits and cannot expand.
            .header(ACCEPT_ENCODING, "identity")
            .headers(self.endpoint.credentials())
            .body(body.to_owned());
        let answered = timeout(self.endpoint.limits.idle, request.send()).await;
        let response = answered
            .map_err(|_| AttemptError::silent("no answer in time"))?
            .map_err(|_| AttemptError::silent("no connection"))?;
        if response.status() != StatusCode::OK {
            return Err(self.failure_of(response).await);
        }
        if is_compressed(response.headers()) {
            return Err(AttemptError::failed(AnalysisError::BadAnswer(
                "it is compressed though that was not asked for",
            )));
        }
        let kind = response.headers().get(CONTENT_TYPE);
        let is_stream = kind
            .and_then(|kind| kind.to_str().ok())
            .is_some_and(|kind| kind.trim().starts_with("text/event-stream"));
        let reading = AnswerReader {
            text: String::new(),
            end: None,
            sink,
            max_bytes: self.endpoint.limits.text_bytes,
        };
        if is_stream {
            self.stream(response, reading).await
        } else {
            self.read_unstreamed(response, reading).await
        }
    }

    /// The meaning of a status other than 200.
    async fn failure_of(&self, response: Response) -> AttemptError {
        let status = response.status();
        let requested_pause = response
            .headers()
            .get(RETRY_AFTER)
            .and_then(|value| retry_after(value.to_str().ok()?, self.pace.now()));
        let code = status.as_u16();
        match status {
            StatusCode::TOO_MANY_REQUESTS => AttemptError::Transient(
                AnalysisError::Busy {
                    retry_after: requested_pause,
                },
                requested_pause,
            ),
            StatusCode::REQUEST_TIMEOUT => AttemptError::silent("answered with 408"),
            StatusCode::BAD_REQUEST | StatusCode::UNPROCESSABLE_ENTITY => {
                let mut body = Body::new(response, self.endpoint.limits.idle, ERROR_BYTES);
                let mut message = Vec::new();
                while let Ok(Some(piece)) = body.next().await {
                    message.extend_from_slice(piece.as_ref());
                }
                let message = String::from_utf8_lossy(&message).to_lowercase();
                AttemptError::Final(ChatError::Rejected {
                    status: code,
                    message,
                })
            }
            _ if status.is_server_error() => {
                let what = format!("answered with {code}");
                AttemptError::Transient(AnalysisError::Unreachable(what), requested_pause)
            }
            _ => AttemptError::failed(AnalysisError::Refused { status: code }),
        }
    }

    async fn stream(
        &self,
        response: Response,
        mut reading: AnswerReader<'_>,
    ) -> Result<ChatAnswer, AttemptError> {
        let limits = &self.endpoint.limits;
        let mut body = Body::new(response, limits.idle, limits.wire_bytes);
        let (mut events, mut found) = (Events::default(), Vec::new());
        while let Some(piece) = body.next().await? {
            events.push(piece.as_ref(), &mut found)?;
            for event in found.drain(..) {
                if reading.event(&event)? {
                    return reading.finish();
                }
            }
        }
        events.finish(&mut found)?;
        for event in found.drain(..) {
            reading.event(&event)?;
        }
        reading.finish()
    }

    /// Reads the answer of a server that does not stream.
    async fn read_unstreamed(
        &self,
        response: Response,
        mut reading: AnswerReader<'_>,
    ) -> Result<ChatAnswer, AttemptError> {
        let limits = &self.endpoint.limits;
        let mut body = Body::new(response, limits.idle, limits.wire_bytes);
        let mut bytes = Vec::new();
        while let Some(piece) = body.next().await? {
            bytes.extend_from_slice(piece.as_ref());
        }
        let text = String::from_utf8(bytes).map_err(|_| AttemptError::from(SseError::NotUtf8))?;
        reading.event(&text)?;
        reading.finish()
    }
}

fn is_compressed(headers: &HeaderMap) -> bool {
    headers
        .get(CONTENT_ENCODING)
        .is_some_and(|encoding| encoding.as_bytes() != b"identity")
}

/// A response body within its limits.
struct Body {
    response: Response,
    idle: Duration,
    remaining: usize,
}

impl Body {
    const fn new(response: Response, idle: Duration, max_bytes: usize) -> Self {
        Self {
            response,
            idle,
            remaining: max_bytes,
        }
    }

    async fn next(&mut self) -> Result<Option<impl AsRef<[u8]> + use<>>, AttemptError> {
        let piece = timeout(self.idle, self.response.chunk())
            .await
            .map_err(|_| AttemptError::silent("nothing came for too long"))?
            .map_err(|_| AttemptError::bad("it broke off"))?;
        if let Some(piece) = &piece {
            self.remaining = self.remaining.checked_sub(piece.len()).ok_or(TOO_LARGE)?;
        }
        Ok(piece)
    }
}

/// Not retried: an oversized answer comes from a model in a loop or not from a model at all, and
/// would repeat.
const TOO_LARGE: AttemptError = AttemptError::failed(AnalysisError::BadAnswer("it is too large"));

impl From<SseError> for AttemptError {
    fn from(error: SseError) -> Self {
        match error {
            SseError::TooLong => TOO_LARGE,
            SseError::NotUtf8 => Self::bad("it is not UTF-8"),
        }
    }
}

/// The state of reading an answer.
struct AnswerReader<'a> {
    text: String,
    /// Why it ended, if it has ended.
    end: Option<AnswerEnd>,
    sink: Sink<'a>,
    max_bytes: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum AnswerEnd {
    Whole,
    Cut,
    Filtered,
}

#[derive(Deserialize)]
struct Chunk {
    #[serde(default)]
    choices: Vec<Choice>,
    error: Option<Value>,
}

#[derive(Deserialize)]
struct Choice {
    #[serde(alias = "message")]
    delta: Option<Delta>,
    finish_reason: Option<String>,
}

#[derive(Deserialize)]
struct Delta {
    content: Option<String>,
}

impl AnswerReader<'_> {
    /// Processes an event; returns whether it was the last.
    fn event(&mut self, data: &str) -> Result<bool, AttemptError> {
        if data.trim() == "[DONE]" {
            self.end = self.end.or(Some(AnswerEnd::Whole));
            return Ok(true);
        }
        let chunk: Chunk =
            serde_json::from_str(data).map_err(|_| AttemptError::bad("it is not JSON"))?;
        if chunk.error.is_some_and(|error| !error.is_null()) {
            return Err(AttemptError::silent("it reports an error of its own"));
        }
        let Some(choice) = chunk.choices.into_iter().next() else {
            return Ok(false);
        };
        if let Some(text) = choice.delta.and_then(|delta| delta.content)
            && !text.is_empty()
        {
            if self.text.len() + text.len() > self.max_bytes {
                return Err(TOO_LARGE);
            }
            self.text.push_str(&text);
            (self.sink)(&text);
        }
        if let Some(reason) = choice.finish_reason {
            self.end = Some(match reason.as_str() {
                "length" => AnswerEnd::Cut,
                "content_filter" => AnswerEnd::Filtered,
                _ => AnswerEnd::Whole,
            });
        }
        Ok(false)
    }

    fn finish(self) -> Result<ChatAnswer, AttemptError> {
        match self.end {
            // The stream ended without an end marker.
            None => Err(AttemptError::bad("it broke off")),
            Some(AnswerEnd::Filtered) => Err(AttemptError::failed(AnalysisError::BadAnswer(
                "the endpoint withholds it",
            ))),
            Some(end) => Ok(ChatAnswer {
                text: self.text,
                is_cut: end == AnswerEnd::Cut,
            }),
        }
    }
}
