//! `slovo serve`.

use anyhow::{Context, Result};
use clap::Args;
use slovo_app::config::Config;

use crate::cli::engine;
use crate::cli::logging::Logging;

/// Options of `slovo serve`.
#[derive(Args)]
pub struct Options {
    #[command(flatten)]
    config: Config,
    #[command(flatten)]
    logging: Logging,
}

/// Serves until it is stopped.
pub fn run(mut options: Options) -> Result<()> {
    options.logging.start()?;
    options.config.engine_process.program = Some(engine::program(&options.logging));
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .context("cannot start the async runtime")?;
    let outcome = runtime.block_on(crate::serve::run(options.config));
    // A hash or a decoder may still be running on a thread; everything to be kept is already
    // stored.
    runtime.shutdown_timeout(std::time::Duration::from_secs(1));
    outcome
}
