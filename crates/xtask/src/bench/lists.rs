//! `cargo xtask bench lists`: response times of lists over 106,000 jobs, 100,000 of them one
//! user's, for sixteen concurrent clients, with each database; and of a page while the server
//! recognises speech on all cores. The baseline of each list is one row read by its key, over the
//! same connections.
//!
//! wrk generates the load, see `bench site`.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use serde::Deserialize;
use slovo_test_postgres::Cluster;

use super::{default_models, output, shared, verdict};
use crate::cargo::target_folder;
use crate::setup;
use crate::step::{command, execute, step};

/// Limit of the 99th percentile of response times, in milliseconds.
const LIST_MS: f64 = 30.0;
/// The same for a page while speech is recognised.
const PAGE_MS: f64 = 100.0;

/// Options of the benchmark.
#[derive(clap::Args)]
pub struct Options {
    /// Jobs of all users; of 53 the first three are other people's.
    #[arg(long, default_value_t = 106_000)]
    jobs: usize,
    /// Seconds of load for each list.
    #[arg(long, default_value_t = 3)]
    seconds: u32,
    /// A recording, in English; without it the 12-minute one of `audio/long`.
    #[arg(long)]
    file: Option<PathBuf>,
    /// Folder of our models.
    #[arg(long, env = "SLOVO_MODELS")]
    models: Option<PathBuf>,
}

/// The measurements of one list.
#[derive(Deserialize)]
struct ListTimes {
    name: String,
    /// Milliseconds.
    p50: f64,
    p99: f64,
    /// Rows of the response, if it is a list.
    found: Option<usize>,
}

/// Runs the benchmark.
pub fn run(root: &Path, options: &Options) -> Result<()> {
    setup::ensure(&[setup::LOAD])?;
    build(root)?;
    let cluster = Cluster::start()?;
    for (database, url) in [("SQLite", None), ("PostgreSQL", Some(cluster.url()))] {
        let mut measure = script(root, "lists");
        measure
            .arg(target_folder(root).join("release/examples/many_jobs"))
            .args([options.jobs.to_string(), options.seconds.to_string()])
            .args(url);
        print(database, LIST_MS, &mut measure)?;
    }
    let file = options
        .file
        .clone()
        .unwrap_or_else(|| shared(root).join("audio/long/long_en_12min.opus"));
    if !file.is_file() {
        println!(
            "{} is not there: name a recording with --file; nothing was recognised meanwhile.",
            file.display()
        );
        return Ok(());
    }
    let models = options.models.clone().map_or_else(default_models, Ok)?;
    let mut measure = script(root, "recognition");
    measure
        .arg(models)
        .arg(file)
        .arg(options.seconds.to_string());
    print("While speech is recognised", PAGE_MS, &mut measure)
}

/// Builds the server and the program that fills its database with jobs.
pub(super) fn build(root: &Path) -> Result<()> {
    step("Building the server (release)", "", || {
        execute(command(root, "cargo").args(["build", "--release", "--package", "slovo-server"]))?;
        let example = ["--package", "slovo-db", "--example", "many_jobs"];
        execute(
            command(root, "cargo")
                .args(["build", "--release"])
                .args(example),
        )
    })
}

/// The load generator with its common parameters.
fn script(root: &Path, what: &str) -> Command {
    let folder = root.join("crates/xtask/src/bench");
    let mut script = command(root, "python3");
    script
        .arg(folder.join("lists.py"))
        .arg(what)
        .arg(target_folder(root).join("release/slovo"))
        .arg(folder.join("site.lua"));
    script
}

/// Prints a line for each list; the first one is the baseline.
fn print(title: &str, limit_ms: f64, measure: &mut Command) -> Result<()> {
    println!(
        "\n{title:<40} {:>9} {:>9} {:>10} {:>6}",
        "p50 ms", "p99 ms", "of the row", "rows"
    );
    let printed = output(measure)?;
    let mut peer = None;
    let mut slow = Vec::new();
    for line in printed.lines() {
        let counted: ListTimes = serde_json::from_str(line)
            .with_context(|| format!("the script printed no figures: {line}"))?;
        let peer = *peer.get_or_insert(counted.p50);
        let rows = counted
            .found
            .map_or_else(String::new, |rows| rows.to_string());
        println!(
            "{:<40} {:>9.1} {:>9.1} {:>10.1} {rows:>6}",
            counted.name,
            counted.p50,
            counted.p99,
            counted.p50 / peer
        );
        if counted.p99 >= limit_ms {
            slow.push(counted.name);
        }
    }
    let slow = match slow.is_empty() {
        true => String::new(),
        false => format!("; not {}", slow.join(", ")),
    };
    verdict(
        slow.is_empty(),
        &format!("99 of 100 responses arrive within {limit_ms} ms{slow}"),
    );
    Ok(())
}
