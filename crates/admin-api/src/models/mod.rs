//! Speech models: `/api/v1/admin/models`.

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use jiff::Timestamp;
use serde::Serialize;
use serde_json::{Value, json};
use slovo_accounts::audit::Change;
use slovo_app::auth::Caller;
use slovo_app::http::Problem;
use slovo_app::routes;
use slovo_app::state::AppState;
use slovo_engine::models::{
    self, AcquisitionMethod, Fit, Kind, MachineResources, Model, Origin, State as OnDisk,
};
use slovo_models::Step;
use slovo_models::tasks::{FinishedTask, ModelUse, Outcome, RunningTask, TaskError, TaskKind};
use slovo_platform::clock::from_ms;
use slovo_rules::codes::ProblemCode;
use slovo_rules::settings::TranscriptionType;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

mod cancel_pull;
mod choose;
mod list;
mod pull;
mod remove;
mod verify;

/// The routes of this module.
pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(list::list))
        .routes(routes!(remove::remove))
        .routes(routes!(pull::pull, cancel_pull::cancel))
        .routes(routes!(verify::verify))
        .routes(routes!(choose::choose))
}

/// What a model is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = ModelKind)]
pub(super) enum ModelKind {
    /// Recognises speech.
    Speech,
    /// Finds speech.
    VoiceActivity,
    /// Distinguishes speakers.
    Speakers,
    /// Sentence embeddings.
    Sentences,
}

/// The state of a model's file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = ModelState)]
pub(super) enum ModelState {
    /// Its checksum was correct when it was installed.
    Installed,
    /// The file exists but has not been verified.
    Unverified,
    /// There is no file.
    Missing,
}

/// How a file got into the models folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = ModelWay)]
pub(super) enum ModelWay {
    /// Downloaded unchanged from a URL.
    Downloaded,
    /// Extracted unchanged from Python packages.
    Unpacked,
    /// Converted from weights in Python packages.
    Converted,
    /// It was in the folder already.
    Found,
}

/// Where an installed file came from.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ModelOrigin)]
pub(super) struct ModelOrigin {
    /// How it got into the folder.
    way: ModelWay,
    /// The URL, or the packages with their versions; empty if the file was already in the folder.
    from: Vec<String>,
}

/// Whether the machine has enough memory for a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = ModelFit)]
pub(super) enum ModelFit {
    /// It has enough.
    Fits,
    /// It has enough, but too little of it is free now.
    Tight,
    /// It does not have enough.
    TooLarge,
}

/// Work in progress on a model.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ModelTask)]
pub(super) struct Task {
    /// The kind of work.
    kind: TaskKind,
    /// Its current step.
    step: Step,
    /// Bytes processed so far.
    done: u64,
    /// Total number of bytes, if known.
    #[schema(required)]
    total: Option<u64>,
    /// Whether it can be cancelled, because it runs in this process.
    here: bool,
}

/// How the last task on a model ended, since the server started.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ModelTaskEnd)]
pub(super) struct TaskEnd {
    /// The kind of work.
    kind: TaskKind,
    /// Stable name of the cause if it failed, otherwise null.
    #[schema(required)]
    failure: Option<&'static str>,
    /// The reason in English.
    #[schema(required)]
    reason: Option<String>,
    /// Whether it was cancelled.
    cancelled: bool,
    #[schema(value_type = String, format = DateTime)]
    at: Timestamp,
}

/// A model.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ManagedModel)]
pub(super) struct Body {
    id: &'static str,
    kind: ModelKind,
    /// Whether it recognises languages other than English.
    multilingual: bool,
    /// Size of the file in bytes.
    bytes: u64,
    /// Estimated bytes of memory in use.
    memory_bytes: u64,
    /// Whether the machine has enough memory; null if that is unknown.
    #[schema(required)]
    fit: Option<ModelFit>,
    state: ModelState,
    /// What uses it. A model in use cannot be deleted.
    used_by: Vec<ModelUse>,
    /// Where the installed file came from.
    #[schema(required)]
    origin: Option<ModelOrigin>,
    /// Licence of the weights.
    licence: &'static str,
    /// Bytes left by an incomplete download; the next download resumes there.
    partial_bytes: u64,
    /// Work in progress.
    #[schema(required)]
    task: Option<Task>,
    /// How the last task ended.
    #[schema(required)]
    ended: Option<TaskEnd>,
}

fn origin(origin: Origin) -> ModelOrigin {
    ModelOrigin {
        way: match origin.way {
            AcquisitionMethod::Downloaded => ModelWay::Downloaded,
            AcquisitionMethod::Unpacked => ModelWay::Unpacked,
            AcquisitionMethod::Converted => ModelWay::Converted,
            AcquisitionMethod::Found => ModelWay::Found,
        },
        from: origin.from,
    }
}

