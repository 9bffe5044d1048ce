//! What is made of a text after recognition: its engines, its queue's worker.
//!
//! The parts that a job asks for are queued in the transaction that completes it, and run one by
//! one. The job stays completed whatever becomes of them.

pub mod assistant;
pub mod configured;
mod embedded;
pub mod endpoint;
pub mod engines;
pub mod speakers;
pub mod text;
pub mod trial;
mod worker;

use std::sync::{Arc, Mutex, PoisonError, RwLock};

use slovo_analysis::Stop;
use slovo_db::jobs::Job;
use slovo_db::texts::analyses::{self, NewAnalysis};
use slovo_db::{Connection, Database};
use slovo_engine::CancelToken;
use slovo_rules::analysis::{Asked, Part};
use slovo_rules::transcript::Transcript;
use tokio::sync::Notify;
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
pub struct Flag(pub CancelToken);

impl Stop for Flag {
    fn is_set(&self) -> bool {
        self.0.is_cancelled()
    }
}

/// What analyses are made with.
pub struct Parts {
    /// Where the rows are.
    pub db: Database,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// Randomness, for ids and leases.
    pub random: Arc<dyn Random>,
    /// What keys that administrators enter are sealed with.
    pub secret: Secret,
    /// What the configuration says of the endpoint.
    pub config: Configured,
    /// What does the work.
    pub engines: Engines,
    /// Cancelled when the server stops.
    pub shutdown: CancellationToken,
    /// What the server waits for before it ends.
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
    /// Exchanged when an administrator sets another endpoint; what runs keeps what it began with.
    engines: RwLock<Arc<Engines>>,
    /// The endpoint that was put in force last, as it is stored.
    configured: Mutex<configured::Stored>,
    live: Live,
    waiting: Notify,
    shutdown: CancellationToken,
    tasks: TaskTracker,
}

impl Analyses {
    /// Analyses that nobody works on yet; the jobs' start starts them, too.
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
            shutdown: parts.shutdown,
            tasks: parts.tasks,
        }))
    }

    /// What does the work, at this moment.
    #[must_use]
    pub fn engines(&self) -> Arc<Engines> {
        let engines = self.0.engines.read();
        Arc::clone(&engines.unwrap_or_else(PoisonError::into_inner))
    }

    /// Puts other engines in their place; what runs ends with those it began with.
    pub fn exchange(&self, engines: Engines) {
        let mut current = self
            .0
            .engines
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        *current = Arc::new(engines);
    }

    /// What changes in jobs and their analyses is told here.
    #[must_use]
    pub fn live(&self) -> &Live {
        &self.0.live
    }

    /// Says that a part was put into the queue, after its transaction was committed.
    pub fn wake(&self) {
        self.0.waiting.notify_one();
    }

    /// Queues what the job's settings ask for, and what is always made where an engine does it. In
    /// the transaction that completes the job. What is asked for and nothing does is held with its
    /// reason until its owner makes it run; what an earlier run of recognition held is dropped.
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
        analyses::drop_held(&mut *connection, job.id).await?;
        let always = keywords.then(|| Asked::plain(Part::Keywords));
        let now = self.0.clock.now_ms();
        let wanted = always.iter().chain(&job.plan.analyses);
        for (place, asked) in (0_i64..).zip(wanted) {
            // Made at one moment, they run in the order of their ids.
            let id = self.0.random.uuid_at(now + place);
            let lacking = engines.of_part(asked.part, language).err();
            let new = NewAnalysis {
                id: id.parse().unwrap_or_default(),
                job: job.id,
                version: job.version,
                asked,
                held: lacking.map(Reason::as_str),
                now,
            };
            analyses::insert(&mut *connection, &new).await?;
        }
        Ok(())
    }
}
