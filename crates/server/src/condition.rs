//! Whether this server can store: its disk, its data folder and its database.
//!
//! Three things ask. `/readyz`, the page `/status` and the administrators' overview want all of
//! it, looked at now ([`Condition::report`]). Workers claim nothing while there is no room, and
//! readers of jobs are told why they wait ([`Condition::holds_up`]).

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use slovo_db::Database;
use slovo_db::jobs::queue::Line;
use tokio::time::Instant;

use slovo_platform::clock::Clock;
use slovo_platform::storage::{Space, Storage};

/// How long a report is told without looking again: it writes to the disk, and anybody may ask.
const FRESH: Duration = Duration::from_secs(1);

/// How long the database may take to store one row before it counts as away.
const PATIENCE: Duration = Duration::from_secs(5);

/// How long the database's word that its disk is full is believed. Its disk may be another one
/// than that of the recordings, and nobody can ask it for its free bytes.
const REMEMBERED: Duration = Duration::from_secs(10);

/// What was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// Why the database cannot store; `None` while it can.
    pub database: Option<String>,
    /// Whether the data folder is there, with the mark that makes it this server's.
    pub has_folder: bool,
    /// How much room is left.
    pub space: Space,
}

impl Report {
    /// Whether everything that is sent can be stored.
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
    /// The file that makes the folder this server's, where it had one at the start.
    mark: Option<PathBuf>,
    clock: Arc<dyn Clock>,
    /// When the database last said that its disk is full.
    refused: Mutex<Option<Instant>>,
    last: tokio::sync::Mutex<Option<(Instant, Report)>>,
}

impl Condition {
    /// The condition of a server with this database and this storage. `mark` is the file that makes
    /// the data folder this server's; one that is not there now is not looked for later.
    #[must_use]
    pub fn new(db: &Database, storage: &Storage, mark: PathBuf, clock: &Arc<dyn Clock>) -> Self {
        Self(Arc::new(Inner {
            db: db.clone(),
            storage: storage.clone(),
            mark: Some(mark).filter(|mark| mark.exists()),
            clock: Arc::clone(clock),
            refused: Mutex::default(),
            last: tokio::sync::Mutex::default(),
        }))
    }

    /// Everything, as it was a second ago at most. Of many who ask at once, one looks.
    pub async fn report(&self) -> Report {
        let mut last = self.0.last.lock().await;
        if let Some((at, report)) = &*last
            && at.elapsed() < FRESH
        {
            return report.clone();
        }
        let report = self.look().await;
        *last = Some((Instant::now(), report.clone()));
        report
    }

    async fn look(&self) -> Report {
        let probe = self.0.db.probe(self.0.clock.now_ms());
        let database = match tokio::time::timeout(PATIENCE, probe).await {
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
            has_folder: self.has_folder(),
            space: self.space(),
        }
    }

    /// How much room is left, as far as is known without writing anything.
    #[must_use]
    pub fn space(&self) -> Space {
        let refused = self.refused().is_some_and(|at| at.elapsed() < REMEMBERED);
        if refused {
            Space::Full
        } else {
            self.0.storage.space()
        }
    }

    /// Whether the data folder is there, with the mark that makes it this server's.
    fn has_folder(&self) -> bool {
        let mark = self.0.mark.as_ref();
        self.0.storage.is_there() && mark.is_none_or(|mark| mark.exists())
    }

    /// Whether a job of this line may be begun: what it makes can be kept, and its recording read.
    #[must_use]
    pub fn may_begin(&self, line: Line) -> bool {
        !self.holds_up(line) && self.has_folder()
    }

    /// Whether jobs of this line wait for room: recordings are fetched only while there is enough.
    #[must_use]
    pub fn holds_up(&self, line: Line) -> bool {
        match line {
            Line::Download => self.space() != Space::Enough,
            Line::Recognition => self.space() == Space::Full,
        }
    }

    /// Remembers what an error of the database says about its disk.
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
