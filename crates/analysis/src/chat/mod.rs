//! The engine over an OpenAI-compatible chat endpoint: all parts, for texts of any length, and
//! answers to questions.
//!
//! It guarantees that
//! - a text is data: it is sent as JSON in a message of its own, separate from the instructions
//!   ([`items`], [`prompts`]);
//! - an answer is validated against the requested shape and the text before it is returned: places
//!   are segments that were sent, labels are the given ones, translations are complete, subtitles
//!   fit. An invalid answer is requested again; after that it is an error. Unknown fields are
//!   ignored;
//! - a request ends: idle time, total time, bytes and attempts are limited;
//! - the key is sent in one header only, and redirects are not followed.

mod assistant;
mod chapters;
mod classification;
mod client;
mod codes;
mod dialect;
mod endpoint;
mod instruction;
mod items;
mod keywords;
mod pace;
mod prompts;
mod run;
mod sentiment;
mod sse;
mod subtitles;
mod summary;
mod tokens;
mod translation;

pub use assistant::{Answer, Question, Relevance, Turn};
pub use endpoint::{DEFAULT_CONTEXT, Endpoint, EndpointError, Key, Limits, MIN_CONTEXT};
pub use pace::{TimeSource, pause, retry_after};

use std::future::Future;
use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures_util::future::{Either, select};
use slovo_rules::analysis::{EngineKind, EngineName, Outcome, Part};
use tokio::runtime::Handle;

use self::client::{ChatAnswer, ChatError, Client, Sink};
use self::dialect::{ChatRequest, Dialect};
use self::run::Run;
use crate::{AnalysisError, Analyst, Progress, Stop, Task, Text};

/// How often a running request checks for the stop.
const STOP_EVERY: Duration = Duration::from_millis(100);

/// The engine. Connections are made on the given runtime; its calls block and must run on threads
/// for blocking work (`spawn_blocking`), never on the runtime's own.
pub struct Chat {
    client: Client,
    /// The request options that the endpoint is known to support.
    dialect: Mutex<Dialect>,
    handle: Handle,
}

impl Chat {
    /// Creates an engine for this endpoint. Nothing is sent yet.
    ///
    /// # Errors
    /// [`EndpointError::Client`]
    pub fn new(
        endpoint: Endpoint,
        pace: Arc<dyn TimeSource>,
        handle: Handle,
    ) -> Result<Self, EndpointError> {
        Ok(Self {
            client: Client::new(endpoint, pace)?,
            dialect: Mutex::default(),
            handle,
        })
    }

    /// The endpoint.
    #[must_use]
    pub const fn endpoint(&self) -> &Endpoint {
        self.client.endpoint()
    }

    fn context(&self) -> usize {
        self.endpoint().context
    }

    /// Requests one answer; `is_shown`: `sink` shows it as it arrives. A rejected request is
    /// repeated with fewer options, and the options that worked are kept.
    async fn answer(
        &self,
        ask: &ChatRequest,
        sink: Sink<'_>,
        is_shown: bool,
    ) -> Result<ChatAnswer, AnalysisError> {
        let known = *self.dialect();
        let mut dialect = known;
        loop {
            let body = dialect.body(&self.endpoint().model, ask);
            match self.client.answer(&body, sink, is_shown).await {
                Ok(answered) => {
                    if dialect != known {
                        *self.dialect() = dialect;
                    }
                    return Ok(answered);
                }
                Err(ChatError::Failed(error)) => return Err(error),
                Err(ChatError::Rejected { status, message }) => {
                    dialect = dialect
                        .simpler(&message, ask.shape.is_some())
                        .ok_or(AnalysisError::Refused { status })?;
                }
            }
        }
    }

    fn dialect(&self) -> std::sync::MutexGuard<'_, Dialect> {
        self.dialect.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs to the end or until stopped; then all requests are dropped.
    fn until_stopped<T>(
        &self,
        stop: &dyn Stop,
        work: impl Future<Output = Result<T, AnalysisError>>,
    ) -> Result<T, AnalysisError> {
        let stopped = async {
            while !stop.is_set() {
                tokio::time::sleep(STOP_EVERY).await;
            }
        };
        self.handle.block_on(async {
            match select(pin!(stopped), pin!(work)).await {
                Either::Left(_) => Err(AnalysisError::Stopped),
                Either::Right((outcome, _)) => outcome,
            }
        })
    }
}

impl Analyst for Chat {
    fn name(&self) -> EngineName {
        EngineName {
            kind: EngineKind::Endpoint,
            model: self.endpoint().model.clone(),
        }
    }

    fn supports(&self, _: Part, _: &str) -> bool {
        true
    }

    fn run(
        &self,
        text: &Text,
        task: &Task,
        stop: &dyn Stop,
        progress: Progress<'_>,
    ) -> Result<Outcome, AnalysisError> {
        if is_empty(text) {
            return Err(AnalysisError::EmptyText);
        }
        let run = Run::new(self, text, progress);
        self.until_stopped(stop, async {
            match task {
                Task::Summary { words } => summary::make(&run, *words).await,
                Task::Sentiment => sentiment::make(&run).await,
                Task::Classification { labels } => classification::make(&run, labels).await,
                Task::Keywords => keywords::make(&run).await,
                Task::Chapters => chapters::make(&run).await,
                Task::Prompt { prompt } => instruction::make(&run, prompt).await,
                Task::Translation { target } => translation::make(&run, *target).await,
                Task::SubtitleTranslation { target, cues } => {
                    subtitles::make(&run, *target, cues).await
                }
            }
        })
    }
}

fn is_empty(text: &Text) -> bool {
    let mut passages = text.passages.iter();
    passages.all(|passage| passage.text.trim().is_empty())
}
