//! The process in which recordings are decoded and recognised.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{ArgAction, Args};
use slovo_engine::Isolation;

/// How the engine is kept apart from the server.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Recognition")]
pub struct EngineProcess {
    /// Whether recordings are decoded and recognised in a process of their own, without a network and
    /// with no files but models and the recording, so that a crash ends a job and not the server
    #[arg(
        long = "engine-process",
        env = "SLOVO_ENGINE_PROCESS",
        value_name = "true|false",
        default_value_t = true,
        action = ArgAction::Set
    )]
    pub is_on: bool,
    /// Most memory for the data of that process, in MiB [default: no limit]
    #[arg(
        long = "engine-memory",
        env = "SLOVO_ENGINE_MEMORY",
        value_name = "MIB",
        value_parser = clap::value_parser!(u64).range(256..=1 << 30)
    )]
    pub memory: Option<u64>,
    /// The program that runs the engine, and its arguments; without it this process does.
    #[arg(skip)]
    pub program: Option<(PathBuf, Vec<OsString>)>,
}

impl EngineProcess {
    /// The engine's settings of it; `None` if the engine runs in this process.
    #[must_use]
    pub fn isolation(&self) -> Option<Isolation> {
        let (program, arguments) = self.program.clone().filter(|_| self.is_on)?;
        Some(Isolation {
            program,
            arguments,
            max_memory: self.memory.map(|mebibytes| mebibytes << 20),
            max_silence: Isolation::MAX_SILENCE,
        })
    }
}
