//! `cargo xtask bench search`: searching many transcripts of one user, beside `LIKE` over the same
//! texts, with each database. The goal is 100 ms for 10,000 transcripts.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use serde::Deserialize;
use slovo_test_postgres::Cluster;

use super::shared;
use crate::cargo::target_folder;
use crate::step::{command, execute};

/// Options of the benchmark.
#[derive(clap::Args)]
pub struct Options {
    /// Transcripts of ten minutes each.
    #[arg(long, default_value_t = 10_000)]
    transcripts: usize,
    /// Build for development, where only the ratios say something.
    #[arg(long)]
    debug: bool,
}

/// A recording of the shared folder.
#[derive(Deserialize)]
struct Recording {
    transcript: Option<String>,
}

/// Runs the benchmark.
pub fn run(root: &Path, options: &Options) -> Result<()> {
    let folder = target_folder(root).join("search-bench");
    fs::create_dir_all(&folder).context("cannot make a folder for the benchmark")?;
    let sentences = folder.join("sentences.txt");
    fs::write(&sentences, read_sentences(root)?).context("cannot write the sentences")?;
    let measure = |name: &str, url: &str| {
        println!("{name}");
        let mut cargo = command(root, "cargo");
        cargo.args([
            "run",
            "--quiet",
            "--package",
            "slovo-db",
            "--example",
            "search_bench",
        ]);
        if !options.debug {
            cargo.arg("--release");
        }
        cargo.arg("--").arg(&sentences);
        cargo.arg(options.transcripts.to_string()).arg(url);
        execute(&mut cargo)
    };
    let file = folder.join("slovo.db");
    for leftover in ["slovo.db", "slovo.db-wal", "slovo.db-shm"] {
        fs::remove_file(folder.join(leftover)).ok();
    }
    measure("SQLite", &format!("sqlite://{}?mode=rwc", file.display()))?;
    let cluster = Cluster::start()?;
    measure("PostgreSQL", cluster.url())?;
    fs::remove_dir_all(&folder).context("the benchmark's folder cannot be removed")
}

/// What is said in the shared recordings, a sentence or so on a line.
fn read_sentences(root: &Path) -> Result<String> {
    let manifest = shared(root).join("audio/manifest.jsonl");
    let text = fs::read_to_string(&manifest)
        .with_context(|| format!("{} is needed for its words", manifest.display()))?;
    let mut sentences = String::new();
    for line in text.lines() {
        let recording: Recording = serde_json::from_str(line).context("a line of the manifest")?;
        if let Some(transcript) = recording.transcript {
            sentences.push_str(&transcript.replace('\n', " "));
            sentences.push('\n');
        }
    }
    Ok(sentences)
}
