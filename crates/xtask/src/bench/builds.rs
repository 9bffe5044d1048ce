//! `cargo xtask bench builds`: how long the program's debug build takes after one line of a crate
//! has changed, for each crate that it consists of.
//!
//! Baseline, in the same run: a change in `slovo-rules`, on which nearly all others depend.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use clap::Args;
use serde::Deserialize;

use super::output;
use crate::cargo::cargo;
use crate::step::{command, execute, step};

/// The crate that the others are compared with.
const BASELINE: &str = "slovo-rules";

/// What is built.
const PROGRAM: &[&str] = &["build", "--quiet", "--package", "slovo-server"];

/// Options of the measurement.
#[derive(Args)]
pub struct Options {
    /// How often a line is changed before it is removed again; the shortest build counts
    #[arg(long, default_value_t = 1)]
    rounds: u32,
}

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    targets: Vec<Target>,
}

#[derive(Deserialize)]
struct Target {
    kind: Vec<String>,
    src_path: PathBuf,
}

/// A source file with an extra line, which is removed at the end.
struct TouchedFile {
    path: PathBuf,
    text: String,
}

impl TouchedFile {
    fn new(path: &Path) -> Result<Self> {
        let text =
            fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        Ok(Self {
            path: path.to_owned(),
            text,
        })
    }

    /// Writes the file with a line that differs in every round, so that the crate's interface has
    /// changed.
    fn write(&self, round: u32) -> Result<()> {
        let line = format!("#[doc(hidden)]\npub const CHANGED_LINE: u32 = {round};\n");
        fs::write(&self.path, format!("{}\n{line}", self.text))
            .with_context(|| format!("cannot write {}", self.path.display()))
    }
}

impl Drop for TouchedFile {
    fn drop(&mut self) {
        if let Err(error) = fs::write(&self.path, &self.text) {
            eprintln!("{} still has an extra line: {error}", self.path.display());
        }
    }
}

/// Runs the measurement. It changes source files and restores them: an interrupted run leaves a
/// line `CHANGED_LINE` in one of them.
pub fn run(root: &Path, options: &Options) -> Result<()> {
    let build = || execute(command(root, cargo()).args(PROGRAM));
    step("Building the program (debug)", "", build)?;
    let unchanged = timed(build)?;
    let mut times = Vec::new();
    for (name, path) in libraries(root)? {
        let file = TouchedFile::new(&path)?;
        let mut shortest = Duration::MAX;
        for round in 1..=options.rounds.max(1) {
            file.write(round)?;
            shortest = shortest.min(timed(build)?);
        }
        // Removing the line is a change, too.
        drop(file);
        shortest = shortest.min(timed(build)?);
        eprintln!("   {name}: {:.1} s", shortest.as_secs_f64());
        times.push((name, shortest));
    }
    times.sort_by_key(|(_, time)| std::cmp::Reverse(*time));
    print(unchanged, &times);
    Ok(())
}

/// Crates of the program, each with the root of its library.
fn libraries(root: &Path) -> Result<Vec<(String, PathBuf)>> {
    let tree = ["tree", "--package", "slovo-server", "--edges", "normal"];
    let tree = output(
        command(root, cargo())
            .args(tree)
            .args(["--prefix", "none", "--format", "{p}"]),
    )?;
    let metadata = ["metadata", "--format-version", "1", "--no-deps"];
    let metadata: Metadata = serde_json::from_str(&output(command(root, cargo()).args(metadata))?)?;
    let is_part = |name: &str| {
        let mut names = tree.lines().filter_map(|line| line.split(' ').next());
        names.any(|part| part == name)
    };
    let libraries = metadata.packages.into_iter().filter_map(|package| {
        let library = |target: &Target| target.kind.iter().any(|kind| kind == "lib");
        let target = package.targets.into_iter().find(library)?;
        is_part(&package.name).then_some((package.name, target.src_path))
    });
    Ok(libraries.collect())
}

fn timed(work: impl FnOnce() -> Result<()>) -> Result<Duration> {
    let started = Instant::now();
    work()?;
    Ok(started.elapsed())
}

fn print(unchanged: Duration, times: &[(String, Duration)]) {
    let baseline = times.iter().find(|(name, _)| name == BASELINE);
    println!("\nnothing changed: {:.1} s", unchanged.as_secs_f64());
    println!("\n{:<24} seconds  of {BASELINE}", "one line of");
    for (name, time) in times {
        let seconds = time.as_secs_f64();
        let ratio = baseline.map_or(1.0, |(_, all)| seconds / all.as_secs_f64());
        println!("{name:<24} {seconds:>7.1}  {ratio:.2}");
    }
}
