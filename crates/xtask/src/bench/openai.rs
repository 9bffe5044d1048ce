//! `cargo xtask bench openai`: a short recording through OpenAI's endpoint, streamed, and through
//! `slovo transcribe`, in pairs on one machine.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde::Deserialize;

use super::{default_models, output, shared, verdict};
use crate::cargo::target_folder;
use crate::step::{command, execute, step};

/// Options of the benchmark.
#[derive(clap::Args)]
pub struct Options {
    /// Pairs of runs; figures are sums over all of them.
    #[arg(long, default_value_t = 8)]
    pairs: usize,
    /// The recording, in English, of which the first 30 s are used; without it the 12-minute one of
    /// `audio/long`.
    #[arg(long)]
    file: Option<PathBuf>,
    /// Folder of our models.
    #[arg(long, env = "SLOVO_MODELS")]
    models: Option<PathBuf>,
    /// The built program; without it, a release is built.
    #[arg(long)]
    program: Option<PathBuf>,
}

/// Most time of a request over that of `slovo transcribe`, in percent.
const MAX_OVERHEAD: f64 = 5.0;

/// Longest time from the first text of a job to the first streamed delta, in seconds.
const MAX_AFTER_TEXT: f64 = 0.15;

/// Length of the recording, in seconds.
const LENGTH: &str = "30";

#[derive(Deserialize)]
struct Pair {
    alone: f64,
    request: Request,
}

#[derive(Deserialize)]
struct Request {
    wall: f64,
    first_delta: f64,
    after_text: f64,
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
    let folder = target_folder(root);
    let program = if let Some(program) = &options.program {
        program.clone()
    } else {
        step("Building the server (release)", "", || {
            execute(command(root, "cargo").args([
                "build",
                "--release",
                "--package",
                "slovo-server",
            ]))
        })?;
        folder.join("release/slovo")
    };
    std::fs::create_dir_all(folder.join("tmp"))?;
    let cut = folder.join("tmp/bench-openai.wav");
    execute(
        command(root, "ffmpeg")
            .args(["-v", "error", "-y", "-t", LENGTH, "-i"])
            .arg(&file)
            .args(["-ac", "1", "-ar", "16000"])
            .arg(&cut),
    )?;
    let printed = output(
        command(root, "python3")
            .arg(root.join("crates/xtask/src/bench/openai.py"))
            .arg(program)
            .args([&models, &cut])
            .arg(options.pairs.max(1).to_string()),
    )?;
    let pairs: Vec<Pair> =
        serde_json::from_str(&printed).context("the script printed no figures")?;
    print(&pairs);
    Ok(())
}

fn print(pairs: &[Pair]) {
    println!(
        "{:<6} {:>14} {:>12} {:>16} {:>22}",
        "", "transcribe s", "request s", "first delta s", "after the text, ms"
    );
    for (number, pair) in pairs.iter().enumerate() {
        let Request {
            wall,
            first_delta,
            after_text,
        } = pair.request;
        println!(
            "{:<6} {:>14.2} {:>12.2} {:>16.2} {:>22.0}",
            number + 1,
            pair.alone,
            wall,
            first_delta,
            after_text * 1000.0
        );
    }
    let sum = |value: fn(&Pair) -> f64| pairs.iter().map(value).sum::<f64>();
    let overhead = 100.0 * (sum(|pair| pair.request.wall) / sum(|pair| pair.alone) - 1.0);
    verdict(
        overhead <= MAX_OVERHEAD,
        &format!(
            "a request takes {overhead:+.1}% of the time of slovo transcribe (goal: under +{MAX_OVERHEAD}%)"
        ),
    );
    let slowest = pairs
        .iter()
        .map(|pair| pair.request.after_text)
        .fold(f64::MIN, f64::max);
    verdict(
        slowest <= MAX_AFTER_TEXT,
        &format!(
            "the first delta comes at most {:.0} ms after the text exists (goal: {:.0} ms)",
            slowest * 1000.0,
            MAX_AFTER_TEXT * 1000.0
        ),
    );
}
