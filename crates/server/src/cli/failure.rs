//! Failures of commands: a message and an exit code.

use std::fmt;
use std::io::Write;
use std::process::ExitCode;

/// The arguments are invalid.
pub const USAGE: u8 = 2;
/// Stopped by Ctrl-C (128 + SIGINT, as in shells).
pub const INTERRUPTED: u8 = 130;

/// A failure with a specific exit code; every other error exits with 1.
#[derive(Debug)]
pub struct Failure {
    code: u8,
    message: String,
}

impl Failure {
    /// A failure with this exit code.
    pub fn new(code: u8, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
        }
    }

    /// Wrong usage.
    pub fn usage(message: impl Into<String>) -> Self {
        Self::new(USAGE, message)
    }
}

/// The exit code of an error, if it has a specific one.
pub fn code(error: &anyhow::Error) -> Option<u8> {
    error.downcast_ref::<Failure>().map(|failure| failure.code)
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Failure {}

/// Prints the error to standard error; returns the exit code.
pub fn report(error: &anyhow::Error) -> ExitCode {
    if is_closed_pipe(error) {
        // The reader of the output has closed the pipe, so there is no need for a message.
        return ExitCode::FAILURE;
    }
    // If standard error is closed, the message cannot be shown anywhere.
    let _ = writeln!(std::io::stderr(), "slovo: {error:#}");
    code(error).map_or(ExitCode::FAILURE, ExitCode::from)
}

fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<std::io::Error>())
        .any(|cause| cause.kind() == std::io::ErrorKind::BrokenPipe)
}
