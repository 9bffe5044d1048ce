//! Jobs: the queue's worker, the stages of one job, and what readers are told while it runs.
//!
//! A job is a row that is its own entry in the queue (`slovo_db::jobs::queue`). A worker claims it under
//! a lease and runs its stages; each stage's inputs and output are stored, recognition after every
//! finished window, so that a kill at any point costs at most the running window. README.md beside
//! this file says why the queue is the job table and not a library.

mod background;
pub mod counts;
mod digest;
mod download;
mod estimate;
mod failure;
pub mod file_links;
mod files;
mod heartbeat;
pub mod links;
mod outside;
pub mod readers;
mod recognition;
mod run;
pub mod speakers;
pub mod watch;
mod waveforms;
mod worker;

use std::{sync::Arc, time::Duration};

use anyhow::{Context, Result};
use slovo_db::Database;
use slovo_db::jobs::queue::Line;
use slovo_engine::{Engine, EngineConfig};
use tokio::sync::Notify;
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use uuid::Uuid;

use crate::{
    analysis::Analyses, condition::Condition, live::Live, models::serving::Serving,
    webhooks::Webhooks,
};
use readers::Readers;
use slovo_fetch::Fetch;
use slovo_platform::{clock::Clock, random::Random, storage::Storage};
use waveforms::Making;

/// How long a deletion waits for the run it has stopped. The engine looks at its flag several
/// times a second; what takes longer is stuck in a system call and finds its job gone later.
const STOP_TIME: Duration = Duration::from_secs(5);

/// What the jobs are made with.
pub struct Parts {
    /// Where the rows are.
    pub db: Database,
    /// Where the recordings are.
    pub storage: Storage,
    /// Whether more can be stored.
    pub condition: Condition,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// Randomness, for leases.
    pub random: Arc<dyn Random>,
    /// Fetches recordings.
    pub fetch: Fetch,
    /// Models, threads and limits.
    pub engine: EngineConfig,
    /// Which models recognise.
    pub serving: Serving,
    /// Steps by which recognition gives way to whoever waits for a page.
    pub nice: u8,
    /// What analyses do.
    pub analyses: Analyses,
    /// Services that recognise in the engine's place.
    pub webhooks: Webhooks,
    /// Cancelled when the server stops.
    pub shutdown: CancellationToken,
    /// What the server waits for before it ends.
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
    config: EngineConfig,
    serving: Serving,
    /// Steps by which recognition gives way to whoever waits for a page.
    nice: u8,
    analyses: Analyses,
    webhooks: Webhooks,
    live: Live,
    readers: Readers,
    making: Making,
    downloads: Notify,
    recognitions: Notify,
    shutdown: CancellationToken,
    tasks: TaskTracker,
}

impl Jobs {
    /// Gives up the memory of models that serve no mode any more.
    pub fn keep_models(&self, ids: &[&str]) {
        self.0.engine.keep_only(ids);
    }

    /// Jobs that nobody works on yet; see [`Jobs::start`].
    ///
    /// # Errors
    /// When the engine cannot be made.
    pub fn new(parts: Parts) -> Result<Self> {
        let engine = Engine::new(parts.engine.clone()).context("the engine cannot be made")?;
        Ok(Self(Arc::new(Inner {
            db: parts.db,
            storage: parts.storage,
            condition: parts.condition,
            clock: parts.clock,
            random: parts.random,
            fetch: parts.fetch,
            engine,
            config: parts.engine,
            serving: parts.serving,
            nice: parts.nice,
            webhooks: parts.webhooks,
            live: parts.analyses.live().clone(),
            analyses: parts.analyses,
            readers: Readers::default(),
            making: Making::default(),
            downloads: Notify::new(),
            recognitions: Notify::new(),
            shutdown: parts.shutdown,
            tasks: parts.tasks,
        })))
    }

    /// What is made of their texts.
    #[must_use]
    pub fn analyses(&self) -> &Analyses {
        &self.0.analyses
    }

    /// What changes in jobs is told here.
    #[must_use]
    pub fn live(&self) -> &Live {
        &self.0.live
    }

    /// Whether what they make can be stored.
    #[must_use]
    pub fn condition(&self) -> &Condition {
        &self.0.condition
    }

    /// Who follows jobs here.
    #[must_use]
    pub fn readers(&self) -> &Readers {
        &self.0.readers
    }

    /// Says that a job was put into the queue, after its transaction was committed.
    pub fn enqueued(&self, id: Uuid) {
        self.0.live.stored(id);
        self.wake();
    }

    /// Wakes whoever waits for work.
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

    /// Says that a job was cancelled, after its transaction was committed: its run stops.
    pub fn cancelled(&self, id: Uuid) {
        // Nobody waits for it: the run finds its lease gone and leaves without a trace.
        let _ended = self.0.live.stop(id);
        self.0.live.stored(id);
    }

    /// Waits until a run that was told to stop is over.
    pub async fn stopped(&self, id: Uuid) {
        let Some(running) = self.0.live.running_one(id) else {
            return;
        };
        if running.cancel.is_cancelled() {
            // The lease tells the two runs apart if this one takes too long.
            let _ = tokio::time::timeout(STOP_TIME, running.ended.cancelled()).await;
        }
    }

    /// Stops the job's run in this process, if there is one, and waits until it is over.
    pub async fn stop(&self, id: Uuid) {
        if let Some(ended) = self.0.live.stop(id)
            && tokio::time::timeout(STOP_TIME, ended.cancelled())
                .await
                .is_err()
        {
            tracing::warn!(job = %id, "the run of a job does not stop; its lease is taken away");
        }
    }

    /// Says that a job is gone, after its transaction was committed.
    pub fn removed(&self, id: Uuid) {
        self.0.live.stored(id);
    }
}
