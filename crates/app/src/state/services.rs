//! Builds the services of the state.

use std::sync::Arc;

use anyhow::Result;
use slovo_db::Database;
use slovo_engine::Engine;
use slovo_engine::models::{Choice, MODELS};
use slovo_fetch::Fetch;
use slovo_mail::{Mailer, RetryPolicy, Transport};
use slovo_models::serving::Serving;
use slovo_models::tasks::{self, ModelTasks};
use slovo_platform::clock::Clock;
use slovo_platform::random::Random;
use slovo_platform::secret::Secret;
use slovo_server_settings::ServerSettings;
use slovo_storage::Storage;
use slovo_uploads::Uploads;
use slovo_uploads::disk_usage::DiskUsage;
use slovo_work::analysis::engines::Engines;
use slovo_work::analysis::{self, Analyses};
use slovo_work::condition::Condition;
use slovo_work::speech_endpoint::SpeechEndpoints;
use slovo_work::webhooks::{self, Webhooks};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::engine::{configured_choice, model_fetcher};
use crate::config::Config;

/// Common dependencies of most services.
pub(super) struct Base<'a> {
    pub(super) config: &'a Config,
    pub(super) db: &'a Database,
    pub(super) clock: &'a Arc<dyn Clock>,
    pub(super) random: &'a Arc<dyn Random>,
    pub(super) secret: &'a Secret,
    pub(super) shutdown: &'a CancellationToken,
    pub(super) tasks: &'a TaskTracker,
}

impl Base<'_> {
    pub(super) fn uploads(
        &self,
        storage: &Storage,
        settings: &ServerSettings,
        engine: &Engine,
    ) -> Uploads {
        Uploads::new(slovo_uploads::Parts {
            db: self.db.clone(),
            storage: storage.clone(),
            settings: settings.clone(),
            clock: Arc::clone(self.clock),
            engine: engine.clone(),
            shutdown: self.shutdown.clone(),
            tasks: self.tasks.clone(),
        })
    }

    pub(super) fn disk_usage(&self, storage: &Storage) -> DiskUsage {
        let (storage, data) = (storage.clone(), self.config.data().to_owned());
        DiskUsage::new(self.db.clone(), Arc::clone(self.clock), storage, data)
    }

    pub(super) fn condition(&self, storage: &Storage) -> Condition {
        Condition::new(self.db, storage, self.clock)
    }

    pub(super) fn fetch(&self, engine: &Engine) -> Fetch {
        Fetch::new(
            &self.config.fetch.allow,
            self.config.fetch.downloader(),
            engine.clone(),
            self.clock,
            self.random,
        )
    }

    pub(super) fn webhooks(&self) -> Webhooks {
        Webhooks::new(webhooks::Parts {
            db: self.db.clone(),
            clock: Arc::clone(self.clock),
            random: Arc::clone(self.random),
            secret: self.secret.clone(),
            allow: self.config.webhooks.allow.clone(),
            allow_for_users: self.config.webhooks.allow_for_users.clone(),
            base: self.config.public_url().as_str().to_owned(),
            shutdown: self.shutdown.clone(),
            tasks: self.tasks.clone(),
        })
    }

    pub(super) fn speech_endpoints(&self) -> SpeechEndpoints {
        let (clock, random) = (Arc::clone(self.clock), Arc::clone(self.random));
        SpeechEndpoints::new(self.secret.clone(), clock, random)
    }

    pub(super) fn analyses(&self, engines: Engines) -> Result<Analyses> {
        Ok(Analyses::new(analysis::Parts {
            db: self.db.clone(),
            clock: Arc::clone(self.clock),
            random: Arc::clone(self.random),
            secret: self.secret.clone(),
            config: self.config.analysis.configured()?,
            engines,
            shutdown: self.shutdown.clone(),
            tasks: self.tasks.clone(),
        }))
    }
}

/// Manages the models in the engine's folder, until the server stops.
pub(super) fn model_tasks(
    config: &Config,
    engine: &slovo_engine::EngineConfig,
    clock: &Arc<dyn Clock>,
    (shutdown, tasks): (CancellationToken, TaskTracker),
) -> Result<ModelTasks> {
    Ok(ModelTasks::new(tasks::Parts {
        fetcher: model_fetcher(&config.engine, engine.models_dir.clone())?,
        catalogue: MODELS,
        serving: Serving::new(Choice {
            full: Some(engine.full_model.clone()),
            lite: Some(engine.lite_model.clone()),
        }),
        configured: configured_choice(&config.engine),
        clock: Arc::clone(clock),
        shutdown,
        tasks,
    }))
}

/// Sends mails through this transport, until the server stops.
pub(super) fn mailer(
    carrier: Transport,
    config: &Config,
    clock: &Arc<dyn Clock>,
    random: &Arc<dyn Random>,
    (shutdown, tasks): (CancellationToken, TaskTracker),
) -> Result<Mailer> {
    let public_url = config.public_url();
    Ok(Mailer::new(slovo_mail::Parts {
        transport: carrier,
        sender: config.mail.sender(&public_url)?,
        public_url,
        clock: Arc::clone(clock),
        random: Arc::clone(random),
        retry: RetryPolicy::default(),
        shutdown,
        tasks,
    }))
}
