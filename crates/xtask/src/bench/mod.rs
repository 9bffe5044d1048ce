//! `cargo xtask bench …`: measurements as ratios against named peers, in one run.

mod asr;
mod auth;
mod server;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use clap::Subcommand;

use crate::step::{command, execute};
use crate::{wasm, web};

/// What to measure.
#[derive(Subcommand)]
pub enum What {
    /// Validation of a full settings object through the WASM package, in Node.
    Rules,
    /// The engine beside faster-whisper and plain whisper.cpp on the long recordings.
    Asr(asr::Options),
    /// Signing in beside one hash alone, and what looking at a token adds to a request.
    Auth,
    /// The server beside `slovo transcribe`: its own cost, and the time to the first text.
    Server(server::Options),
}

/// Runs one benchmark and prints its figures.
pub fn run(root: &Path, what: &What) -> Result<()> {
    match what {
        What::Asr(options) => asr::run(root, options),
        What::Auth => auth::run(root),
        What::Server(options) => server::run(root, options),
        What::Rules => {
            wasm::build(root)?;
            let package = root.join("wasm-pkg");
            web::install(&package)?;
            execute(command(&package, "npm").args(["run", "--silent", "bench"]))
        }
    }
}

/// The folder with the recordings, which need not be there.
fn shared(root: &Path) -> PathBuf {
    std::env::var_os("SLOVO_SHARED").map_or_else(|| root.join("../shared"), PathBuf::from)
}

/// The folder that `slovo models` uses.
fn default_models() -> Result<PathBuf> {
    if let Some(data) = std::env::var_os("XDG_DATA_HOME") {
        return Ok(PathBuf::from(data).join("slovo/models"));
    }
    let home =
        std::env::var_os("HOME").context("HOME is not set; name the folder with --models")?;
    Ok(PathBuf::from(home).join(".local/share/slovo/models"))
}

/// What a command prints; its errors are shown.
fn output(command: &mut Command) -> Result<String> {
    let result = command
        .stderr(Stdio::inherit())
        .output()
        .with_context(|| format!("cannot start {}", command.get_program().display()))?;
    if !result.status.success() {
        bail!(
            "{} failed: {}",
            command.get_program().display(),
            result.status
        );
    }
    Ok(String::from_utf8(result.stdout)?)
}

/// Prints whether a goal is reached.
fn verdict(reached: bool, what: &str) {
    println!("  {} {what}", if reached { "reached" } else { "MISSED " });
}
