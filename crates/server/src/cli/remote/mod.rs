//! `slovo remote`: uses a Slovo server over its API.

mod account;
mod client;
mod library;
mod upload;
mod uploads;
mod watch;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::{Args, Subcommand};

use crate::cli::transcribe::inputs;

/// The key is missing, or the server refuses it.
pub const NO_ACCESS: u8 = 5;
/// A recording was refused, or could not be transcribed.
pub const RECORDING: u8 = 3;
/// Nobody speaks in a recording.
pub const NO_SPEECH: u8 = 4;

/// Options of `slovo remote`.
#[derive(Args)]
#[command(
    after_help = "Exit codes: 0 done, 1 the server or the network failed, 2 wrong usage, \
    3 a recording was refused or failed, 4 no speech, 5 no key, or a key without access. With \
    several recordings, the first one that is not done decides."
)]
pub struct Options {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    /// Store a server's address and an API key for the other commands
    Login {
        /// Address of the server, such as https://slovo.example.com
        server: String,
    },
    /// Forget the server and the key
    Logout,
    /// Upload recordings and folders of them, and have them transcribed
    Upload(upload::Options),
    /// Follow transcriptions until they end
    Watch {
        /// Ids of transcriptions
        #[arg(required = true)]
        ids: Vec<String>,
        /// Print one line of JSON for each of them
        #[arg(long)]
        json: bool,
    },
    /// List transcriptions, the newest first
    List(library::ListOptions),
    /// Write texts to files
    Export(library::ExportOptions),
    /// Search all texts
    Search(library::SearchOptions),
}

/// Runs the subcommand.
///
/// # Errors
/// A message, with an exit code of this module or 1.
pub fn run(options: Options) -> Result<ExitCode> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    runtime.block_on(async {
        match options.verb {
            Verb::Login { server } => account::login(&server).await,
            Verb::Logout => account::logout(),
            Verb::Upload(options) => upload::run(&account::client()?, options).await,
            Verb::Watch { ids, json } => watch::run(&account::client()?, &ids, json).await,
            Verb::List(options) => library::list(&account::client()?, options).await,
            Verb::Export(options) => library::export(&account::client()?, options).await,
            Verb::Search(options) => library::search(&account::client()?, options).await,
        }
    })
}

/// A folder of the user for this program: `variable` if it is set, otherwise a folder in the home
/// directory (XDG Base Directory Specification).
fn own_folder(variable: &str, otherwise: &str) -> Option<PathBuf> {
    let absolute = |name: &str| {
        let path = std::env::var_os(name).map(PathBuf::from);
        path.filter(|path| path.is_absolute())
    };
    let base = absolute(variable).or_else(|| Some(absolute("HOME")?.join(otherwise)));
    base.map(|base| base.join("slovo"))
}

/// The files that arguments stand for: files, and recordings in folders.
fn files(arguments: &[PathBuf]) -> Vec<PathBuf> {
    arguments
        .iter()
        .flat_map(|argument| inputs::at(argument))
        .collect()
}
