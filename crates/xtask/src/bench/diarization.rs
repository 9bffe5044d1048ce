//! `cargo xtask bench diarization`: speaker diarization of every recording with known speaker
//! turns.
//!
//! Prints error rates (scored by pyannote.metrics; with a collar of 0.25 s and without, with and
//! without overlapping speech), the found and the true number of speakers, speed on one core and
//! peak memory, and for each goal whether it is reached.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use anyhow::{Context, Result, bail};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{default_models, output, shared, verdict};
use crate::cargo::target_folder;
use crate::step::{command, execute, step};

/// Options of the benchmark.
#[derive(clap::Args)]
pub struct Options {
    /// Only recordings whose path contains this, for example `multi/conv`.
    #[arg(long)]
    only: Option<String>,
    /// Tell the engine the true number of speakers.
    #[arg(long)]
    exact: bool,
    /// Folder of our models.
    #[arg(long, env = "SLOVO_MODELS")]
    models: Option<PathBuf>,
}

/// Packages of the scorer's environment.
const PACKAGES: [&str; 2] = ["pyannote.metrics==4.2.0", "numpy==2.4.6"];

#[derive(Deserialize)]
struct Outcome {
    turns: Vec<Value>,
    cpu: f64,
    peak_bytes: u64,
}

/// Error rates in percent; `alone` excludes overlapping speech.
#[derive(Deserialize)]
struct Score {
    speech: f64,
    #[serde(rename = "true")]
    speakers: usize,
    found: usize,
    collar: f64,
    /// Seconds of speech that are scored with the collar.
    scored: f64,
    /// Seconds of them that another speaker was assigned to.
    confusion: f64,
    collar_alone: f64,
    bare: f64,
    bare_alone: f64,
}

struct MeasuredFile {
    file: String,
    seconds: f64,
    outcome: Outcome,
    score: Score,
}

/// Runs the benchmark.
pub fn run(root: &Path, options: &Options) -> Result<()> {
    let audio = shared(root).join("audio");
    let Ok(manifest) = std::fs::read_to_string(audio.join("manifest.jsonl")) else {
        println!(
            "The recordings are missing: {} has no manifest.\nSet SLOVO_SHARED to the folder that holds audio; nothing was measured.",
            audio.display()
        );
        return Ok(());
    };
    let models = options.models.clone().map_or_else(default_models, Ok)?;
    step("Building the engine (release)", "", || {
        let mut cargo = command(root, "cargo");
        cargo.args(["build", "--release", "--package", "slovo-engine"]);
        execute(cargo.args(["--example", "bench_diarization"]))
    })?;
    let python = step(
        "Scorer: pyannote.metrics in target/bench-diarization-venv",
        "it needs python3 with venv and a package index",
        || scorer(root),
    )?;
    let runner = Runner {
        root,
        python,
        models,
        exact: options.exact,
    };
    let mut all = Vec::new();
    for (file, seconds) in recordings(&manifest)? {
        let path = audio.join(&file);
        let only = options.only.as_deref();
        if only.is_some_and(|only| !file.contains(only)) || !rttm(&path).is_file() {
            continue;
        }
        eprintln!("   {file} …");
        all.push(runner.measure(file, seconds, &path)?);
    }
    report(&all, options.exact);
    Ok(())
}

fn rttm(path: &Path) -> PathBuf {
    path.with_extension("rttm")
}

/// Paths and lengths of all recordings.
fn recordings(manifest: &str) -> Result<Vec<(String, f64)>> {
    #[derive(Deserialize)]
    struct Row {
        file: String,
        seconds: Option<f64>,
    }
    let rows = manifest.lines().map(serde_json::from_str::<Row>);
    let mut recordings = Vec::new();
    for row in rows {
        let row = row.context("the manifest has an invalid line")?;
        recordings.push((row.file, row.seconds.unwrap_or(0.0)));
    }
    Ok(recordings)
}

/// The Python of the scorer's environment.
fn scorer(root: &Path) -> Result<PathBuf> {
    let venv = root.join("target/bench-diarization-venv");
    let python = venv.join("bin/python");
    let stamp = venv.join("complete");
    let expected = format!("{PACKAGES:?}");
    if std::fs::read_to_string(&stamp).is_ok_and(|actual| actual == expected) {
        return Ok(python);
    }
    execute(command(root, "python3").args(["-m", "venv"]).arg(&venv))?;
    let mut pip = command(root, &python);
    pip.args([
        "-m",
        "pip",
        "--disable-pip-version-check",
        "--quiet",
        "install",
    ]);
    execute(pip.args(PACKAGES))?;
    std::fs::write(&stamp, expected)?;
    Ok(python)
}

