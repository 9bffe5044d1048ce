//! Jobs: the queue's worker, the stages of a job, and the events for clients while it runs.
//!
//! A job is a row that is also its queue entry (`slovo_db::jobs::queue`). A worker claims it under
//! a lease and runs its stages; each stage's inputs and output are stored, recognition after every
//! finished window, so that a kill costs at most the running window. README.md in this folder
//! explains why the queue is the job table and not a library.

mod background;
pub mod counts;
mod detection;
mod digest;
mod download;
mod estimate;
mod external_recognition;
mod failure;
pub mod file_links;
mod files;
mod heartbeat;
pub mod links;
mod models;
pub mod open_streams;
mod recogniser;
mod recognition;
mod run;
pub mod speakers;
pub mod steps;
mod stretches;
mod voices;
pub mod watch;
mod waveforms;
mod worker;

use std::{sync::Arc, time::Duration};

use slovo_db::Database;
use slovo_db::jobs::queue::Line;
use slovo_engine::Engine;
use slovo_fetch::Fetch;
use slovo_models::serving::Serving;
use slovo_platform::{clock::Clock, random::Random};
use slovo_rules::settings::TranscriptionType;
use slovo_storage::Storage;
use tokio::sync::{Notify, Semaphore};
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use uuid::Uuid;

use crate::analysis::Analyses;
use crate::condition::Condition;
use crate::live::{Live, Message};
use crate::messages::{self, Words};
use crate::speech_endpoint::SpeechEndpoints;
use crate::webhooks::Webhooks;
use open_streams::OpenStreams;
use waveforms::WaveformTasks;
pub use worker::Driver;

/// How long a deletion waits for the run that it has stopped. The engine checks its flag several
/// times a second; a run that takes longer is blocked in a system call and will find its job gone.
const STOP_TIME: Duration = Duration::from_secs(5);

/// Dependencies of the jobs.
pub struct Parts {
    /// The database.
    pub db: Database,
    /// The recordings.
    pub storage: Storage,
    /// Disk and database health.
    pub condition: Condition,
    /// The clock.
    pub clock: Arc<dyn Clock>,
    /// Random source for leases.
    pub random: Arc<dyn Random>,
    /// Downloads recordings.
    pub fetch: Fetch,
    /// Decodes and recognises.
    pub engine: Engine,
    /// The models in use.
    pub serving: Serving,
    /// Nice value of recognition, so that requests come first.
    pub nice: u8,
    /// After this time without use a recognition model is unloaded; `None`: never.
    pub unload_models_after: Option<Duration>,
    /// The analyses.
    pub analyses: Analyses,
    /// Services that can recognise instead of the engine.
    pub webhooks: Webhooks,
    /// The endpoint that can recognise instead of a model.
    pub speech_endpoints: SpeechEndpoints,
    /// Cancelled when the server stops.
    pub shutdown: CancellationToken,
    /// Tasks that the server waits for before it exits.
    pub tasks: TaskTracker,
}

/// The jobs of this process. Cheap to clone.
#[derive(Clone)]
pub struct Jobs(Arc<Inner>);

struct Inner {
    db: Database,
    storage: Storage,
    condition: Condition,
    clock: Arc<dyn Clock>,
    random: Arc<dyn Random>,
    fetch: Fetch,
    engine: Engine,
    serving: Serving,
    /// Nice value of recognition, so that requests come first.
    nice: u8,
    unload_models_after: Option<Duration>,
    analyses: Analyses,
    webhooks: Webhooks,
    speech_endpoints: SpeechEndpoints,
    live: Live,
    open_streams: OpenStreams,
    making: WaveformTasks,
    downloads: Notify,
    recognitions: Notify,
    voices: Notify,
    /// One recording at a time.
    detections: Arc<Semaphore>,
    shutdown: CancellationToken,
    tasks: TaskTracker,
}

