//! `cargo xtask bench server`: the same recording through `slovo serve` and `slovo transcribe`, in
//! pairs on one machine.
//!
//! The server's cost is the processor time of its own threads (HTTP, database, events), which does
//! not depend on the machine's load; the wall times of both runs are printed with it.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde::Deserialize;

use super::{default_models, output, shared, verdict};
use crate::cargo::target_folder;
use crate::step::{command, execute, step};

/// Options of the benchmark.
#[derive(clap::Args)]
pub struct Options {
    /// Pairs of runs. Figures are sums over all of them.
    #[arg(long, default_value_t = 4)]
    pairs: usize,
    /// The recording, in English; without it the 12-minute one of `audio/long`.
    #[arg(long)]
    file: Option<PathBuf>,
    /// Folder of our models.
    #[arg(long, env = "SLOVO_MODELS")]
    models: Option<PathBuf>,
}

/// Most overhead of the server over recognition, in percent.
const MAX_OVERHEAD: f64 = 3.0;

/// Longest time from the end of the upload to the first text, relative to the time of one chunk.
const FIRST_TEXT: f64 = 3.0;

/// Length of a chunk, in seconds of sound.
const CHUNK: &str = "28";

#[derive(Deserialize)]
struct Outcome {
    chunk: f64,
    pairs: Vec<Pair>,
}

#[derive(Deserialize)]
struct Pair {
    alone: EngineRun,
    job: Job,
}

#[derive(Deserialize)]
struct EngineRun {
    wall: f64,
    cpu: f64,
}

#[derive(Deserialize)]
struct Job {
    wall: f64,
    cpu: f64,
    own_cpu: f64,
    first_text: f64,
}

/// Runs the benchmark.
pub fn run(root: &Path, options: &Options) -> Result<()> {
    let file = options
        .file
        .clone()
        .unwrap_or_else(|| shared(root).join("audio/long/long_en_12min.opus"));
    if !file.is_file() {
        println!(
            "{} is not there: name a recording with --file; nothing was measured.",
            file.display()
        );
        return Ok(());
    }
    let models = options.models.clone().map_or_else(default_models, Ok)?;
    step("Building the server (release)", "", || {
        execute(command(root, "cargo").args(["build", "--release", "--package", "slovo-server"]))
    })?;
    let folder = target_folder(root);
    std::fs::create_dir_all(folder.join("tmp"))?;
    let cut = folder.join("tmp/bench-chunk.wav");
    execute(
        command(root, "ffmpeg")
            .args(["-v", "error", "-y", "-t", CHUNK, "-i"])
            .arg(&file)
            .arg(&cut),
    )?;
    let printed = output(
        command(root, "python3")
            .arg(root.join("crates/xtask/src/bench/server.py"))
            .arg(folder.join("release/slovo"))
            .args([&models, &file, &cut])
            .arg(options.pairs.max(1).to_string()),
    )?;
    print(&serde_json::from_str(&printed).context("the script printed no figures")?);
    Ok(())
}

fn print(outcome: &Outcome) {
    println!(
        "{:<6} {:>26} {:>26} {:>12} {:>12}",
        "", "transcribe: wall, CPU s", "serve: wall, CPU s", "own CPU s", "first text s"
    );
    for (place, Pair { alone, job }) in outcome.pairs.iter().enumerate() {
        println!(
            "{:<6} {:>17.1} {:>8.1} {:>17.1} {:>8.1} {:>12.2} {:>12.1}",
            place + 1,
            alone.wall,
            alone.cpu,
            job.wall,
            job.cpu,
            job.own_cpu,
            job.first_text
        );
    }
    let sum = |value: fn(&Pair) -> f64| outcome.pairs.iter().map(value).sum::<f64>();
    let overhead = 100.0 * sum(|pair| pair.job.own_cpu) / sum(|pair| pair.job.cpu);
    verdict(
        overhead <= MAX_OVERHEAD,
        &format!(
            "the server's own threads take {overhead:.2}% of the processor time (goal {MAX_OVERHEAD}%); all runs together, noise of the machine included: wall {:+.1}%, CPU {:+.1}%",
            100.0 * (sum(|pair| pair.job.wall) / sum(|pair| pair.alone.wall) - 1.0),
            100.0 * (sum(|pair| pair.job.cpu) / sum(|pair| pair.alone.cpu) - 1.0),
        ),
    );
    let slowest = outcome
        .pairs
        .iter()
        .map(|pair| pair.job.first_text)
        .fold(0.0, f64::max);
    verdict(
        slowest <= FIRST_TEXT + outcome.chunk,
        &format!(
            "first text at most {slowest:.1} s after the upload (goal {FIRST_TEXT} s and one chunk, which takes {:.1} s alone)",
            outcome.chunk
        ),
    );
}
