//! `cargo xtask bench edits`: what saving one word's edit costs, in a text of 100 words and in one
//! of 100,000, in turns on one server, with each database. SQLite writes to the disk before it
//! answers; the PostgreSQL of the tests does not, so its figures are without that wait.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde::Deserialize;
use slovo_test_postgres::Cluster;

use super::{output, verdict};
use crate::cargo::target_folder;
use crate::step::{command, execute, step};

/// Milliseconds that saving an edit may take.
const SAVE_MS: f64 = 20.0;

/// Largest ratio of the long text's time to the short one's: noise, not length.
const RATIO: f64 = 1.25;

/// Options of the benchmark.
#[derive(clap::Args)]
pub struct Options {
    /// The program; without it the server is built for release.
    #[arg(long)]
    program: Option<PathBuf>,
    /// Edits of each text.
    #[arg(long, default_value_t = 300)]
    edits: usize,
}

#[derive(Deserialize)]
struct Figures {
    short_ms: f64,
    long_ms: f64,
    long_p95_ms: f64,
    read_ms: f64,
}

/// Runs the benchmark.
pub fn run(root: &Path, options: &Options) -> Result<()> {
    let program = match &options.program {
        Some(program) => program.clone(),
        None => {
            step("Building the server (release)", "", || {
                execute(command(root, "cargo").args([
                    "build",
                    "--release",
                    "--package",
                    "slovo-server",
                ]))
            })?;
            target_folder(root).join("release/slovo")
        }
    };
    let measure = |url: Option<&str>| -> Result<Figures> {
        let mut script = command(root, "python3");
        script
            .arg(root.join("crates/xtask/src/bench/edits.py"))
            .arg(&program)
            .arg(options.edits.to_string())
            .env_remove("DATABASE_URL");
        if let Some(url) = url {
            script.arg(url);
        }
        serde_json::from_str(&output(&mut script)?).context("the script printed no figures")
    };
    print("SQLite", &measure(None)?);
    let cluster = Cluster::start()?;
    print("PostgreSQL", &measure(Some(cluster.url()))?);
    Ok(())
}

fn print(database: &str, figures: &Figures) {
    let Figures {
        short_ms,
        long_ms,
        long_p95_ms,
        read_ms,
    } = figures;
    println!(
        "{database}: saving one word's edit: {short_ms:.2} ms among 100 words, {long_ms:.2} ms among 100,000 (95%: {long_p95_ms:.2} ms); reading all of these {read_ms:.0} ms"
    );
    verdict(
        *long_p95_ms <= SAVE_MS,
        &format!("95 of 100 edits within {long_p95_ms:.1} ms (goal {SAVE_MS} ms)"),
    );
    let ratio = long_ms / short_ms;
    verdict(
        ratio <= RATIO,
        &format!("the long text costs {ratio:.2} of the short one (goal about 1, at most {RATIO})"),
    );
}