struct Runner<'a> {
    root: &'a Path,
    python: PathBuf,
    models: PathBuf,
    exact: bool,
}

impl Runner<'_> {
    fn measure(&self, file: String, seconds: f64, path: &Path) -> Result<MeasuredFile> {
        let truth = rttm(path);
        let example = target_folder(self.root).join("release/examples/bench_diarization");
        let mut command = command(self.root, example);
        command.arg(&self.models).arg(path);
        if self.exact {
            let speakers = self.score(&truth, &[])?.speakers;
            command.arg(speakers.to_string());
        }
        let printed = output(&mut command)?;
        let outcome: Outcome =
            serde_json::from_str(&printed).with_context(|| format!("no figures of {file}"))?;
        let score = self.score(&truth, &outcome.turns)?;
        Ok(MeasuredFile {
            file,
            seconds,
            outcome,
            score,
        })
    }

    fn score(&self, truth: &Path, turns: &[Value]) -> Result<Score> {
        let mut child = command(self.root, &self.python)
            .arg(self.root.join("crates/xtask/src/bench/diarization.py"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .context("cannot start the scorer")?;
        if let Some(mut stdin) = child.stdin.take() {
            let input = json!({"rttm": truth, "turns": turns});
            stdin.write_all(&serde_json::to_vec(&input)?)?;
        }
        let result = child.wait_with_output()?;
        if !result.status.success() {
            bail!("the scorer failed: {}", result.status);
        }
        Ok(serde_json::from_slice(&result.stdout)?)
    }
}

fn report(all: &[MeasuredFile], exact: bool) {
    println!(
        "\n{:<36} {:>8} {:>8} {:>8} {:>8}  {:>9} {:>7} {:>6}",
        "recording", "collar", "alone", "bare", "alone", "found", "speed", "MB"
    );
    for run in all {
        let score = &run.score;
        println!(
            "{:<36} {:>8.1} {:>8.1} {:>8.1} {:>8.1}  {:>4} of {:>2} {:>6.0}x {:>6}",
            run.file,
            score.collar,
            score.collar_alone,
            score.bare,
            score.bare_alone,
            score.found,
            score.speakers,
            run.seconds / run.outcome.cpu,
            run.outcome.peak_bytes / 1_000_000
        );
    }
    println!("\nGoals (error with collar, weighted by speech):");
    for (name, part, limit, counted) in [
        ("synthetic conversations", "multi/conv", 6.0, true),
        (
            "the real sample of two speakers",
            "pyannote_sample",
            8.0,
            true,
        ),
        ("real meetings", "multi/ami_", 35.0, false),
    ] {
        let some: Vec<&MeasuredFile> = all.iter().filter(|run| run.file.contains(part)).collect();
        if some.is_empty() {
            continue;
        }
        let speech: f64 = some.iter().map(|run| run.score.speech).sum();
        let errors = some.iter().map(|run| run.score.collar * run.score.speech);
        let rate = errors.sum::<f64>() / speech;
        let right = some
            .iter()
            .filter(|run| run.score.found == run.score.speakers)
            .count();
        let reached = rate <= limit && (!counted || right == some.len());
        let count = format!("{right} of {} counts right", some.len());
        verdict(
            reached,
            &format!("{name}: {rate:.1}% (at most {limit}%), {count}"),
        );
    }
    meetings(all, exact);
    let seconds: f64 = all.iter().map(|run| run.seconds).sum();
    let cpu: f64 = all.iter().map(|run| run.outcome.cpu).sum();
    if cpu > 0.0 {
        let speed = seconds / cpu;
        verdict(
            speed >= 40.0,
            &format!("speed: {speed:.0} times real time (at least 40)"),
        );
    }
}

/// Prints the goals of the meetings' speaker counts and confusion.
fn meetings(all: &[MeasuredFile], exact: bool) {
    let some: Vec<&MeasuredFile> = all
        .iter()
        .filter(|run| run.file.contains("multi/ami_"))
        .collect();
    if some.is_empty() {
        return;
    }
    let right = some
        .iter()
        .filter(|run| run.score.found == run.score.speakers)
        .count();
    let scored: f64 = some.iter().map(|run| run.score.scored).sum();
    let confusion: f64 = some.iter().map(|run| run.score.confusion).sum();
    let confusion = 100.0 * confusion / scored.max(f64::EPSILON);
    let least = if exact { 6 } else { 4 };
    verdict(
        right >= least,
        &format!(
            "meetings: {right} of {} counts right (at least {least})",
            some.len()
        ),
    );
    let text = format!("meetings: {confusion:.1}% of the speech assigned to another speaker");
    if exact {
        verdict(confusion <= 4.5, &format!("{text} (at most 4.5%)"));
    } else {
        println!("  {text}");
    }
}
