//! `slovo engine`: the process of `slovo serve` that decodes and recognises recordings.

use std::ffi::OsString;
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Args;

use crate::cli::logging::Logging;

/// The running program, also after a new version has taken its place on the disk.
const THIS_PROGRAM: &str = "/proc/self/exe";

/// Options of `slovo engine`.
#[derive(Args)]
pub struct Options {
    #[command(flatten)]
    logging: Logging,
}

/// The program that runs the engine and its arguments, for a server that logs like this.
pub fn program(logging: &Logging) -> (PathBuf, Vec<OsString>) {
    let mut arguments = vec!["engine".into()];
    arguments.extend(logging.arguments());
    (THIS_PROGRAM.into(), arguments)
}

/// Runs what the server asks for until the server ends.
pub fn run(options: &Options) -> Result<()> {
    options.logging.start()?;
    slovo_engine::serve_isolated()
        .context("this command is started by `slovo serve` and understands nothing else")
}