/// The current state of a model. Reads files.
fn body(state: &AppState, machine: Option<&MachineResources>, model: &'static Model) -> Body {
    let tasks = &state.models;
    let (running, ended) = tasks.seen(model);
    let on_disk = models::state(&tasks.fetcher().dir, model);
    Body {
        id: model.id,
        kind: match model.kind {
            Kind::Speech { .. } => ModelKind::Speech,
            Kind::VoiceActivity => ModelKind::VoiceActivity,
            Kind::SpeakerSegmentation | Kind::SpeakerEmbedding => ModelKind::Speakers,
            Kind::Sentences => ModelKind::Sentences,
        },
        multilingual: model.serves(TranscriptionType::Full),
        bytes: model.bytes(),
        memory_bytes: model.memory(machine.map_or(1, |machine| machine.cores.clamp(1, 4))),
        fit: machine.map(|machine| match model.fit(machine) {
            Fit::Fits => ModelFit::Fits,
            Fit::Tight => ModelFit::Tight,
            Fit::TooLarge => ModelFit::TooLarge,
        }),
        state: match &on_disk {
            OnDisk::Installed(_) => ModelState::Installed,
            OnDisk::Unknown => ModelState::Unverified,
            OnDisk::Missing => ModelState::Missing,
        },
        used_by: tasks.used_by(model),
        origin: match on_disk {
            OnDisk::Installed(record) => Some(origin(record.origin)),
            OnDisk::Unknown | OnDisk::Missing => None,
        },
        licence: model.licence(),
        partial_bytes: tasks.partial_bytes(model),
        task: running.map(task),
        ended: ended.map(end),
    }
}

fn task(running: RunningTask) -> Task {
    Task {
        kind: running.kind,
        step: running.step,
        done: running.done,
        total: running.total,
        here: running.here,
    }
}

fn end(ended: FinishedTask) -> TaskEnd {
    let cancelled = ended.outcome == Outcome::Cancelled;
    let (failure, reason) = match ended.outcome {
        Outcome::Right | Outcome::Cancelled => (None, None),
        Outcome::Failed { code, reason } => (Some(code), Some(reason)),
    };
    TaskEnd {
        kind: ended.kind,
        failure,
        reason,
        cancelled,
        at: from_ms(ended.at),
    }
}

/// The state of a model, read on a blocking thread.
async fn current_state(state: &AppState, model: &'static Model) -> Result<Body, Problem> {
    let state = state.clone();
    let read_body = move || body(&state, MachineResources::this().as_ref(), model);
    let result = tokio::task::spawn_blocking(read_body).await;
    result.map_err(Problem::internal)
}

/// The model with this id.
fn find(state: &AppState, id: &str) -> Result<&'static Model, Error> {
    state.models.find(id).ok_or(Error::NotFound)
}

/// Logs an action on a model.
async fn record(
    state: &AppState,
    caller: &Caller,
    action: &str,
    model: &Model,
    (before, after): (Value, Value),
) -> Result<(), Problem> {
    let change = Change {
        action,
        kind: "model",
        id: model.id,
        name: model.id,
        before,
        after,
    };
    let mut transaction = state.db.write().await?;
    state
        .audit()
        .record(&mut transaction, caller, change)
        .await?;
    transaction.commit().await?;
    Ok(())
}

/// The source of downloads, for the audit log.
fn source(state: &AppState) -> Value {
    let fetcher = state.models.fetcher();
    json!({
        "source": format!("{:?}", fetcher.source).to_lowercase(),
        "hub": fetcher.hub.endpoint.host_str(),
    })
}

/// Why the action failed.
#[derive(Debug)]
pub(super) enum Error {
    /// There is no such model.
    NotFound,
    /// The model does not support the mode.
    Unfit,
    /// The task could not be started, or the model not removed.
    Task(TaskError),
    Other(Problem),
}

impl From<TaskError> for Error {
    fn from(error: TaskError) -> Self {
        Self::Task(error)
    }
}

impl From<Problem> for Error {
    fn from(problem: Problem) -> Self {
        Self::Other(problem)
    }
}

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        match self {
            Self::NotFound => Problem::not_found(),
            Self::Unfit => Problem::new(StatusCode::CONFLICT, ProblemCode::ModelUnfit),
            Self::Task(TaskError::Busy) => {
                Problem::new(StatusCode::CONFLICT, ProblemCode::ModelBusy)
            }
            Self::Task(TaskError::Missing) => {
                Problem::new(StatusCode::CONFLICT, ProblemCode::ModelMissing)
            }
            Self::Task(TaskError::InUse(uses)) => {
                let uses = json!(uses);
                let params = [("used_by".to_owned(), uses)];
                Problem::new(StatusCode::CONFLICT, ProblemCode::ModelInUse).params(params.into())
            }
            Self::Task(TaskError::Failed(error)) => Problem::internal(error),
            Self::Other(problem) => problem,
        }
        .into_response()
    }
}
