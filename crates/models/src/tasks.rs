//! Background pulls and checks of models for administrators: one task per model, which every page
//! can watch and cancel.
//!
//! Models come from the program's own list and the configured source: no user can supply a URL. A
//! pull that ends early keeps its partial file, and the next one resumes it.

use std::collections::HashMap;
use std::fs::{File, TryLockError};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use serde::Serialize;
use slovo_model_catalogue::{
    self as catalogue, Choice, Kind, Model, SENTENCES, StoreError, VOICE_ACTIVITY, lock_path,
};
use slovo_platform::clock::Clock;
use slovo_rules::settings::TranscriptionType;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use utoipa::ToSchema;

use crate::error::PullError;
use crate::leftovers::{self, part_path};
use crate::progress::{Progress, Step};
use crate::pull::Fetcher;
use crate::serving::Serving;

/// What is done with a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = ModelTaskKind)]
pub enum TaskKind {
    /// It is downloaded.
    Pull,
    /// Its checksum is recomputed.
    Verify,
}

/// A running task of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunningTask {
    /// The kind of task.
    pub kind: TaskKind,
    /// Its current step.
    pub step: Step,
    /// Bytes processed.
    pub done: u64,
    /// Total bytes, if known.
    pub total: Option<u64>,
    /// Whether it runs in this process and can be cancelled here.
    pub here: bool,
}

/// How the last task of a model ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FinishedTask {
    /// The kind of task.
    pub kind: TaskKind,
    /// Its outcome.
    pub outcome: Outcome,
    /// End time, in Unix milliseconds.
    pub at: i64,
}

/// The outcome of a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The model is present and its checksum is correct.
    Right,
    /// It was cancelled; the partial file is kept.
    Cancelled,
    /// It failed.
    Failed {
        /// Stable code of the reason.
        code: &'static str,
        /// The reason in English.
        reason: String,
    },
}

/// What the modes and the analysis use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = ModelUse)]
pub enum ModelUse {
    /// Full mode.
    Full,
    /// Lite mode.
    Lite,
    /// Voice activity detection, in every mode.
    VoiceActivity,
    /// Speaker diarization.
    Speakers,
    /// Summaries, sentiment and labels without an endpoint.
    Analysis,
}

/// Why a task could not be started or a model not removed.
#[derive(Debug)]
pub enum TaskError {
    /// A task of this model is running, here or in another process.
    Busy,
    /// It is in use by these.
    InUse(Vec<ModelUse>),
    /// It is not installed.
    Missing,
    /// The folder is not usable.
    Failed(PullError),
}

/// Runs the tasks of one server. Cheap to clone.
#[derive(Clone)]
pub struct ModelTasks(Arc<Inner>);

/// The dependencies of the tasks.
pub struct Parts {
    /// The folder and the source.
    pub fetcher: Fetcher,
    /// The models that may be pulled.
    pub catalogue: &'static [Model],
    /// The models in use in this process.
    pub serving: Serving,
    /// The models configured for the modes; takes precedence over the folder's file.
    pub configured: Choice,
    /// The clock.
    pub clock: Arc<dyn Clock>,
    /// Cancelled when the server stops.
    pub shutdown: CancellationToken,
    /// Tasks that the server waits for before it exits.
    pub tasks: TaskTracker,
}

struct Inner {
    parts: Parts,
    tasks: Mutex<HashMap<&'static str, Entry>>,
}

#[derive(Default)]
struct Entry {
    running: Option<(RunningTask, CancellationToken)>,
    ended: Option<FinishedTask>,
}

impl ModelTasks {
    /// Starts with no task running.
    #[must_use]
    pub fn new(parts: Parts) -> Self {
        Self(Arc::new(Inner {
            parts,
            tasks: Mutex::default(),
        }))
    }

    /// The folder and the source.
    #[must_use]
    pub fn fetcher(&self) -> &Fetcher {
        &self.0.parts.fetcher
    }

    /// The models in use now.
    #[must_use]
    pub fn serving(&self) -> &Serving {
        &self.0.parts.serving
    }

