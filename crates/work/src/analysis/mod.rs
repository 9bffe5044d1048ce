//! Analyses of a text after recognition: the engines and the queue's worker.
//!
//! The requested parts are queued in the transaction that completes the job, and run one at a time.
//! Their outcome does not change the job's status.

pub mod assistant;
pub mod configured;
mod embedded;
pub mod endpoint;
pub mod engines;
pub mod speakers;
pub mod text;
mod worker;

use std::sync::{Arc, Mutex, PoisonError, RwLock};

use slovo_analysis::Stop;
use slovo_db::jobs::Job;
use slovo_db::texts::analyses::{self, NewAnalysis};
use slovo_db::{Connection, Database};
use slovo_engine::CancelToken;
use slovo_rules::analysis::{Part, PartRequest};
use slovo_rules::transcript::Transcript;
use tokio::sync::{Notify, Semaphore};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::live::Live;
use configured::Configured;
use engines::{Engines, Reason};
use slovo_platform::clock::Clock;
use slovo_platform::random::Random;
use slovo_platform::secret::Secret;

/// Stops a running analysis.
#[derive(Debug, Clone, Default)]
pub struct CancelFlag(pub CancelToken);

impl Stop for CancelFlag {
    fn is_set(&self) -> bool {
        self.0.is_cancelled()
    }
}

/// Dependencies of the analyses.
pub struct Parts {
    /// The database.
    pub db: Database,
    /// The clock.
    pub clock: Arc<dyn Clock>,
    /// Random source for ids and leases.
    pub random: Arc<dyn Random>,
    /// Secret that entered keys are encrypted with.
    pub secret: Secret,
    /// The configured endpoint.
    pub config: Configured,
    /// The engines.
    pub engines: Engines,
    /// Cancelled when the server stops.
    pub shutdown: CancellationToken,
    /// Tasks that the server waits for before it exits.
    pub tasks: TaskTracker,
}

/// The analyses of this process. Cheap to clone.
#[derive(Clone)]
pub struct Analyses(Arc<Inner>);

struct Inner {
    db: Database,
    clock: Arc<dyn Clock>,
    random: Arc<dyn Random>,
    secret: Secret,
    config: Configured,
    /// Replaced when an administrator changes the endpoint; running analyses keep the old one.
    engines: RwLock<Arc<Engines>>,
    /// The stored settings that were applied last.
    configured: Mutex<configured::StoredSettings>,
    live: Live,
    waiting: Notify,
    /// Room for the parts that run at once.
    room: Arc<Semaphore>,
    shutdown: CancellationToken,
    tasks: TaskTracker,
}

impl Analyses {
    /// Analyses without a worker; starting the jobs starts it.
    #[must_use]
    pub fn new(parts: Parts) -> Self {
        Self(Arc::new(Inner {
            db: parts.db,
            clock: parts.clock,
            random: parts.random,
            secret: parts.secret,
            config: parts.config,
            engines: RwLock::new(Arc::new(parts.engines)),
            configured: Mutex::default(),
            live: Live::default(),
            waiting: Notify::new(),
            room: Arc::new(Semaphore::new(worker::PLACES)),
            shutdown: parts.shutdown,
            tasks: parts.tasks,
        }))
    }

    /// The current engines.
    #[must_use]
    pub fn engines(&self) -> Arc<Engines> {
        let engines = self.0.engines.read();
        Arc::clone(&engines.unwrap_or_else(PoisonError::into_inner))
    }

    /// Replaces the engines; running analyses keep the old ones.
    pub fn exchange(&self, engines: Engines) {
        let mut current = self
            .0
            .engines
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        *current = Arc::new(engines);
    }

    /// Publishes changes of jobs and their analyses.
    #[must_use]
    pub fn live(&self) -> &Live {
        &self.0.live
    }

    /// Wakes the worker after a part was queued; call it after the commit.
    pub fn wake(&self) {
        self.0.waiting.notify_one();
    }

    /// Queues the parts that the job's settings ask for, and those that are always made if an
    /// engine is available. Runs in the transaction that completes the job. A requested part
    /// without an engine is held with the reason until its owner starts it; parts held by an
    /// earlier run of recognition are dropped.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn queue(
        &self,
        connection: &mut Connection,
        job: &Job,
        transcript: &Transcript,
    ) -> slovo_db::Result<()> {
        if transcript.segments.is_empty() {
            return Ok(());
        }
        let language = text::language(Some(&job.plan), &transcript.language);
        let engines = self.engines();
        let keywords = engines.of_part(Part::Keywords, language).is_ok();
        analyses::delete_held(&mut *connection, job.id).await?;
        let always = keywords.then(|| PartRequest::plain(Part::Keywords));
        let now = self.0.clock.now_ms();
        let requested = always.iter().chain(&job.plan.analyses);
        for (place, part_request) in (0_i64..).zip(requested) {
            // Queued at the same time, they run in the order of their ids.
            let id = self.0.random.uuid_at(now + place);
            let lacking = engines.of_part(part_request.part, language).err();
            let new = NewAnalysis {
                id: id.parse().unwrap_or_default(),
                job: job.id,
                version: job.version,
                request: part_request,
                held_reason: lacking.map(Reason::as_str),
                now,
            };
            analyses::insert(&mut *connection, &new).await?;
        }
        Ok(())
    }
}
