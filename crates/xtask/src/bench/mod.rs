//! `cargo xtask bench …`: measurements as ratios against named peers, in one run.

mod asr;

use std::path::Path;

use anyhow::Result;
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
}

/// Runs one benchmark and prints its figures.
pub fn run(root: &Path, what: &What) -> Result<()> {
    match what {
        What::Asr(options) => asr::run(root, options),
        What::Rules => {
            wasm::build(root)?;
            let package = root.join("wasm-pkg");
            web::install(&package)?;
            execute(command(&package, "npm").args(["run", "--silent", "bench"]))
        }
    }
}
