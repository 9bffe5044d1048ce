//! Shared state of all requests and jobs.

use std::ops::Deref;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};
use slovo_accounts::auth::openid::OpenId;
use slovo_accounts::auth::{AccessTokens, CredentialCache, Limits, Passwords};
use slovo_accounts::avatars::Avatars;
use slovo_db::Database;
use slovo_db::plans::ledger::Day;
use slovo_db::site::figures::SiteFigures;
use slovo_db::site::overview::Figures;
use slovo_engine::Engine;
use slovo_engine::models::Measurements;
use slovo_fetch::Fetch;
use slovo_mail::{Mailer, Transport};
use slovo_models::tasks::ModelTasks;
use slovo_platform::cache::Cache;
use slovo_platform::clock::{Clock, SystemClock};
use slovo_platform::random::{Random, SystemRandom};
use slovo_platform::secret::Secret;
use slovo_server_settings::ServerSettings;
use slovo_storage::Storage;
use slovo_transcripts::shares::Sharing;
use slovo_uploads::Uploads;
use slovo_uploads::disk_usage::DiskUsage;
use slovo_work::analysis::Analyses;
use slovo_work::analysis::endpoint::ServerPace;
use slovo_work::analysis::engines::Engines;
use slovo_work::completion_mails::CompletionMails;
use slovo_work::condition::Condition;
use slovo_work::jobs::open_streams::OpenStreams;
use slovo_work::jobs::{self, Jobs};
use slovo_work::webhooks::Webhooks;
use tokio::runtime::Handle;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::config::{Config, ProviderLogo, Redacted};
use crate::file_removals::FileRemovals;
use crate::installation;
use crate::presets;

mod accounts;
pub mod engine;
pub mod mail;
mod nocodb;
mod services;

use engine::serving_engine;
use mail::smtp_server;
use services::{Base, mailer, model_tasks};

/// The server's state. Cheap to clone; all clones are the same.
#[derive(Clone)]
pub struct AppState(Arc<Inner>);

/// The change counter of the minutes that the days were computed from, and the days.
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
    /// Secret that keys are derived from.
    pub secret: Secret,
    /// Password hashing.
    pub passwords: Passwords,
    /// Access tokens.
    pub tokens: AccessTokens,
    /// Cache of recently looked-up sessions and API keys.
    pub known_credentials: CredentialCache,
    /// Rate limits of sign-in, sign-up and other actions.
    pub limits: Arc<Limits>,
    /// The provider of sign-in with Google, if one is configured.
    pub openid: Option<OpenId>,
    /// Its logo, if one is configured.
    pub openid_mark: Option<ProviderLogo>,
    /// Recordings and pictures.
    pub storage: Storage,
    /// Avatars.
    pub avatars: Avatars,
    /// The server's disk usage.
    pub disk_usage: DiskUsage,
    /// Statistics of the whole server by the first and the last midnight of their period, and when
    /// they were computed.
    pub overview: Cache<(i64, i64), (i64, Arc<Figures>)>,
    /// A user's minutes by day since a start time.
    pub usage: Cache<(String, i64), UsedDays>,
    /// The usage figures on the landing page, and when they were counted.
    pub site_figures: Cache<(), (i64, SiteFigures)>,
    /// Disk and database health.
    pub condition: Condition,
    /// When this process started, Unix milliseconds.
    pub started_at: i64,
    /// Account archives being downloaded.
    pub exports: OpenStreams,
    /// Downloads from URLs that users enter.
    pub fetch: Fetch,
    /// Resumable uploads.
    pub uploads: Uploads,
    /// The jobs.
    pub jobs: Jobs,
    /// The analyses of their texts.
    pub analyses: Analyses,
    /// The administrators' settings.
    pub settings: ServerSettings,
    /// Pulls and checks of models.
    pub models: ModelTasks,
    /// Sends mails.
    pub mail: Mailer,
    /// Calls webhook services.
    pub webhooks: Webhooks,
    /// Cancelled when the server has to stop: accept nothing new, finish or save running work.
    pub shutdown: CancellationToken,
    /// Background tasks. The server waits for them before it exits.
    pub tasks: TaskTracker,
}

/// The parts that tests replace.
pub struct Parts {
    /// The checked configuration.
    pub config: Config,
    /// The database, at this program's version.
    pub db: Database,
    /// The recordings.
    pub storage: Storage,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// Randomness.
    pub random: Arc<dyn Random>,
    /// Hashing and checking of passwords.
    pub passwords: Passwords,
    /// Transport of mails.
    pub mail: Transport,
    /// The engines besides recognition.
    pub engines: Engines,
}

