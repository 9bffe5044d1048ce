//! Sends parts of a recording to the endpoint. Enforces limits, retries, and keeps the key and users'
//! texts out of errors.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use reqwest::header::{ACCEPT_ENCODING, CONTENT_ENCODING, RETRY_AFTER};
use reqwest::multipart::{Form, Part};
use reqwest::redirect::Policy;
use reqwest::{Response, StatusCode};
use slovo_analysis::chat::{Endpoint, TimeSource, pause, retry_after};
use slovo_engine::media::SAMPLE_RATE;
use slovo_engine::{RemoteAudio, RemoteEngine, RemoteError, RemoteText};
use slovo_platform::random::Random;
use tokio::runtime::Handle;
use tokio::time::timeout;

use super::wav::wav;
use super::{RELAYED, answer};

/// Longest time of one request: a machine may have to load its model first.
const TOTAL: Duration = Duration::from_secs(120);
/// The most bytes of an answer: 30 s with all word times have a hundredth of it.
const MAX_BYTES: usize = 4 * 1024 * 1024;
/// How often a request checks whether it was cancelled.
const STOP_CHECK: Duration = Duration::from_millis(100);

/// The client of a speech endpoint.
pub(super) struct Client {
    endpoint: Endpoint,
    http: reqwest::Client,
    pace: Arc<dyn TimeSource>,
    random: Arc<dyn Random>,
    /// The requests run there; callers block.
    runtime: Handle,
    /// Whether it has rejected `verbose_json`, so that it is asked for `json`, without times.
    is_plain: AtomicBool,
}

/// Why an attempt failed.
enum AttemptError {
    /// The same request may succeed later.
    Transient {
        reason: &'static str,
        retry_after: Option<Duration>,
    },
    /// It rejects the request as invalid.
    Rejected,
    /// Trying again is pointless.
    Final(&'static str),
}

const fn transient(reason: &'static str) -> AttemptError {
    AttemptError::Transient {
        reason,
        retry_after: None,
    }
}

impl Client {
    /// Creates a client. It trusts the certificates that the machine trusts.
    ///
    /// # Errors
    /// When there is no HTTP client, for example because the machine has no trusted certificates.
    pub(super) fn new(
        endpoint: Endpoint,
        (pace, random): (Arc<dyn TimeSource>, Arc<dyn Random>),
        runtime: Handle,
    ) -> reqwest::Result<Self> {
        // Another part of the program may already have installed the TLS provider.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let http = reqwest::Client::builder()
            .connect_timeout(endpoint.limits.connect)
            // A redirect would send recordings to a host that the administrator has not configured.
            .redirect(Policy::none())
            .referer(false)
            .no_proxy()
            .user_agent(concat!("Slovo/", env!("CARGO_PKG_VERSION")))
            .build()?;
        Ok(Self {
            endpoint,
            http,
            pace,
            random,
            runtime,
            is_plain: AtomicBool::new(false),
        })
    }

    fn repeat_key(&self) -> String {
        let mut bytes = [0; 16];
        self.random.fill(&mut bytes);
        format!("{:032x}", u128::from_le_bytes(bytes))
    }

    /// The text of a part; tries again while that can help.
    async fn text(&self, audio: &RemoteAudio<'_>) -> Result<RemoteText, RemoteError> {
        let file = wav(audio.samples);
        let limits = &self.endpoint.limits;
        // A server that knows the header does not recognise a part twice if its answer was lost.
        let mut repeat_key = self.repeat_key();
        let mut tries = 1;
        loop {
            let is_plain = self.is_plain.load(Ordering::Relaxed);
            let exchange = timeout(
                TOTAL,
                self.attempt(audio, file.clone(), (is_plain, &repeat_key)),
            );
            let answered = exchange.await.unwrap_or(Err(transient("timed_out")));
            let (reason, requested_pause) = match answered {
                Ok(text) => return Ok(text),
                // The models of OpenAI that are not Whisper have no times.
                Err(AttemptError::Rejected) if !is_plain => {
                    self.is_plain.store(true, Ordering::Relaxed);
                    repeat_key = self.repeat_key();
                    continue;
                }
                Err(AttemptError::Rejected) => return Err(failed("rejected", None)),
                Err(AttemptError::Final(reason)) => return Err(failed(reason, None)),
                Err(AttemptError::Transient {
                    reason,
                    retry_after,
                }) => (reason, retry_after),
            };
            let is_too_long = requested_pause.is_some_and(|pause| pause > limits.longest_pause);
            if is_too_long || tries >= limits.attempts {
                return Err(failed(reason, requested_pause));
            }
            let own_pause = pause(limits, tries, self.pace.jitter());
            let pause = requested_pause.map_or(own_pause, |pause| pause.max(own_pause));
            self.pace.wait(pause).await;
            tries += 1;
        }
    }

