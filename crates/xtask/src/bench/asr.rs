//! `cargo xtask bench asr`: the engine beside faster-whisper and plain whisper.cpp on the
//! long English recordings, base model, two threads, runs interleaved on one machine.
//!
//! Prints wall and CPU time, peak memory, word error rate (openai-whisper's normaliser,
//! counted by jiwer), the longest run of dropped words, where our time goes, and for each
//! goal whether it is reached. A goal that is missed is a result, not a failure.

mod peers;
mod report;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use super::{default_models, output, shared};
use crate::cargo::target_folder;
use crate::step::{command, execute, step};
use peers::PeerEnvironment;

/// Options of the benchmark.
#[derive(clap::Args)]
pub struct Options {
    /// Rounds; each runs every engine once per file and decoding. Figures are medians.
    #[arg(long, default_value_t = 1)]
    rounds: usize,
    /// Only this file of the long ones, for example `long_en_12min.opus`.
    #[arg(long)]
    only: Option<String>,
    /// Folder of our models.
    #[arg(long, env = "SLOVO_MODELS")]
    models: Option<PathBuf>,
}

/// The recordings, with their reference texts beside them as `NAME.json`.
const FILES: [&str; 2] = ["long_en_20min.mp3", "long_en_12min.opus"];

/// The decoder's search strategy, the same for all engines.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Decoding {
    Greedy,
    Beam,
}

impl Decoding {
    fn name(self) -> &'static str {
        match self {
            Self::Greedy => "greedy",
            Self::Beam => "beam",
        }
    }
}

/// The engines compared. Slovo gives times for every word, the others for segments.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ComparedEngine {
    Slovo,
    FasterWhisper,
    PlainWhisper,
}

impl ComparedEngine {
    const ALL: [Self; 3] = [Self::Slovo, Self::FasterWhisper, Self::PlainWhisper];

    fn name(self) -> &'static str {
        match self {
            Self::Slovo => "slovo",
            Self::FasterWhisper => "faster-whisper",
            Self::PlainWhisper => "whisper.cpp",
        }
    }

    fn is_peer(self) -> bool {
        matches!(self, Self::FasterWhisper | Self::PlainWhisper)
    }
}

/// The measurements of one run.
#[derive(Deserialize)]
struct Outcome {
    wall: f64,
    cpu: f64,
    peak_bytes: u64,
    segments: Vec<serde_json::Value>,
    #[serde(default)]
    stages: Option<Stages>,
}

/// Seconds by stage, summed over our threads.
#[derive(Clone, Copy, Deserialize)]
struct Stages {
    media: f64,
    vad: f64,
    mel: f64,
    encoder: f64,
    decoder: f64,
    alignment: f64,
}

/// A run with its score.
struct MeasuredRun {
    contestant: ComparedEngine,
    outcome: Outcome,
    score: peers::Score,
}

/// Runs the benchmark.
pub fn run(root: &Path, options: &Options) -> Result<()> {
    let long = shared(root).join("audio/long");
    if !long.join(FILES[0]).is_file() {
        println!(
            "The recordings are missing: {} is not there.\nSet SLOVO_SHARED to the folder that holds audio/long; nothing was measured.",
            long.join(FILES[0]).display()
        );
        return Ok(());
    }
    let models = options.models.clone().map_or_else(default_models, Ok)?;
    if !models.join("ggml-base-q8_0.bin").is_file() {
        bail!(
            "{} has no base model: run `cargo xtask models`",
            models.display()
        );
    }
    step("Building the engine (release)", "", || {
        execute(command(root, "cargo").args([
            "build",
            "--release",
            "--package",
            "slovo-engine",
            "--example",
            "bench_asr",
        ]))
    })?;
    let peers = step(
        "Peers: faster-whisper and the scorer in target/bench-venv",
        "it needs python3 with venv and a package index",
        || PeerEnvironment::set_up(root),
    )?;
    let runner = Runner {
        root,
        peers: &peers,
        models: &models,
    };
    let files = FILES
        .iter()
        .filter(|file| options.only.as_deref().is_none_or(|only| only == **file));
    for file in files {
        for decoding in [Decoding::Greedy, Decoding::Beam] {
            println!("\n══ {file}, {}", decoding.name());
            let mut all = Vec::new();
            for round in 0..options.rounds.max(1) {
                for contestant in ComparedEngine::ALL {
                    eprintln!("   round {}: {} …", round + 1, contestant.name());
                    all.push(runner.measure(contestant, &long.join(file), decoding)?);
                }
            }
            report::print(&all);
        }
    }
    Ok(())
}

struct Runner<'a> {
    root: &'a Path,
    peers: &'a PeerEnvironment,
    models: &'a Path,
}

impl Runner<'_> {
    fn measure(
        &self,
        contestant: ComparedEngine,
        file: &Path,
        decoding: Decoding,
    ) -> Result<MeasuredRun> {
        let printed = match contestant {
            ComparedEngine::FasterWhisper => self.peers.faster_whisper(file, decoding.name())?,
            ComparedEngine::Slovo => self.run_slovo("engine", file, decoding)?,
            ComparedEngine::PlainWhisper => self.run_slovo("plain", file, decoding)?,
        };
        let outcome: Outcome = serde_json::from_str(&printed)
            .with_context(|| format!("{} printed no figures", contestant.name()))?;
        let score = self
            .peers
            .score(&file.with_extension("json"), &outcome.segments)?;
        Ok(MeasuredRun {
            contestant,
            outcome,
            score,
        })
    }

    fn run_slovo(&self, kind: &str, file: &Path, decoding: Decoding) -> Result<String> {
        let example = target_folder(self.root).join("release/examples/bench_asr");
        let mut command = command(self.root, example);
        command
            .arg(kind)
            .arg(self.models)
            .arg(file)
            .arg(decoding.name());
        output(&mut command)
    }
}
