//! `slovo serve`, `slovo web` and `slovo work`.

use anyhow::{Context, Result};
use clap::{Args, ValueEnum};
use slovo_app::config::Config;
use slovo_work::queues::Queue;

use crate::cli::engine;
use crate::cli::logging::Logging;
use crate::serve::Role;

/// Options of `slovo serve`.
#[derive(Args)]
pub struct Options {
    #[command(flatten)]
    config: Config,
    #[command(flatten)]
    logging: Logging,
}

/// Options of `slovo work`.
#[derive(Args)]
pub struct WorkOptions {
    /// What this process works on
    #[arg(
        long,
        env = "SLOVO_QUEUES",
        value_name = "QUEUES",
        value_delimiter = ',',
        default_value = "recognition,analysis,download,delivery"
    )]
    queues: Vec<QueueName>,
    #[command(flatten)]
    options: Options,
}

#[derive(Clone, Copy, ValueEnum)]
enum QueueName {
    /// Recognising recordings
    Recognition,
    /// Analyses of texts, speakers, voices
    Analysis,
    /// Fetching recordings from addresses and from watched places
    Download,
    /// Mails, webhook calls, files for other places, the external database
    Delivery,
}

impl From<QueueName> for Queue {
    fn from(name: QueueName) -> Self {
        match name {
            QueueName::Recognition => Self::Recognition,
            QueueName::Analysis => Self::Analysis,
            QueueName::Download => Self::Download,
            QueueName::Delivery => Self::Delivery,
        }
    }
}

/// Works until it is stopped.
pub fn work(options: WorkOptions) -> Result<()> {
    let queues = options.queues.into_iter().map(Queue::from).collect();
    run(options.options, Role::Work(queues))
}

/// Does what belongs to the role until it is stopped.
pub fn run(mut options: Options, role: Role) -> Result<()> {
    options.logging.start()?;
    options.config.engine_process.program = Some(engine::program(&options.logging));
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .context("cannot start the async runtime")?;
    let outcome = runtime.block_on(crate::serve::run(options.config, role));
    // A hash or a decoder may still be running on a thread; everything to be kept is already
    // stored.
    runtime.shutdown_timeout(std::time::Duration::from_secs(1));
    outcome
}
