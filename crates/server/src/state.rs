//! What every request and every job can reach.

use std::ops::Deref;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result};
use slovo_db::Database;
use slovo_db::ledger::Day;
use slovo_db::overview::Figures;
use slovo_db::site_figures::SiteFigures;
use tokio::runtime::Handle;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::analysis::endpoint::ServerPace;
use crate::analysis::engines::Engines;
use crate::analysis::{self, Analyses};
use crate::auth::openid::OpenId;
use crate::auth::{AccessTokens, KnownSessions, Limits, Passwords};
use crate::avatars::Avatars;
use crate::condition::Condition;
use crate::config::Config;
use crate::fetch::Fetch;
use crate::installation;
use crate::jobs::readers::Readers;
use crate::jobs::{self, Jobs};
use crate::mail::{self, Carrier, Mailer, Patience};
use crate::models::desk::Desk;
use crate::models::serving;
use crate::occupancy::Occupancy;
use crate::presets;
use crate::server_settings::ServerSettings;
use crate::uploads::Uploads;
use crate::webhooks::Webhooks;
use slovo_platform::clock::{Clock, SystemClock};
use slovo_platform::random::{Random, SystemRandom};
use slovo_platform::remembered::Remembered;
use slovo_platform::secret::Secret;
use slovo_platform::storage::Storage;

mod nocodb;

/// The server's state. Cheap to clone; all clones are the same.
#[derive(Clone)]
pub struct AppState(Arc<Inner>);

/// How many changes of the minutes they are of, and the days.
type UsedDays = (i64, Arc<[Day]>);

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
    /// Sessions that were looked up a moment ago.
    pub known_sessions: KnownSessions,
    /// How often who may try to sign in or up.
    pub limits: Limits,
    /// The provider of sign-in with Google, if one is configured.
    pub openid: Option<OpenId>,
    /// The files of the data folder.
    pub storage: Storage,
    /// Pictures of people.
    pub avatars: Avatars,
    /// What all of it takes of the disk.
    pub occupancy: Occupancy,
    /// Figures of the whole server by the first and the last midnight, and when they were counted.
    pub overview: Remembered<(i64, i64), (i64, Arc<Figures>)>,
    /// What a user's jobs took by day since a moment.
    pub usage: Remembered<(String, i64), UsedDays>,
    /// What the landing page tells of this server's work, and when it was counted.
    pub site_figures: Remembered<(), (i64, SiteFigures)>,
    /// Whether more can be stored.
    pub condition: Condition,
    /// When this process started, Unix milliseconds.
    pub started_at: i64,
    /// Archives of accounts that are on their way.
    pub exports: Readers,
    /// Fetches from addresses that users name.
    pub fetch: Fetch,
    /// Recordings on their way in.
    pub uploads: Uploads,
    /// What is made of them.
    pub jobs: Jobs,
    /// What is made of their texts.
    pub analyses: Analyses,
    /// What administrators set.
    pub settings: ServerSettings,
    /// Pulls and checks of models.
    pub models: Desk,
    /// Sends mails.
    pub mail: Mailer,
    /// Calls services of others.
    pub webhooks: Webhooks,
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
    /// How mails leave.
    pub mail: Carrier,
    /// What works besides recognition.
    pub engines: Engines,
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
        installation::check(installation::Parts {
            db: &db,
            data: config.data(),
            storage: &storage,
            secret: &secret(&config, &*random)?,
            random: &*random,
            now: clock.now_ms(),
            adopt: config.storage.adopt,
        })
        .await?;
        presets::load(&db, &*random, clock.now_ms())
            .await
            .context("the presets of this version cannot be loaded")?;
        let passwords =
            Passwords::new(config.auth.hash_cost, &*random).context("cannot hash passwords")?;
        let mail = Carrier::from_config(&config.mail, &config.public_url(), config.data())?;
        let pace = ServerPace {
            clock: Arc::clone(&clock),
            random: Arc::clone(&random),
        };
        let engine = config.engine.to_engine()?;
        let engines = Engines::of_config(&config.analysis, engine, pace, Handle::current())?;
        let state = Self::assemble(Parts {
            config,
            db,
            clock,
            random,
            passwords,
            mail,
            engines,
        })?;
        analysis::configured::apply(&state).await?;
        serving::apply(&state).await?;
        Ok(state)
    }

    /// Builds the state from its parts.
    ///
    /// # Errors
    /// If the server's secret can be neither read nor made, no mail can come from its host, or the
    /// OpenID provider cannot be one.
    pub fn assemble(parts: Parts) -> Result<Self> {
        let Parts {
            config,
            db,
            clock,
            random,
            passwords,
            mail,
            engines,
        } = parts;
        let secret = secret(&config, &*random)?;
        let (shutdown, tasks) = (CancellationToken::new(), TaskTracker::new());
        let (storage, avatars) = folders(config.data())?;
        let engine = config.engine.to_engine()?;
        let settings = ServerSettings::new(db.clone(), Arc::clone(&clock));
        let running = (shutdown.clone(), tasks.clone());
        let models = desk(&config, &engine, &clock, running.clone())?;
        let uploads = Uploads::new(
            db.clone(),
            storage.clone(),
            settings.clone(),
            Arc::clone(&clock),
            engine.limits.clone(),
            shutdown.clone(),
            tasks.clone(),
        );
        let fetch = Fetch::new(&config.fetch, engine.limits.clone(), &clock, &random);
        let webhooks = Webhooks::new(&config, &secret, Arc::clone(&clock));
        let condition = Condition::new(&db, &storage, config.data(), &clock);
        let jobs = Jobs::new(jobs::Parts {
            db: db.clone(),
            storage: storage.clone(),
            condition: condition.clone(),
            clock: Arc::clone(&clock),
            random: Arc::clone(&random),
            fetch: fetch.clone(),
            engine,
            serving: models.serving().clone(),
            nice: config.recognition_nice,
            engines,
            webhooks: webhooks.clone(),
            shutdown: shutdown.clone(),
            tasks: tasks.clone(),
        })?;
        let mail = mailer(mail, &config, &clock, &random, running)?;
        Ok(Self(Arc::new(Inner {
            tokens: AccessTokens::new(&secret),
            known_sessions: KnownSessions::default(),
            limits: Limits::new(&config.auth, &clock),
            openid: OpenId::from_config(&config, &clock)?,
            occupancy: Occupancy::default(),
            overview: Remembered::default(),
            usage: Remembered::default(),
            site_figures: Remembered::default(),
            condition,
            started_at: clock.now_ms(),
            config,
            db,
            clock,
            random,
            secret,
            passwords,
            storage,
            avatars,
            exports: Readers::default(),
            fetch,
            uploads,
            analyses: jobs.analyses().clone(),
            jobs,
            settings,
            models,
            mail,
            webhooks,
            shutdown,
            tasks,
        })))
    }

    /// An id for a new row: a UUID that sorts by time.
    pub fn new_id(&self) -> String {
        self.random.uuid_at(self.clock.now_ms())
    }
}