    /// The models that may be pulled.
    #[must_use]
    pub fn catalogue(&self) -> &'static [Model] {
        self.0.parts.catalogue
    }

    /// The model with this id.
    #[must_use]
    pub fn find(&self, id: &str) -> Option<&'static Model> {
        self.0.parts.catalogue.iter().find(|model| model.id == id)
    }

    /// The running task of a model, here or in another process, and how the last one here ended.
    #[must_use]
    pub fn seen(&self, model: &Model) -> (Option<RunningTask>, Option<FinishedTask>) {
        let (running, ended) = {
            let tasks = self.tasks();
            let entry = tasks.get(model.id);
            let running = entry.and_then(|entry| entry.running.as_ref());
            (
                running.map(|(running, _)| *running),
                entry.and_then(|entry| entry.ended.clone()),
            )
        };
        (running.or_else(|| self.running_elsewhere(model)), ended)
    }

    /// Size of a model's partial file, in bytes.
    #[must_use]
    pub fn partial_bytes(&self, model: &Model) -> u64 {
        let part = part_path(&self.fetcher().dir, model);
        part.metadata().map_or(0, |metadata| metadata.len())
    }

    /// A pull by another process: it holds the lock, and its partial file grows.
    fn running_elsewhere(&self, model: &Model) -> Option<RunningTask> {
        let lock = File::open(lock_path(&self.fetcher().dir, model)).ok()?;
        // A shared lock, so that two readers do not mistake each other for a pull.
        matches!(lock.try_lock_shared(), Err(TryLockError::WouldBlock)).then(|| RunningTask {
            kind: TaskKind::Pull,
            step: Step::Downloading,
            done: self.partial_bytes(model),
            total: Some(model.bytes()),
            here: false,
        })
    }

    /// The uses of a model, now or after the next start. Running jobs already have theirs in
    /// memory.
    #[must_use]
    pub fn used_by(&self, model: &Model) -> Vec<ModelUse> {
        let parts = &self.0.parts;
        let next = Choice::load(&parts.fetcher.dir)
            .overridden_by(parts.configured.clone())
            .overridden_by(parts.serving.chosen());
        let now = parts.serving.now();
        let mut uses = Vec::new();
        for (mode, used) in [
            (TranscriptionType::Full, ModelUse::Full),
            (TranscriptionType::Lite, ModelUse::Lite),
        ] {
            if [&now, &next]
                .map(|choice| catalogue::whisper_of(choice.model(mode)))
                .contains(&model.id)
            {
                uses.push(used);
            }
        }
        match model.kind {
            Kind::SpeakerSegmentation | Kind::SpeakerEmbedding => uses.push(ModelUse::Speakers),
            _ if model.id == VOICE_ACTIVITY => uses.push(ModelUse::VoiceActivity),
            _ if model.id == SENTENCES => uses.push(ModelUse::Analysis),
            _ => {}
        }
        uses
    }

    /// Starts pulling a model.
    ///
    /// # Errors
    /// [`TaskError::Busy`]
    pub fn pull(&self, model: &'static Model) -> Result<(), TaskError> {
        let cancel = self.begin(model, TaskKind::Pull, Step::Waiting, model.bytes())?;
        let tasks = self.clone();
        self.0.parts.tasks.spawn(async move {
            let parts = &tasks.0.parts;
            let progress = |progress: Progress<'_>| tasks.record_progress(model, progress);
            let outcome = tokio::select! {
                outcome = parts.fetcher.pull(model, &progress) => Some(outcome),
                () = cancel.cancelled() => None,
                () = parts.shutdown.cancelled() => None,
            };
            let outcome = match outcome {
                None => Outcome::Cancelled,
                Some(Ok(_)) => Outcome::Right,
                Some(Err(error)) => failed(&error),
            };
            tasks.end(model, TaskKind::Pull, outcome);
        });
        Ok(())
    }

    /// Starts verifying a model's checksum.
    ///
    /// # Errors
    /// [`TaskError::Busy`], [`TaskError::Missing`]
    pub fn verify(&self, model: &'static Model) -> Result<(), TaskError> {
        let dir = self.fetcher().dir.clone();
        if catalogue::state(&dir, model) == catalogue::State::Missing {
            return Err(TaskError::Missing);
        }
        self.begin(model, TaskKind::Verify, Step::Verifying, model.bytes())?;
        let tasks = self.clone();
        self.0.parts.tasks.spawn_blocking(move || {
            let on_bytes = |done| {
                tasks.record_progress(
                    model,
                    Progress::Bytes {
                        done,
                        total: Some(model.bytes()),
                    },
                );
            };
            let outcome = match catalogue::verify(&dir, model, on_bytes) {
                Ok(_) => Outcome::Right,
                Err(error) => failed(&PullError::Store(error)),
            };
            tasks.end(model, TaskKind::Verify, outcome);
        });
        Ok(())
    }

    /// Cancels the pull of a model; the partial file is kept. `false` if none runs here.
    #[must_use]
    pub fn cancel(&self, model: &Model) -> bool {
        let tasks = self.tasks();
        let running = tasks.get(model.id).and_then(|entry| entry.running.as_ref());
        let Some((_, cancel)) = running.filter(|(running, _)| running.kind == TaskKind::Pull)
        else {
            return false;
        };
        cancel.cancel();
        true
    }

    /// Removes a model and its partial files. Blocks.
    ///
    /// # Errors
    /// [`TaskError`]
    pub fn remove(&self, model: &Model) -> Result<(), TaskError> {
        let uses = self.used_by(model);
        if !uses.is_empty() {
            return Err(TaskError::InUse(uses));
        }
        {
            let tasks = self.tasks();
            let entry = tasks.get(model.id);
            if entry.is_some_and(|entry| entry.running.is_some()) {
                return Err(TaskError::Busy);
            }
        }
        match leftovers::remove(&self.fetcher().dir, model) {
            Ok(true) => {
                self.tasks().remove(model.id);
                Ok(())
            }
            Ok(false) => Err(TaskError::Missing),
            Err(PullError::Busy) => Err(TaskError::Busy),
            Err(error) => Err(TaskError::Failed(error)),
        }
    }

    fn begin(
        &self,
        model: &'static Model,
        kind: TaskKind,
        step: Step,
        total: u64,
    ) -> Result<CancellationToken, TaskError> {
        if self.is_running(model) {
            return Err(TaskError::Busy);
        }
        let mut tasks = self.tasks();
        let entry = tasks.entry(model.id).or_default();
        if entry.running.is_some() {
            return Err(TaskError::Busy);
        }
        let cancel = CancellationToken::new();
        let running = RunningTask {
            kind,
            step,
            done: 0,
            total: Some(total),
            here: true,
        };
        entry.running = Some((running, cancel.clone()));
        entry.ended = None;
        Ok(cancel)
    }

    fn is_running(&self, model: &Model) -> bool {
        self.seen(model).0.is_some()
    }

    fn record_progress(&self, model: &Model, progress: Progress<'_>) {
        let mut tasks = self.tasks();
        let Some(Entry {
            running: Some((running, _)),
            ..
        }) = tasks.get_mut(model.id)
        else {
            return;
        };
        match progress {
            Progress::Step(step) => running.step = step,
            Progress::Bytes { done, total } => {
                running.done = done;
                running.total = total.or(running.total);
            }
            Progress::Note(note) => tracing::info!(model = model.id, note, "pulling a model"),
        }
    }

    fn end(&self, model: &Model, kind: TaskKind, outcome: Outcome) {
        match &outcome {
            Outcome::Failed { code, reason } => {
                tracing::warn!(
                    model = model.id,
                    ?kind,
                    code,
                    reason,
                    "a task of a model failed"
                );
            }
            _ => tracing::info!(model = model.id, ?kind, ?outcome, "a task of a model ended"),
        }
        let at = self.0.parts.clock.now_ms();
        let mut tasks = self.tasks();
        if let Some(entry) = tasks.get_mut(model.id) {
            entry.running = None;
            entry.ended = Some(FinishedTask { kind, outcome, at });
        }
    }

    fn tasks(&self) -> std::sync::MutexGuard<'_, HashMap<&'static str, Entry>> {
        self.0.tasks.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn failed(error: &PullError) -> Outcome {
    Outcome::Failed {
        code: code(error),
        reason: error.to_string(),
    }
}

/// The stable code of an error, for choosing its text.
fn code(error: &PullError) -> &'static str {
    match error {
        PullError::Endpoint(_) | PullError::Unreachable(_) => "unreachable",
        PullError::Refused(_) => "refused",
        PullError::NotAModel(_) => "not_a_model",
        PullError::BrokenOff(_) => "broken_off",
        PullError::Store(StoreError::WrongChecksum { .. }) => "checksum",
        PullError::Store(_) | PullError::Io { .. } => "folder",
        PullError::NoRoom { .. } => "no_room",
        PullError::NotHere(_) => "no_source",
        PullError::NotOnHub => "not_offered",
        PullError::Busy => "busy",
    }
}

/// Free bytes in the models folder, which may not exist yet.
#[must_use]
pub fn free_space(dir: &Path) -> Option<u64> {
    dir.ancestors().find_map(slovo_platform::disk::free_bytes)
}
