//! The server's health: whether its disk, data folder and database can store.
//!
//! There are three consumers. `/readyz`, the page `/status` and the administrators' overview need a
//! full check ([`Condition::report`]). Workers claim nothing while the disk has no room, and
//! clients that follow a job are told why it waits ([`Condition::blocks_line`]).

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use slovo_db::Database;
use slovo_db::jobs::queue::Line;
use tokio::time::Instant;

use slovo_platform::clock::Clock;
use slovo_storage::{Space, Storage};

/// How long a report is cached: a check writes to the disk, and any client may request one.
const FRESH: Duration = Duration::from_secs(1);

/// How long the database may take to store one row before it counts as unavailable.
const PROBE_TIMEOUT: Duration = Duration::from_secs(5);

/// How long to trust an error saying that the database's disk is full. Its disk may differ from
/// that of the recordings, and its free space cannot be queried.
const FULL_DISK_TTL: Duration = Duration::from_secs(10);

/// The result of a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// Why the database cannot store; `None` while it can.
    pub database: Option<String>,
    /// Whether the data folder is there, with the file that marks it as this server's.
    pub has_folder: bool,
    /// The free space.
    pub space: Space,
}

impl Report {
    /// Whether everything works and uploads can be stored.
    #[must_use]
    pub fn can_store(&self) -> bool {
        self.database.is_none() && self.has_folder && self.space != Space::Full
    }
}

/// See the module. Cheap to clone.
#[derive(Clone)]
pub struct Condition(Arc<Inner>);

struct Inner {
    db: Database,
    storage: Storage,
    clock: Arc<dyn Clock>,
    /// When the database last reported a full disk.
    refused: Mutex<Option<Instant>>,
    last: tokio::sync::Mutex<Option<(Instant, Report)>>,
}

impl Condition {
    /// The condition of a server with this database and this storage.
    #[must_use]
    pub fn new(db: &Database, storage: &Storage, clock: &Arc<dyn Clock>) -> Self {
        Self(Arc::new(Inner {
            db: db.clone(),
            storage: storage.clone(),
            clock: Arc::clone(clock),
            refused: Mutex::default(),
            last: tokio::sync::Mutex::default(),
        }))
    }

    /// A full check, at most one second old. Concurrent callers share one check.
    pub async fn report(&self) -> Report {
        let mut last = self.0.last.lock().await;
        if let Some((at, report)) = &*last
            && at.elapsed() < FRESH
        {
            return report.clone();
        }
        let report = self.measure().await;
        *last = Some((Instant::now(), report.clone()));
        report
    }

    async fn measure(&self) -> Report {
        let probe = self.0.db.probe(self.0.clock.now_ms());
        let database = match tokio::time::timeout(PROBE_TIMEOUT, probe).await {
            Ok(Ok(())) => {
                *self.refused() = None;
                None
            }
            Ok(Err(error)) => {
                self.note(&error);
                Some(error.to_string())
            }
            Err(_) => Some("it does not answer in time".to_owned()),
        };
        Report {
            database,
            has_folder: self.0.storage.answers().await,
            space: self.space(),
        }
    }

    /// The free space, as far as it is known without writing anything.
    #[must_use]
    pub fn space(&self) -> Space {
        let refused = self
            .refused()
            .is_some_and(|at| at.elapsed() < FULL_DISK_TTL);
        if refused {
            Space::Full
        } else {
            self.0.storage.space()
        }
    }

    /// Whether a job of this line may start: its output can be stored, and its recording read.
    #[must_use]
    pub fn may_begin(&self, line: Line) -> bool {
        !self.blocks_line(line) && self.0.storage.has_folder()
    }

    /// Whether jobs of this line wait for disk space: recordings are fetched only while there is
    /// enough.
    #[must_use]
    pub fn blocks_line(&self, line: Line) -> bool {
        match line {
            Line::Download => self.space() != Space::Enough,
            Line::Recognition => self.space() == Space::Full,
        }
    }

    /// Records what an error says about the database's disk.
    pub fn note(&self, error: &slovo_db::Error) {
        if matches!(error, slovo_db::Error::Full(_)) {
            *self.refused() = Some(Instant::now());
        }
    }

    fn refused(&self) -> std::sync::MutexGuard<'_, Option<Instant>> {
        self.0
            .refused
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}