impl Jobs {
    /// Jobs without a worker; see [`Jobs::start`].
    #[must_use]
    pub fn new(parts: Parts) -> Self {
        Self(Arc::new(Inner {
            db: parts.db,
            storage: parts.storage,
            condition: parts.condition,
            clock: parts.clock,
            random: parts.random,
            fetch: parts.fetch,
            engine: parts.engine,
            serving: parts.serving,
            nice: parts.nice,
            unload_models_after: parts.unload_models_after,
            webhooks: parts.webhooks,
            speech_endpoints: parts.speech_endpoints,
            live: parts.analyses.live().clone(),
            analyses: parts.analyses,
            open_streams: OpenStreams::default(),
            making: WaveformTasks::default(),
            downloads: Notify::new(),
            recognitions: Notify::new(),
            voices: Notify::new(),
            detections: Arc::new(Semaphore::new(1)),
            shutdown: parts.shutdown,
            tasks: parts.tasks,
        }))
    }

    /// The analyses of their texts.
    #[must_use]
    pub fn analyses(&self) -> &Analyses {
        &self.0.analyses
    }

    /// The endpoint that can recognise instead of a model.
    #[must_use]
    pub fn speech_endpoints(&self) -> &SpeechEndpoints {
        &self.0.speech_endpoints
    }

    /// Publishes changes of jobs.
    #[must_use]
    pub fn live(&self) -> &Live {
        &self.0.live
    }

    /// Disk and database health.
    #[must_use]
    pub fn condition(&self) -> &Condition {
        &self.0.condition
    }

    /// The open event streams.
    #[must_use]
    pub fn open_streams(&self) -> &OpenStreams {
        &self.0.open_streams
    }

    /// Wakes the worker after a job was queued; call it after the commit.
    pub fn enqueued(&self, id: Uuid) {
        self.0.live.stored(id);
        self.0.live.tell(Message::Work);
        self.wake();
    }

    /// Recognitions at once. Jobs share the engine's threads; more jobs than threads would only wait.
    fn recognition_places(&self) -> usize {
        self.0.engine.config().threads.max(1)
    }

    /// The model in use for a mode.
    #[must_use]
    pub fn model(&self, mode: TranscriptionType) -> String {
        self.0.serving.now().model(mode).to_owned()
    }

    /// The models in use.
    #[must_use]
    pub fn models(&self) -> [String; 2] {
        [TranscriptionType::Full, TranscriptionType::Lite].map(|mode| self.model(mode))
    }

    /// Returns when work was queued in this process, or another one told so, since the last call. Only
    /// for the driver outside; workers have their own.
    pub async fn new_work(&self) {
        self.waker(Line::Download).notified().await;
    }

    /// Exchanges messages with other processes on the same PostgreSQL database until the server stops:
    /// readers are woken by changes that other processes store, and workers by new work; words are passed
    /// on as they are.
    pub async fn exchange_messages(self, words: impl Words) {
        let work = || {
            self.wake();
            self.wake_voices();
            self.0.analyses.wake();
        };
        let (db, live, shutdown) = (&self.0.db, &self.0.live, &self.0.shutdown);
        let process = self.0.random.uuid();
        messages::exchange(db, live, shutdown, &process, &words, work).await;
    }

    /// Wakes tasks that wait for work.
    fn wake(&self) {
        for line in [Line::Download, Line::Recognition] {
            self.waker(line).notify_one();
        }
    }

    fn waker(&self, line: Line) -> &Notify {
        match line {
            Line::Download => &self.0.downloads,
            Line::Recognition => &self.0.recognitions,
        }
    }

    /// Stops the run of a cancelled job; call it after the commit.
    pub fn cancelled(&self, id: Uuid) {
        // Not awaited: the run finds its lease gone and stores nothing.
        let _ended = self.0.live.stop(id);
        self.0.live.stored(id);
    }

    /// Waits until a stopped run has ended.
    pub async fn stopped(&self, id: Uuid) {
        let Some(running) = self.0.live.running_one(id) else {
            return;
        };
        if running.cancel.is_cancelled() {
            // If this one takes too long, the lease distinguishes the two runs.
            let _ = tokio::time::timeout(STOP_TIME, running.ended.cancelled()).await;
        }
    }

    /// Stops the job's run in this process, if there is one, and waits until it has ended.
    pub async fn stop(&self, id: Uuid) {
        if let Some(ended) = self.0.live.stop(id)
            && tokio::time::timeout(STOP_TIME, ended.cancelled())
                .await
                .is_err()
        {
            tracing::warn!(job = %id, "a stopped run has not ended in time");
        }
    }

    /// Stops the run of a deleted job and informs its readers; call it after the commit.
    pub fn removed(&self, id: Uuid) {
        self.0.live.stored(id);
    }
}
