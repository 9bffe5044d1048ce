//! `cargo xtask bench …`: measurements as ratios to named peers, in one run.

mod analysis;
mod asr;
mod auth;
mod builds;
mod diarization;
mod edits;
mod lists;
mod load;
mod openai;
mod search;
mod server;
mod site;
mod upload;
mod words;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use clap::Subcommand;

use crate::step::{command, execute};
use crate::{wasm, web};

/// What to measure.
#[derive(Subcommand)]
pub enum Benchmark {
    /// Validation of a full settings object through the WASM package, in Node.
    Rules,
    /// The embedded engine of text analysis on its labelled set.
    Analysis(analysis::Options),
    /// The engine beside faster-whisper and plain whisper.cpp on the long recordings.
    Asr(asr::Options),
    /// Signing in beside one hash alone, and what checking a token adds to a request.
    Auth,
    /// The program's build after one line of a crate has changed, beside a change in `slovo-rules`.
    Builds(builds::Options),
    /// Speaker diarization, on the recordings whose speaker turns are known.
    Diarization(diarization::Options),
    /// Saving an edit in a short text and in a long one, with both databases.
    Edits(edits::Options),
    /// Words where nobody speaks, and true words that are removed.
    Invented(words::Options),
    /// Recordings in which the language changes, and short ones, with `auto`.
    Languages(words::Options),
    /// Lists, figures and searches of 106,000 jobs for 16 clients, and a page beside recognition.
    Lists(lists::Options),
    /// 500 readers, 50 uploaders and 20 listeners at once, and 5,000 idle event streams.
    Load(load::Options),
    /// A recording of 30 s through OpenAI's endpoint, streamed, beside `slovo transcribe`.
    Openai(openai::Options),
    /// Ends of sentences, small first letters and word errors with and without the style prompt, and
    /// what the repairs of the text change.
    Sentences(words::Options),
    /// Searching 10,000 transcripts of one user beside LIKE, with both databases.
    Search(search::Options),
    /// The server beside `slovo transcribe`: its own cost, and the time to the first text.
    Server(server::Options),
    /// The public pages under load and for one client, beside nginx with the same page as a file.
    Site(site::Options),
    /// A large upload beside a plain handler that writes the body into a file.
    Upload(upload::Options),
    /// Rare names with and without the user's vocabulary, and terms that were not said.
    Vocabulary(words::Options),
    /// How far word starts are from where the words were said.
    WordTimes(words::Options),
}

/// Runs one benchmark and prints its figures.
pub fn run(root: &Path, what: &Benchmark) -> Result<()> {
    match what {
        Benchmark::Analysis(options) => analysis::run(root, options),
        Benchmark::Asr(options) => asr::run(root, options),
        Benchmark::Auth => auth::run(root),
        Benchmark::Builds(options) => builds::run(root, options),
        Benchmark::Diarization(options) => diarization::run(root, options),
        Benchmark::Edits(options) => edits::run(root, options),
        Benchmark::Invented(options) => words::invented::run(root, options),
        Benchmark::Languages(options) => words::languages::run(root, options),
        Benchmark::Lists(options) => lists::run(root, options),
        Benchmark::Load(options) => load::run(root, options),
        Benchmark::Search(options) => search::run(root, options),
        Benchmark::Openai(options) => openai::run(root, options),
        Benchmark::Sentences(options) => words::sentences::run(root, options),
        Benchmark::Server(options) => server::run(root, options),
        Benchmark::Site(options) => site::run(root, options),
        Benchmark::Upload(options) => upload::run(root, options),
        Benchmark::Vocabulary(options) => words::vocabulary::run(root, options),
        Benchmark::WordTimes(options) => words::times::run(root, options),
        Benchmark::Rules => {
            wasm::build(root, wasm::BuildMode::Shipped, wasm::Lints::Skipped)?;
            let package = root.join("wasm-pkg");
            web::install(&package)?;
            execute(command(&package, "npm").args(["run", "--silent", "bench"]))
        }
    }
}

/// The folder of the recordings, which may be missing.
fn shared(root: &Path) -> PathBuf {
    std::env::var_os("SLOVO_SHARED").map_or_else(|| root.join("../shared"), PathBuf::from)
}

/// The folder that `slovo models` uses.
fn default_models() -> Result<PathBuf> {
    if let Some(data) = std::env::var_os("XDG_DATA_HOME") {
        return Ok(PathBuf::from(data).join("slovo/models"));
    }
    let home =
        std::env::var_os("HOME").context("HOME is not set; name the folder with --models")?;
    Ok(PathBuf::from(home).join(".local/share/slovo/models"))
}

/// A command's output; its errors are shown.
fn output(command: &mut Command) -> Result<String> {
    Ok(String::from_utf8(bytes(command)?)?)
}

/// A command's output that is not text; its errors are shown.
fn bytes(command: &mut Command) -> Result<Vec<u8>> {
    let result = command
        .stderr(Stdio::inherit())
        .output()
        .with_context(|| format!("cannot start {}", command.get_program().display()))?;
    if !result.status.success() {
        bail!(
            "{} failed: {}",
            command.get_program().display(),
            result.status
        );
    }
    Ok(result.stdout)
}

/// Prints whether a goal is reached.
pub fn verdict(reached: bool, goal: &str) {
    println!("  {} {goal}", if reached { "reached" } else { "MISSED " });
}
