//! `POST /api/v1/jobs/{id}/assistant`: asks a question about a text; the answer is streamed as
//! server-sent events.
//!
//! The question is stored first. The answer is stored when it is complete. If the engine fails or
//! the client disconnects (which stops the engine), the part so far is stored.

use std::convert::Infallible;
use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::sse::Event;
use axum::response::{IntoResponse, Response};
use futures_util::{Stream, stream};
use serde::Deserialize;
use serde_json::json;
use slovo_analysis::{AnalysisError, Text};
use slovo_app::auth::RateLimited;
use slovo_app::http::{Document, Json, Problem};
use slovo_app::state::AppState;
use slovo_db::plans::ledger;
use slovo_db::texts::assistant::{self, Message, Role};
use slovo_rules::analysis::{EngineName, MAX_QUESTION};
use slovo_rules::codes::ProblemCode;
use slovo_rules::plan::PlanFeature;
use slovo_rules::violation::{Code, Violation, Violations};
use slovo_server_settings::require;
use slovo_work::analysis::assistant::{Answer, Answers, Passages, quoted};
use slovo_work::analysis::{CancelFlag, text};
use slovo_work::jobs::open_streams::StreamSlot;
use slovo_work::minutes;
use tokio::sync::mpsc;
use utoipa::ToSchema;
use uuid::Uuid;

use super::MessageBody;
use crate::jobs::OwnJob;
use crate::jobs::events::{self, AccessCheck, open_stream, respond};

/// Number of earlier messages that the engine gets.
const CONTEXT_MESSAGES: usize = 20;
/// Error code when an engine panics.
const ENGINE_BROKEN: &str = "analysis_failed";

/// A question.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::jobs) struct QuestionBody {
    /// 1 to 2000 characters.
    question: String,
}

/// Why the question was not asked.
#[derive(Debug)]
pub(in crate::jobs) enum Error {
    /// The question breaks rules.
    Invalid(Violation),
    /// There is no text yet, or recognition ended without one.
    NotReady,
    /// No engine answers questions.
    Unavailable,
    /// Rate limit exceeded.
    Limited(RateLimited),
    /// An internal error, or the job was deleted meanwhile.
    Other(Problem),
}

impl From<Problem> for Error {
    fn from(problem: Problem) -> Self {
        Self::Other(problem)
    }
}

impl From<slovo_db::Error> for Error {
    fn from(error: slovo_db::Error) -> Self {
        Self::Other(error.into())
    }
}

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        match self {
            Self::Invalid(violation) => Violations(vec![violation]).into(),
            Self::NotReady => Problem::new(StatusCode::CONFLICT, ProblemCode::TranscriptNotReady),
            Self::Unavailable => {
                Problem::new(StatusCode::CONFLICT, ProblemCode::AssistantUnavailable)
            }
            Self::Limited(limited) => limited.into(),
            Self::Other(problem) => problem,
        }
        .into_response()
    }
}

/// The engine that answers.
enum Engine {
    Answers(Arc<dyn Answers>),
    Passages(Arc<dyn Passages>),
}

impl Engine {
    fn name(&self) -> EngineName {
        match self {
            Self::Answers(engine) => engine.name(),
            Self::Passages(engine) => engine.name(),
        }
    }
}

/// Asks the assistant about the current transcript.
#[utoipa::path(post, path = "/jobs/{id}/assistant", tag = "assistant",
    operation_id = "ask_assistant",
    params(("id" = String, Path, description = "Job id")),
    request_body = QuestionBody,
    responses(
        (status = OK, content_type = "text/event-stream", body = String,
            description = "delta {text}: the next piece; then done: an AssistantMessage, or failed \
                {code}, and the stream ends"),
        (status = FORBIDDEN, body = Document, description = "assistant_off"),
        (status = NOT_FOUND, body = Document, description = "not_found"),
        (status = CONFLICT, body = Document, description = "transcript_not_ready, \
            assistant_unavailable"),
        (status = UNPROCESSABLE_ENTITY, body = Document, description = "validation_failed"),
        (status = TOO_MANY_REQUESTS, body = Document, description = "rate_limited"),
    ))]
pub(in crate::jobs) async fn ask(
    State(state): State<AppState>,
    own: OwnJob,
    Json(body): Json<QuestionBody>,
) -> Result<Response, Error> {
    let switches = state.settings.current().await?.switches;
    require(switches.assistant, ProblemCode::AssistantOff).map_err(Problem::from)?;
    let question = valid(&body.question).map_err(Error::Invalid)?;
    let engines = state.analyses.engines();
    let engine = match (&engines.answers, &engines.passages) {
        (Some(engine), _) => Engine::Answers(Arc::clone(engine)),
        (None, Some(engine)) => Engine::Passages(Arc::clone(engine)),
        (None, None) => return Err(Error::Unavailable),
    };
    let job = own.job.id;
    let mut connection = state.db.read().await?;
    let now = state.clock.now_ms();
    let balance = ledger::read_balance(&mut connection, &own.caller.user_id, now).await?;
    minutes::check_feature(&balance, PlanFeature::Analytics, "question").map_err(Problem::from)?;
    let opened = text::open(&mut connection, job, None).await?;
    let before = assistant::list(&mut connection, job).await?;
    drop(connection);
    let opened = opened.ok_or(Error::NotReady)?;
    let limits = state.limits.question(&own.caller.user_id);
    limits.map_err(Error::Limited)?;
    let place = open_stream(&state, &own.caller).map_err(Error::Limited)?;
    let user_message = Message {
        role: Role::User,
        text: question.clone(),
        ..message(&state)?
    };
    store(&state, job, &user_message).await?;
    let forgotten = before.len().saturating_sub(CONTEXT_MESSAGES);
    let answering = AnswerTask {
        state: state.clone(),
        job,
        engine,
        text: opened.text,
        before: before.into_iter().skip(forgotten).collect(),
        question,
        stop: CancelFlag::default(),
    };
    let (sender, receiver) = mpsc::unbounded_channel();
    state.tasks.spawn(answering.run(sender));
    Ok(respond(event_stream(Reader {
        receiver,
        rights: AccessCheck::new(&state, &own.caller.credential),
        _place: place,
    })))
}

