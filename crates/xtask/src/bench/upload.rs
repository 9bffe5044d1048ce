//! `cargo xtask bench upload`: a large file over loopback, alternately to Slovo's uploads and to a
//! plain handler that writes axum's body into a file.

use std::path::Path;

use anyhow::{Context, Result};
use serde::Deserialize;

use super::{output, verdict};
use crate::cargo::target_folder;
use crate::step::{command, execute, step};

/// Smallest ratio of an upload's speed to the plain handler's.
const SPEED: f64 = 0.7;

/// Most memory that uploads may add to the server's, in MB.
const GROWTH_MB: f64 = 40.0;

/// Options of the benchmark.
#[derive(clap::Args)]
pub struct Options {
    /// Size of the file.
    #[arg(long, default_value_t = 500)]
    megabytes: usize,
    /// Pairs of uploads.
    #[arg(long, default_value_t = 6)]
    pairs: usize,
}

#[derive(Deserialize)]
struct Figures {
    /// Seconds: ours, the plain handler's.
    pairs: Vec<(f64, f64)>,
    before_mb: f64,
    peak_mb: f64,
}

/// Runs the benchmark.
pub fn run(root: &Path, options: &Options) -> Result<()> {
    step("Building the server and its peer (release)", "", || {
        let build = ["build", "--release", "--package", "slovo-server"];
        execute(
            command(root, "cargo")
                .args(build)
                .args(["--bins", "--example", "plain_upload"]),
        )
    })?;
    let release = target_folder(root).join("release");
    let printed = output(
        command(root, "python3")
            .arg(root.join("crates/xtask/src/bench/upload.py"))
            .args([release.join("slovo"), release.join("examples/plain_upload")])
            .args([options.megabytes, options.pairs].map(|number| number.to_string())),
    )?;
    print(
        options.megabytes,
        &serde_json::from_str(&printed).context("the script printed no figures")?,
    );
    Ok(())
}

fn print(megabytes: usize, figures: &Figures) {
    println!("{:<6} {:>12} {:>12}", "", "Slovo s", "plain s");
    for (place, (slovo, plain)) in figures.pairs.iter().enumerate() {
        println!("{:<6} {slovo:>12.2} {plain:>12.2}", place + 1);
    }
    let slovo: f64 = figures.pairs.iter().map(|pair| pair.0).sum();
    let plain: f64 = figures.pairs.iter().map(|pair| pair.1).sum();
    verdict(
        plain / slovo >= SPEED,
        &format!(
            "{megabytes} MB at {:.2} of the plain handler's speed (goal {SPEED})",
            plain / slovo
        ),
    );
    let growth = figures.peak_mb - figures.before_mb;
    verdict(
        growth <= GROWTH_MB,
        &format!(
            "memory grows by {growth:.1} MB to {:.0} MB (goal {GROWTH_MB} MB)",
            figures.peak_mb
        ),
    );
}
