//! Fetching recordings from addresses that users name.

use std::path::PathBuf;

use anyhow::{Result, ensure};
use clap::Args;
use slovo_fetch::downloader_program::{find, is_program};
use slovo_fetch::place::AllowedHost;

/// Fetching recordings from addresses that users name.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Recordings from the web")]
pub struct Fetch {
    /// Host and port that recordings may be downloaded from even in a private network; can be given
    /// several times
    #[arg(
        long = "fetch-allow",
        env = "SLOVO_FETCH_ALLOW",
        value_name = "HOST:PORT",
        value_delimiter = ','
    )]
    pub allow: Vec<AllowedHost>,
    /// yt-dlp program, for recordings in web pages [default: the one in PATH]
    #[arg(long = "yt-dlp", env = "SLOVO_YT_DLP", value_name = "FILE")]
    pub yt_dlp: Option<PathBuf>,
}

impl Fetch {
    /// Checks that a configured program can be run.
    ///
    /// # Errors
    /// The message names the option.
    pub fn check(&self) -> Result<()> {
        if let Some(program) = &self.yt_dlp {
            ensure!(
                is_program(program),
                "--yt-dlp {}: not an executable program",
                program.display()
            );
        }
        Ok(())
    }

    /// The absolute path of the program that finds recordings in web pages, if there is one.
    #[must_use]
    pub fn downloader(&self) -> Option<PathBuf> {
        find(self.yt_dlp.as_deref())
    }
}
