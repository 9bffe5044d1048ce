//! `cargo xtask bench analysis`: accuracy of the embedded engine on the labelled set of its crate,
//! by language, its time per sentence, and its memory.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use super::default_models;
use crate::step::{command, execute};

/// Options of the benchmark.
#[derive(clap::Args)]
pub struct Options {
    /// Folder of our models.
    #[arg(long, env = "SLOVO_MODELS")]
    models: Option<PathBuf>,
}

/// Runs the benchmark.
pub fn run(root: &Path, options: &Options) -> Result<()> {
    let models = options.models.clone().map_or_else(default_models, Ok)?;
    let model = models.join("ggml-e5-small-q4.bin");
    if !model.is_file() {
        bail!("{} is missing: run `cargo xtask models`", model.display());
    }
    // The dev profile optimises this crate as the release profile does.
    let example = [
        "--package",
        "slovo-analysis",
        "--example",
        "bench_analysis",
        "--",
    ];
    execute(
        command(root, "cargo")
            .args(["run", "--quiet"])
            .args(example)
            .arg(&model),
    )
}
