//! `cargo xtask bench load`: 500 users who read, 50 who upload and 20 who follow a job at the same
//! time, and then 5,000 idle event streams, on `slovo web` with 106,000 jobs, with each database. The
//! server, its database and the load share the machine.
//!
//! wrk generates the readers' requests, see `bench site`; each thinks for one to three seconds.

use std::path::Path;

use anyhow::{Context, Result};
use serde_json::Value;
use slovo_test_postgres::Cluster;

use super::{lists, output, verdict};
use crate::cargo::target_folder;
use crate::setup;
use crate::step::command;

/// Limit of the 99th percentile of the readers' response times, in milliseconds.
const READ_MS: f64 = 30.0;
/// Limit of the memory that the idle streams add, in MB.
const IDLE_MB: f64 = 150.0;

/// Options of the benchmark.
#[derive(clap::Args)]
pub struct Options {
    /// Jobs of all users.
    #[arg(long, default_value_t = 106_000)]
    jobs: usize,
    /// Seconds of load.
    #[arg(long, default_value_t = 30)]
    seconds: u32,
}

/// Runs the benchmark.
pub fn run(root: &Path, options: &Options) -> Result<()> {
    setup::ensure(&[setup::LOAD])?;
    lists::build(root)?;
    let cluster = Cluster::start()?;
    for (database, url) in [("SQLite", None), ("PostgreSQL", Some(cluster.url()))] {
        println!("\n{database}");
        let folder = root.join("crates/xtask/src/bench");
        let mut measure = command(root, "python3");
        measure
            .arg(folder.join("load.py"))
            .arg(target_folder(root).join("release/slovo"))
            .arg(folder.join("load.lua"))
            .arg(target_folder(root).join("release/examples/many_jobs"))
            .args([options.jobs.to_string(), options.seconds.to_string()])
            .args(url);
        for line in output(&mut measure)?.lines() {
            print(line)?;
        }
    }
    Ok(())
}

/// Prints the figures of one measurement, and whether its goals are met.
fn print(line: &str) -> Result<()> {
    let measured: Value = serde_json::from_str(line)
        .with_context(|| format!("the script printed no figures: {line}"))?;
    let figures = measured.as_object().context("no figures")?;
    println!("  {}", figures["name"].as_str().unwrap_or_default());
    for (name, figure) in figures.iter().filter(|(name, _)| *name != "name") {
        let figure = figure.as_f64().unwrap_or_default();
        println!("    {:<22} {figure:>9.1}", name.replace('_', " "));
    }
    let figure = |name: &str| figures.get(name).and_then(Value::as_f64);
    if let (Some(p99), Some(failed)) = (figure("p99_ms"), figure("failed")) {
        verdict(failed == 0.0, "no request fails");
        verdict(p99 < READ_MS, &format!("99 of 100 within {READ_MS} ms"));
    } else if let Some(added) = figure("added_mb") {
        verdict(added < IDLE_MB, &format!("less than {IDLE_MB} MB added"));
    }
    Ok(())
}
