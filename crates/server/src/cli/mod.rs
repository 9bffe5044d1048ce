//! The command line.

use std::process::ExitCode;

use clap::{Parser, Subcommand};

mod admin;
mod failure;
mod hints;
mod logging;
mod mail;
mod model_table;
mod models;
mod openapi;
mod pull_bar;
mod serve;
mod transcribe;

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
    /// Print the OpenAPI 3.1 document of the API
    Openapi,
    /// Transcribe recordings
    Transcribe(Box<transcribe::Options>),
    /// Download, verify, select and remove models
    Models(models::Options),
    /// Manage administrators and block accounts
    Admin(admin::Options),
    /// Preview emails and send a test email
    Mail(mail::Options),
}

/// Reads the arguments, does what they say, and tells how it went: 0 done, 1 failed, 2 wrong
/// usage.
pub fn run() -> ExitCode {
    let outcome = match Line::parse().verb {
        Verb::Serve(options) => serve::run(*options),
        Verb::Openapi => openapi::run(),
        Verb::Admin(options) => admin::run(&options),
        Verb::Mail(options) => mail::run(options),
        Verb::Models(options) => return exit(models::run(options)),
        Verb::Transcribe(options) => return exit(transcribe::run(&options)),
    };
    exit(outcome.map(|()| ExitCode::SUCCESS))
}

fn exit(outcome: anyhow::Result<ExitCode>) -> ExitCode {
    outcome.unwrap_or_else(|error| failure::report(&error))
}
