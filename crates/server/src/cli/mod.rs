//! The command line.

use std::process::ExitCode;

use crate::serve::Role;
use clap::builder::Resettable;
use clap::{Command, CommandFactory, FromArgMatches, Parser, Subcommand};

mod admin;
mod backup;
mod doctor;
mod engine;
mod failure;
mod hints;
mod logging;
mod mail;
mod manuals;
mod model_measure;
mod model_recommend;
mod model_table;
mod model_use;
mod models;
mod openapi;
mod pull_bar;
mod remote;
mod restore;
mod serve;
mod transcribe;
mod transducer_table;

/// Turns audio and video into transcripts.
#[derive(Parser)]
#[command(name = "slovo", version, about, propagate_version = true)]
struct Line {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    /// Run the server
    Serve(Box<serve::Options>),
    /// Serve pages and the API, and leave all work to `slovo work`
    Web(Box<serve::Options>),
    /// Work on queues, beside `slovo web` or `slovo serve`
    Work(Box<serve::WorkOptions>),
    /// Print the OpenAPI 3.1 document of the API
    Openapi,
    /// Transcribe recordings
    Transcribe(Box<transcribe::Options>),
    /// Download, verify, select and remove models
    Models(models::Options),
    /// Manage administrators and block accounts
    Admin(admin::Options),
    /// Check the configuration and everything that the server needs, and say what mends it
    Doctor(Box<doctor::Options>),
    /// Make, list and check backups
    Backup(Box<backup::Options>),
    /// Restore a backup, while the server is stopped
    Restore(Box<restore::RestoreOptions>),
    /// Write everything of a server into a folder, to bring it into another database or machine
    Export(Box<restore::ExportOptions>),
    /// Bring in what `slovo export` has written, while the server is stopped
    Import(Box<restore::ImportOptions>),
    /// Preview emails and send a test email
    Mail(mail::Options),
    /// Print the completions of a shell: bash, zsh or fish
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Write manual pages and completions into a folder, for packages
    #[command(hide = true)]
    Manuals {
        /// The folder
        folder: std::path::PathBuf,
    },
    /// Decode and recognise for a server, which starts this by itself
    #[command(hide = true)]
    Engine(engine::Options),
    /// Use a Slovo server: upload, follow, list, export and search
    Remote(Box<remote::Options>),
}

/// Parses the arguments and runs the command. Exit codes: 0 success, 1 failure, 2 wrong usage.
pub fn run() -> ExitCode {
    let matches = without_empty_variables(Line::command()).get_matches();
    let line = Line::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    let outcome = match line.verb {
        Verb::Serve(options) => serve::run(*options, Role::Everything),
        Verb::Web(options) => serve::run(*options, Role::Web),
        Verb::Work(options) => serve::work(*options),
        Verb::Openapi => openapi::run(),
        Verb::Admin(options) => admin::run(&options),
        Verb::Completions { shell } => {
            manuals::completions(Line::command(), shell);
            Ok(())
        }
        Verb::Manuals { folder } => manuals::write(Line::command(), &folder),
        Verb::Doctor(options) => return exit(doctor::run(&options)),
        Verb::Backup(options) => backup::run(&options),
        Verb::Restore(options) => restore::run(*options),
        Verb::Export(options) => restore::export(&options),
        Verb::Import(options) => restore::import(*options),
        Verb::Engine(options) => engine::run(&options),
        Verb::Mail(options) => mail::run(options),
        Verb::Models(options) => return exit(models::run(options)),
        Verb::Transcribe(options) => return exit(transcribe::run(&options)),
        Verb::Remote(options) => return exit(remote::run(*options)),
    };
    exit(outcome.map(|()| ExitCode::SUCCESS))
}

/// Arguments with the location of the data.
const PLACES: [&str; 2] = ["data", "database_url"];

/// Treats empty environment variables as not set, because settings files list them without values.
/// Except the location of the data: with an empty value by mistake, the server would start with an
/// empty folder or database, without an administrator, as if all data were lost.
fn without_empty_variables(command: Command) -> Command {
    let with_value = |arg: clap::Arg| {
        let value = arg.get_env().and_then(std::env::var_os);
        let is_place = PLACES.contains(&arg.get_id().as_str());
        if !is_place && value.is_some_and(|value| value.is_empty()) {
            arg.env(Resettable::Reset)
        } else {
            arg
        }
    };
    command
        .mut_args(with_value)
        .mut_subcommands(without_empty_variables)
}

/// Runs a command that needs one thread. Files that it creates are for their owner only.
fn in_runtime(command: impl Future<Output = anyhow::Result<()>>) -> anyhow::Result<()> {
    rustix::process::umask(rustix::fs::Mode::RWXU.complement());
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    runtime.block_on(command)
}

fn exit(outcome: anyhow::Result<ExitCode>) -> ExitCode {
    outcome.unwrap_or_else(|error| failure::report(&error))
}
