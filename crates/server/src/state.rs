//! What every request and every job can reach.

use std::ops::Deref;
use std::sync::Arc;

use anyhow::{Context, Result};
use slovo_db::Database;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::auth::{AccessTokens, Limits, Passwords};
use crate::avatars::Avatars;
use crate::clock::{Clock, SystemClock};
use crate::config::Config;
use crate::installation;
use crate::jobs::readers::Readers;
use crate::jobs::{self, Jobs};
use crate::mail::Mailer;
use crate::random::{Random, SystemRandom};
use crate::secret::Secret;
use crate::storage::Storage;
use crate::uploads::Uploads;

/// The server's state. Cheap to clone; all clones are the same.
#[derive(Clone)]
pub struct AppState(Arc<Inner>);

/// See [`AppState`].
pub struct Inner {
    /// The checked configuration.
    pub config: Config,
    /// The database, at this program's version.
    pub db: Database,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// Randomness.
    pub random: Arc<dyn Random>,
    /// What keys are derived from.
    pub secret: Secret,
    /// Hashing and checking of passwords.
    pub passwords: Passwords,
    /// Access tokens.
    pub tokens: AccessTokens,
    /// How often who may try to sign in or up.
    pub limits: Limits,
    /// Mail.
    pub mail: Mailer,
    /// The files of the data folder.
    pub storage: Storage,
    /// Pictures of people.
    pub avatars: Avatars,
    /// Archives of accounts that are on their way.
    pub exports: Readers,
    /// Recordings on their way in.
    pub uploads: Uploads,
    /// What is made of them.
    pub jobs: Jobs,
    /// Cancelled when the server is told to stop: accept nothing new, finish or save what runs.
    pub shutdown: CancellationToken,
    /// What runs beside requests. The server waits for these tasks before it ends.
    pub tasks: TaskTracker,
}

/// What a test replaces.
pub struct Parts {
    /// The checked configuration.
    pub config: Config,
    /// The database, at this program's version.
    pub db: Database,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// Randomness.
    pub random: Arc<dyn Random>,
    /// Hashing and checking of passwords.
    pub passwords: Passwords,
}

impl AppState {
    /// Opens everything that the configuration names.
    ///
    /// # Errors
    /// Says what cannot be opened and why.
    pub async fn open(config: Config) -> Result<Self> {
        let db = Database::connect(&config.storage.database()).await?;
        db.migrate().await?;
        let random: Arc<dyn Random> = Arc::new(SystemRandom);
        let clock: Arc<dyn Clock> = Arc::new(SystemClock);
        let storage = Storage::open(config.data()).context("the data folder cannot be used")?;
        installation::check(&db, config.data(), &storage, &*random, clock.now_ms()).await?;
        let passwords =
            Passwords::new(config.auth.hash_cost, &*random).context("cannot hash passwords")?;
        Self::assemble(Parts {
            config,
            db,
            clock,
            random,
            passwords,
        })
    }

    /// Builds the state from its parts.
    ///
    /// # Errors
    /// If the server's secret can be neither read nor made.
    pub fn assemble(parts: Parts) -> Result<Self> {
        let Parts {
            config,
            db,
            clock,
            random,
            passwords,
        } = parts;
        let secret = match &config.auth.secret {
            Some(given) => Secret::given(given.expose())?,
            None => Secret::load_or_create(config.data(), &*random)?,
        };
        let shutdown = CancellationToken::new();
        let tasks = TaskTracker::new();
        let storage = Storage::open(config.data()).context("the data folder cannot be used")?;
        let avatars = Avatars::open(config.data()).context("the data folder cannot be used")?;
        let engine = config.engine.to_engine()?;
        let uploads = Uploads::new(
            db.clone(),
            storage.clone(),
            Arc::clone(&clock),
            engine.limits.clone(),
            shutdown.clone(),
            tasks.clone(),
        );
        let jobs = Jobs::new(jobs::Parts {
            db: db.clone(),
            storage: storage.clone(),
            clock: Arc::clone(&clock),
            random: Arc::clone(&random),
            engine,
            shutdown: shutdown.clone(),
            tasks: tasks.clone(),
        })?;
        Ok(Self(Arc::new(Inner {
            tokens: AccessTokens::new(&secret),
            limits: Limits::new(&config.auth, &clock),
            mail: Mailer,
            config,
            db,
            clock,
            random,
            secret,
            passwords,
            storage,
            avatars,
            exports: Readers::default(),
            uploads,
            jobs,
            shutdown,
            tasks,
        })))
    }

    /// An id for a new row: a UUID that sorts by time.
    pub fn new_id(&self) -> String {
        self.random.uuid_at(self.clock.now_ms())
    }
}

impl Deref for AppState {
    type Target = Inner;

    fn deref(&self) -> &Inner {
        &self.0
    }
}
