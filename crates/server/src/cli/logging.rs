//! The log of the server, on standard error.

use std::ffi::OsString;

use clap::{Args, ValueEnum};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::format::FmtSpan;

/// How the log looks.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Log")]
pub struct Logging {
    /// What is logged: error, warn, info, debug, or a filter such as info,slovo_db=debug
    #[arg(long, env = "SLOVO_LOG", value_name = "FILTER", default_value = "info")]
    log: String,
    /// One line of text or one of JSON per entry
    #[arg(long, env = "SLOVO_LOG_FORMAT", value_enum, default_value_t = Format::Text)]
    log_format: Format,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Format {
    Text,
    Json,
}

impl Logging {
    /// The arguments of another process that logs in the same way.
    pub fn arguments(&self) -> Vec<OsString> {
        let format = match self.log_format {
            Format::Text => "text",
            Format::Json => "json",
        };
        let arguments = ["--log", &self.log, "--log-format", format];
        arguments.map(OsString::from).to_vec()
    }

    /// Starts logging.
    ///
    /// # Errors
    /// If the filter cannot be read, or logging has been started already.
    pub fn start(&self) -> anyhow::Result<()> {
        // SQL statements contain user data; they are logged only on explicit request.
        let filter = EnvFilter::try_new(format!("sqlx=warn,rmcp=warn,{}", self.log))
            .map_err(|error| anyhow::anyhow!("--log {}: {error}", self.log))?;
        let builder = tracing_subscriber::fmt()
            .with_env_filter(filter)
            .with_span_events(FmtSpan::NONE)
            .with_writer(std::io::stderr);
        let started = match self.log_format {
            Format::Text => builder.with_target(false).try_init(),
            Format::Json => builder.json().flatten_event(true).try_init(),
        };
        started.map_err(|error| anyhow::anyhow!("cannot start the log: {error}"))
    }
}