impl AppState {
    /// Opens everything that the configuration names.
    ///
    /// # Errors
    /// If something cannot be opened.
    pub async fn open(config: Config) -> Result<Self> {
        // A restore that was killed while it put files in place.
        if slovo_backup::restore::switch::finish(config.data())? {
            tracing::warn!("a restore that was interrupted is complete now");
        }
        // A mail server that cannot be used is reported before the database is migrated.
        let smtp = smtp_server(&config.mail)?;
        let opened = config.objects.open(config.data()).await;
        let storage = opened.context("recordings cannot be stored")?;
        let db = Database::connect(&config.storage.database()).await?;
        let random: Arc<dyn Random> = Arc::new(SystemRandom);
        let clock: Arc<dyn Clock> = Arc::new(SystemClock);
        installation::check_clock(&db, &*clock).await?;
        db.migrate().await?;
        installation::check(installation::Parts {
            db: &db,
            storage: &storage,
            secret: &secret(config.auth.secret.as_ref(), config.data(), &*random)?,
            random: &*random,
            now: clock.now_ms(),
            adopt: config.storage.adopt,
        })
        .await?;
        presets::load(&db, &*random, clock.now_ms())
            .await
            .context("the presets of this version cannot be loaded")?;
        let cost = config.auth.hash_cost;
        let passwords = Passwords::with_cost(cost.memory, cost.passes, cost.lanes, &*random)
            .context("cannot hash passwords")?;
        let mail = Transport::new(smtp, &config.public_url(), config.data())?;
        let pace = ServerPace {
            clock: Arc::clone(&clock),
            random: Arc::clone(&random),
        };
        let engine = serving_engine(&config)?;
        slovo_work::quality::use_measurements(Measurements::load(&engine.models_dir));
        let endpoint = config.analysis.endpoint()?;
        let engines = Engines::new(endpoint, engine, pace, Handle::current())?;
        let state = Self::assemble(Parts {
            config,
            db,
            storage,
            clock,
            random,
            passwords,
            mail,
            engines,
        })?;
        state.analyses.apply_configured().await?;
        state.jobs.apply_models().await?;
        Ok(state)
    }

    /// Builds the state from its parts.
    ///
    /// # Errors
    /// If the server's secret can be neither read nor created, the public host cannot be a mail
    /// sender, or the OpenID provider's configuration is invalid.
    pub fn assemble(parts: Parts) -> Result<Self> {
        let Parts {
            config,
            db,
            storage,
            clock,
            random,
            passwords,
            mail,
            engines,
        } = parts;
        let secret = secret(config.auth.secret.as_ref(), config.data(), &*random)?;
        let (shutdown, tasks) = (CancellationToken::new(), TaskTracker::new());
        let engine = Engine::new(serving_engine(&config)?)?;
        let settings = ServerSettings::new(db.clone(), Arc::clone(&clock));
        let running = (shutdown.clone(), tasks.clone());
        let models = model_tasks(&config, engine.config(), &clock, running.clone())?;
        let base = Base {
            config: &config,
            db: &db,
            clock: &clock,
            random: &random,
            secret: &secret,
            shutdown: &shutdown,
            tasks: &tasks,
        };
        let uploads = base.uploads(&storage, &settings, &engine);
        let (fetch, webhooks) = (base.fetch(&engine), base.webhooks());
        let analyses = base.analyses(engines)?;
        let condition = base.condition(&storage);
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
            unload_models_after: unload_time(config.unload_models_after),
            analyses: analyses.clone(),
            webhooks: webhooks.clone(),
            speech_endpoints: base.speech_endpoints(),
            shutdown: shutdown.clone(),
            tasks: tasks.clone(),
        });
        let mail = mailer(mail, &config, &clock, &random, running)?;
        let (openid, openid_mark) = accounts::openid(&config, &clock)?;
        Ok(Self(Arc::new(Inner {
            tokens: AccessTokens::new(&secret),
            known_credentials: CredentialCache::default(),
            limits: Arc::new(Limits::new(accounts::rates(&config.auth), &clock)),
            openid,
            openid_mark,
            disk_usage: base.disk_usage(&storage),
            overview: Cache::default(),
            usage: Cache::default(),
            site_figures: Cache::default(),
            condition,
            started_at: clock.now_ms(),
            config,
            db,
            clock,
            random,
            secret,
            passwords,
            avatars: Avatars::new(storage.clone()),
            storage,
            exports: OpenStreams::default(),
            fetch,
            uploads,
            analyses,
            jobs,
            settings,
            models,
            mail,
            webhooks,
            shutdown,
            tasks,
        })))
    }

    /// Removes files of deleted rows.
    #[must_use]
    pub fn file_removals(&self) -> FileRemovals {
        FileRemovals {
            db: self.db.clone(),
            uploads: self.uploads.clone(),
            avatars: self.avatars.clone(),
        }
    }

    /// Sends the mails about finished jobs.
    pub fn completion_mails(&self) -> CompletionMails {
        CompletionMails {
            db: self.db.clone(),
            clock: Arc::clone(&self.clock),
            secret: self.secret.clone(),
            mail: self.mail.clone(),
            base: self.config.public_url().as_str().to_owned(),
            shutdown: self.shutdown.clone(),
        }
    }

    /// An id for a new row: a UUID that sorts by time.
    pub fn new_id(&self) -> String {
        self.random.uuid_at(self.clock.now_ms())
    }

    /// Creates and looks up links to texts.
    #[must_use]
    pub fn sharing(&self) -> Sharing<'_> {
        Sharing {
            db: &self.db,
            clock: &*self.clock,
            random: &*self.random,
            secret: &self.secret,
            settings: &self.settings,
        }
    }
}

/// The configured secret, or the one of the data folder.
///
/// # Errors
/// When it is too short, or cannot be read or created.
pub fn secret(configured: Option<&Redacted>, data: &Path, random: &dyn Random) -> Result<Secret> {
    match configured {
        Some(configured) => Secret::given(configured.expose()),
        None => Secret::load_or_create(data, random),
    }
}

impl Deref for AppState {
    type Target = Inner;

    fn deref(&self) -> &Inner {
        &self.0
    }
}

/// The time after which idle models are unloaded; 0 minutes mean never.
fn unload_time(minutes: u32) -> Option<Duration> {
    let minutes = std::num::NonZeroU32::new(minutes)?;
    Some(Duration::from_mins(minutes.get().into()))
}