/// The question, trimmed.
fn valid(question: &str) -> Result<String, Violation> {
    let question = question.trim();
    let length = question.chars().count();
    if length == 0 {
        return Err(Violation::new("question", Code::MessageRequired));
    }
    if length > MAX_QUESTION {
        return Err(Violation::new("question", Code::TooLong)
            .with("max", MAX_QUESTION)
            .with("length", length));
    }
    Ok(question.to_owned())
}

/// An empty message with the current time.
fn message(state: &AppState) -> Result<Message, Problem> {
    Ok(Message {
        id: state.new_id().parse().map_err(Problem::internal)?,
        role: Role::Assistant,
        text: String::new(),
        moments: Vec::new(),
        engine: None,
        incomplete: false,
        created_at: state.clock.now_ms(),
    })
}

async fn store(state: &AppState, job: Uuid, message: &Message) -> Result<(), Problem> {
    let mut transaction = state.db.write().await?;
    let stored = assistant::add(&mut transaction, job, message).await?;
    transaction.commit().await?;
    if stored {
        Ok(())
    } else {
        Err(Problem::not_found())
    }
}

/// An event for the client.
enum AnswerEvent {
    Piece(String),
    Done(Box<MessageBody>),
    Failed(&'static str),
}

/// An answer in progress.
struct AnswerTask {
    state: AppState,
    job: Uuid,
    engine: Engine,
    text: Text,
    before: Vec<Message>,
    question: String,
    stop: CancelFlag,
}

impl AnswerTask {
    async fn run(self, reader: mpsc::UnboundedSender<AnswerEvent>) {
        let (state, job, stop) = (self.state.clone(), self.job, self.stop.clone());
        let name = self.engine.name();
        let pieces = reader.clone();
        let mut work = tokio::task::spawn_blocking(move || {
            let mut so_far = String::new();
            let answer = self.answer(&mut |piece: &str| {
                so_far.push_str(piece);
                // A client that has disconnected is handled below.
                let _ = pieces.send(AnswerEvent::Piece(piece.to_owned()));
            });
            (answer, so_far)
        });
        let ended = tokio::select! {
            ended = &mut work => ended,
            () = reader.closed() => { stop.0.cancel(); work.await }
            () = state.shutdown.cancelled() => { stop.0.cancel(); work.await }
        };
        let (answer, failed) = match ended {
            Ok((Ok(answer), _)) => (answer, None),
            Ok((Err(error), so_far)) => {
                let moments = Vec::new();
                let text = so_far;
                tracing::info!(%job, %error, "a question could not be answered");
                (Answer { text, moments }, Some(error.code()))
            }
            Err(_) => {
                let (text, moments) = (String::new(), Vec::new());
                (Answer { text, moments }, Some(ENGINE_BROKEN))
            }
        };
        let stored = store_answer(&state, job, name, answer, failed.is_some()).await;
        // The client may have disconnected.
        let _ = reader.send(match (stored, failed) {
            (Ok(Some(message)), None) => AnswerEvent::Done(Box::new(message.into())),
            (_, Some(code)) => AnswerEvent::Failed(code),
            (Ok(None), None) => AnswerEvent::Failed(AnalysisError::EmptyText.code()),
            (Err(error), None) => {
                tracing::error!(%job, ?error, "an answer could not be stored");
                AnswerEvent::Failed("internal")
            }
        });
    }

    fn answer(&self, piece: &mut (dyn FnMut(&str) + Send)) -> Result<Answer, AnalysisError> {
        let (text, question, stop) = (&self.text, &self.question, &self.stop);
        match &self.engine {
            Engine::Answers(engine) => engine.answer(text, &self.before, question, stop, piece),
            Engine::Passages(engine) => {
                let answer = quoted(text, engine.closest(text, question, stop)?);
                piece(&answer.text);
                Ok(answer)
            }
        }
    }
}

/// Stores the answer; `None` if it is empty.
async fn store_answer(
    state: &AppState,
    job: Uuid,
    engine: EngineName,
    answer: Answer,
    incomplete: bool,
) -> Result<Option<Message>, Problem> {
    if answer.text.trim().is_empty() {
        return Ok(None);
    }
    let reply = Message {
        text: answer.text,
        moments: answer.moments,
        engine: Some(engine),
        incomplete,
        ..message(state)?
    };
    store(state, job, &reply).await?;
    Ok(Some(reply))
}

struct Reader {
    receiver: mpsc::UnboundedReceiver<AnswerEvent>,
    rights: AccessCheck,
    _place: StreamSlot,
}

fn event_stream(reader: Reader) -> impl Stream<Item = Result<Event, Infallible>> {
    stream::unfold(reader, |mut reader| async move {
        let event = tokio::select! {
            event = reader.receiver.recv() => event?,
            () = reader.rights.end() => return None,
        };
        let (name, data) = match event {
            AnswerEvent::Piece(piece) => ("delta", events::text(&json!({ "text": piece }))),
            AnswerEvent::Done(message) => ("done", events::text(&message)),
            AnswerEvent::Failed(code) => ("failed", events::text(&json!({ "code": code }))),
        };
        Some((Ok(Event::default().event(name).data(data)), reader))
    })
}
