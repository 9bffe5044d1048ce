//! Who drives the work: the tables of the database, or Temporal.

use anyhow::Result;
use slovo_app::state::AppState;
use slovo_db::jobs::workflows::MessageScope;
use slovo_work::jobs::Driver;
use slovo_work::jobs::steps::StepWorker;
use slovo_work::queues::Queues;

/// The driver of a process.
pub enum Work {
    /// Workers take work from the tables.
    Tables,
    /// Temporal.
    #[cfg(feature = "temporal")]
    Temporal(Box<slovo_temporal::Temporal>),
}

impl Work {
    /// The driver that is configured.
    ///
    /// # Errors
    /// When Temporal cannot be used. The message says what is wrong and what to do about it.
    pub async fn connect(state: &AppState) -> Result<Self> {
        match &state.config.temporal.temporal_url {
            None => Ok(Self::Tables),
            Some(url) => Self::of_temporal(state, url).await,
        }
    }

    #[cfg(feature = "temporal")]
    async fn of_temporal(state: &AppState, url: &reqwest::Url) -> Result<Self> {
        use anyhow::Context;

        let config = &state.config.temporal;
        let installation = slovo_db::core::installation::find(&mut *state.db.read().await?).await?;
        let installation = installation.context("the database has no installation")?;
        let options = slovo_temporal::Options {
            url,
            namespace: &config.temporal_namespace,
            api_key: config
                .temporal_api_key
                .as_ref()
                .map(slovo_app::config::Redacted::expose),
            installation: &installation.id,
        };
        let temporal = slovo_temporal::Temporal::connect(&options).await?;
        Ok(Self::Temporal(Box::new(temporal)))
    }

    #[cfg(not(feature = "temporal"))]
    #[expect(clippy::unused_async, reason = "as with Temporal")]
    async fn of_temporal(_: &AppState, _: &reqwest::Url) -> Result<Self> {
        anyhow::bail!(
            "SLOVO_TEMPORAL_URL is set, but this program was built without Temporal; build it with \
             --features temporal, or unset the variable"
        )
    }

    /// Who decides when a job is worked on.
    pub fn driver(&self) -> Driver {
        match self {
            Self::Tables => Driver::Tables,
            #[cfg(feature = "temporal")]
            Self::Temporal(_) => Driver::Outside,
        }
    }

    /// The messages that this process sends by itself.
    pub fn messages(&self) -> MessageScope {
        match self.driver() {
            Driver::Tables => MessageScope::All,
            Driver::Outside => MessageScope::WithoutJob,
        }
    }

    /// Starts what drives the worker from outside.
    ///
    /// # Errors
    /// When Temporal does not answer.
    #[cfg_attr(
        not(feature = "temporal"),
        expect(clippy::unused_async, reason = "as with Temporal")
    )]
    pub async fn drive(self, state: &AppState, queues: &Queues, worker: StepWorker) -> Result<()> {
        match self {
            Self::Tables => {
                let _ = (state, queues, worker);
                Ok(())
            }
            #[cfg(feature = "temporal")]
            Self::Temporal(temporal) => temporal.start(parts(state, queues, worker)).await,
        }
    }
}

#[cfg(feature = "temporal")]
fn parts(state: &AppState, queues: &Queues, worker: StepWorker) -> slovo_temporal::Parts {
    slovo_temporal::Parts {
        db: state.db.clone(),
        clock: state.clock.clone(),
        worker,
        webhooks: state.webhooks.clone(),
        mails: state.completion_mails(),
        queues: queues.clone(),
        repeated: repeated(state),
        shutdown: state.shutdown.clone(),
        tasks: state.tasks.clone(),
    }
}

/// What is repeated. Without Temporal, every process of the queue looks for it by itself.
#[cfg(feature = "temporal")]
fn repeated(state: &AppState) -> Vec<slovo_temporal::Repeated> {
    use std::sync::Arc;
    use std::time::Duration;

    use slovo_accounts::housekeeping;
    use slovo_accounts::plans::trials;
    use slovo_api::sources;
    use slovo_work::queues::Queue;

    macro_rules! repeat {
        ($name:literal, $minutes:literal, $queue:ident, |$state:ident| $run:expr) => {{
            let shared = state.clone();
            slovo_temporal::Repeated {
                name: $name,
                every: Duration::from_mins($minutes),
                queue: Queue::$queue,
                run: Arc::new(move || {
                    let $state = shared.clone();
                    Box::pin(async move {
                        $run.await?;
                        Ok(())
                    })
                }),
            }
        }};
    }
    vec![
        repeat!("sources", 1, Download, |state| async {
            sources::look_at_due(&state).await
        }),
        repeat!("nocodb", 1, Delivery, |state| async {
            slovo_nocodb::start_if_due(&state.nocodb()).await
        }),
        repeat!("trials", 1, Delivery, |state| async {
            trials::end_expired_once(&state.plans()).await
        }),
        repeat!("retention", 10, Delivery, |state| async {
            housekeeping::remove_expired(&state.db, state.clock.now_ms()).await
        }),
    ]
}