    async fn attempt(
        &self,
        audio: &RemoteAudio<'_>,
        file: Vec<u8>,
        (is_plain, repeat_key): (bool, &str),
    ) -> Result<RemoteText, AttemptError> {
        let request = self
            .http
            .post(self.endpoint.audio_url(audio.translate))
            // No compression: received bytes are counted against the limit and cannot expand.
            .header(ACCEPT_ENCODING, "identity")
            .header(RELAYED, "1")
            .header("idempotency-key", repeat_key)
            .headers(self.endpoint.credentials())
            .multipart(self.form(audio, file, is_plain));
        let sent = request.send().await;
        let response = sent.map_err(|error| {
            transient(if error.is_timeout() {
                "timed_out"
            } else {
                "no_connection"
            })
        })?;
        if response.status() != StatusCode::OK {
            return Err(self.failure_of(&response));
        }
        let encoding = response.headers().get(CONTENT_ENCODING);
        if encoding.is_some_and(|encoding| encoding.as_bytes() != b"identity") {
            return Err(AttemptError::Final("answer_compressed"));
        }
        let body = self.body(response).await?;
        let seconds = audio.samples.len() as f64 / f64::from(SAMPLE_RATE);
        // A server behind a proxy may answer with a page for a while.
        answer::read(&body, seconds).map_err(|error| transient(error.code()))
    }

    fn form(&self, audio: &RemoteAudio<'_>, file: Vec<u8>, is_plain: bool) -> Form {
        let part = Part::bytes(file).file_name("part.wav");
        let part = part
            .mime_str("audio/wav")
            .unwrap_or_else(|_| Part::text(""));
        let mut form = Form::new()
            .text("model", self.endpoint.model.clone())
            .text("temperature", "0");
        if let Some(language) = audio.language.filter(|_| !audio.translate) {
            form = form.text("language", language.as_str());
        }
        if !audio.prompt.is_empty() {
            form = form.text("prompt", audio.prompt.to_owned());
        }
        if is_plain {
            form = form.text("response_format", "json");
        } else {
            form = form.text("response_format", "verbose_json");
            if !audio.translate {
                form = form
                    .text("timestamp_granularities[]", "word")
                    .text("timestamp_granularities[]", "segment");
            }
        }
        form.part("file", part)
    }

    /// The meaning of a status other than 200.
    fn failure_of(&self, response: &Response) -> AttemptError {
        let now = self.pace.now();
        let header = response.headers().get(RETRY_AFTER);
        let retry_after = header.and_then(|value| retry_after(value.to_str().ok()?, now));
        let transient = |reason| AttemptError::Transient {
            reason,
            retry_after,
        };
        match response.status().as_u16() {
            300..=399 => AttemptError::Final("redirected"),
            401 | 403 => AttemptError::Final("unauthorized"),
            404 | 405 => AttemptError::Final("not_found"),
            408 | 504 => transient("timed_out"),
            429 => transient("busy"),
            400 | 422 => AttemptError::Rejected,
            402..=499 => AttemptError::Final("rejected"),
            _ => transient("http_status"),
        }
    }

    async fn body(&self, mut response: Response) -> Result<Vec<u8>, AttemptError> {
        let mut body = Vec::new();
        loop {
            let piece = timeout(self.endpoint.limits.idle, response.chunk()).await;
            let piece = piece.map_err(|_| transient("timed_out"))?;
            let Some(piece) = piece.map_err(|_| transient("broken_off"))? else {
                return Ok(body);
            };
            if body.len() + piece.len() > MAX_BYTES {
                return Err(AttemptError::Final("answer_too_much"));
            }
            body.extend_from_slice(&piece);
        }
    }
}

impl RemoteEngine for Client {
    fn recognise(
        &self,
        audio: &RemoteAudio<'_>,
        stop: &AtomicBool,
    ) -> Result<RemoteText, RemoteError> {
        let stopped = async {
            while !stop.load(Ordering::Acquire) {
                tokio::time::sleep(STOP_CHECK).await;
            }
        };
        self.runtime.block_on(async {
            tokio::select! {
                biased;
                () = stopped => Err(RemoteError::Cancelled),
                text = self.text(audio) => text,
            }
        })
    }
}

const fn failed(reason: &'static str, retry_after: Option<Duration>) -> RemoteError {
    RemoteError::Failed {
        reason,
        retry_after,
    }
}
