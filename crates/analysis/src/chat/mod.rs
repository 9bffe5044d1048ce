//! The engine behind an OpenAI-compatible chat endpoint: every part, for texts of any length, and
//! answers to questions.
//!
//! It promises that
//! - a text is data: it goes out as JSON in a message of its own, and instructions stand elsewhere
//!   ([`items`], [`prompts`]);
//! - an answer is checked against the shape that was asked for and against the text before it is
//!   given on: places are segments that were shown, labels are those that were given, translations
//!   are complete, subtitles fit. What does not hold is asked for again, then it is an error. Fields
//!   that nobody asked for are left out;
//! - a request ends: time without a byte, time in all, bytes and tries are limited;
//! - the key is in one header and nowhere else, and redirects are not followed.

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
pub use pace::Pace;

use std::future::Future;
use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures_util::future::{Either, select};
use slovo_rules::analysis::{EngineKind, EngineName, Outcome, Part};
use tokio::runtime::Handle;

use self::client::{Answered, Client, NoAnswer, Sink};
use self::dialect::{Ask, Dialect};
use self::run::Run;
use crate::{AnalysisError, Analyst, Progress, Stop, Task, Text};

/// How soon a stop is noticed.
const STOP_EVERY: Duration = Duration::from_millis(100);

/// The engine. Connections are made on the runtime that it is given; its calls block and belong on
/// threads of their own (`spawn_blocking`), never on the runtime's.
pub struct Chat {
    client: Client,
    /// What the endpoint is known to understand.
    dialect: Mutex<Dialect>,
    handle: Handle,
}

impl Chat {
    /// An engine for this endpoint. Nothing is sent yet.
    ///
    /// # Errors
    /// [`EndpointError::Client`]
    pub fn new(
        endpoint: Endpoint,
        pace: Arc<dyn Pace>,
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

    /// One answer; `is_shown` if `sink` shows it as it comes. A request that the endpoint does not
    /// understand is made with less, and what was understood is remembered.
    async fn answer(
        &self,
        ask: &Ask,
        sink: Sink<'_>,
        is_shown: bool,
    ) -> Result<Answered, AnalysisError> {
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
                Err(NoAnswer::Failed(error)) => return Err(error),
                Err(NoAnswer::Rejected { status, says }) => {
                    dialect = dialect
                        .milder(&says, ask.shape.is_some())
                        .ok_or(AnalysisError::Refused { status })?;
                }
            }
        }
    }

    fn dialect(&self) -> std::sync::MutexGuard<'_, Dialect> {
        self.dialect.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs to the end or to the stop; then all requests are dropped.
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

    fn does(&self, _: Part, _: &str) -> bool {
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