/// What is kept in the data folder beside the database.
fn folders(data: &Path) -> Result<(Storage, Avatars)> {
    let storage = Storage::open(data).context("the data folder cannot be used")?;
    let avatars = Avatars::open(data).context("the data folder cannot be used")?;
    Ok((storage, avatars))
}

/// Pulls and checks of the models in this engine's folder, until the server stops.
fn desk(
    config: &Config,
    engine: &slovo_engine::EngineConfig,
    clock: &Arc<dyn Clock>,
    (shutdown, tasks): (CancellationToken, TaskTracker),
) -> Result<Desk> {
    Desk::of_config(&config.engine, engine, Arc::clone(clock), shutdown, tasks)
}

/// What sends mails by this carrier, until the server stops.
fn mailer(
    carrier: Carrier,
    config: &Config,
    clock: &Arc<dyn Clock>,
    random: &Arc<dyn Random>,
    (shutdown, tasks): (CancellationToken, TaskTracker),
) -> Result<Mailer> {
    let public_url = config.public_url();
    Ok(Mailer::new(mail::Parts {
        carrier,
        sender: config.mail.sender(&public_url)?,
        public_url,
        clock: Arc::clone(clock),
        random: Arc::clone(random),
        patience: Patience::default(),
        shutdown,
        tasks,
    }))
}

/// The configured secret, or the one of the data folder.
fn secret(config: &Config, random: &dyn Random) -> Result<Secret> {
    match &config.auth.secret {
        Some(given) => Secret::given(given.expose()),
        None => Secret::load_or_create(config.data(), random),
    }
}

impl Deref for AppState {
    type Target = Inner;

    fn deref(&self) -> &Inner {
        &self.0
    }
}
