//! Fetching recordings from addresses that users name.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};
use clap::Args;

use crate::fetch::guard::Place;

/// Name of the program that finds recordings in pages.
const PROGRAM: &str = "yt-dlp";

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
    pub allow: Vec<Place>,
    /// yt-dlp program, for recordings in web pages [default: the one in PATH]
    #[arg(long = "yt-dlp", env = "SLOVO_YT_DLP", value_name = "FILE")]
    pub yt_dlp: Option<PathBuf>,
}

impl Fetch {
    /// Checks that a program that is named can be run.
    ///
    /// # Errors
    /// Names the option.
    pub fn check(&self) -> Result<()> {
        if let Some(program) = &self.yt_dlp {
            ensure!(
                is_program(program),
                "--yt-dlp {}: this is no program",
                program.display()
            );
        }
        Ok(())
    }

    /// The program that finds recordings in pages, if there is one: its whole path.
    #[must_use]
    pub fn downloader(&self) -> Option<PathBuf> {
        let named = match &self.yt_dlp {
            Some(program) => Some(program.clone()),
            None => {
                let path = std::env::var_os("PATH")?;
                let mut folders = std::env::split_paths(&path).map(|folder| folder.join(PROGRAM));
                folders.find(|program| is_program(program))
            }
        };
        // It is started in another folder.
        std::path::absolute(named?)
            .ok()
            .filter(|program| is_program(program))
    }
}

fn is_program(path: &Path) -> bool {
    path.metadata()
        .is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}
