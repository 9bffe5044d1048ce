//! Sources, which are watched for new recordings, and targets, which have the texts.

use std::path::PathBuf;

use anyhow::{Result, ensure};
use clap::Args;

/// Sources, which are watched for new recordings, and targets, which have the texts.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Sources and targets")]
pub struct Sources {
    /// Folder on this machine that administrators may watch for new recordings, with its subfolders;
    /// can be given several times
    #[arg(
        id = "watched-folder",
        long = "watched-folder",
        env = "SLOVO_WATCHED_FOLDERS",
        value_name = "PATH",
        value_delimiter = ','
    )]
    pub watched_folders: Vec<PathBuf>,

    /// Folder on this machine below which administrators may have texts written; can be given several
    /// times
    #[arg(
        id = "target-folder",
        long = "target-folder",
        env = "SLOVO_TARGET_FOLDERS",
        value_name = "PATH",
        value_delimiter = ','
    )]
    pub target_folders: Vec<PathBuf>,
}

impl Sources {
    /// Checks the paths.
    ///
    /// # Errors
    /// One is not absolute.
    pub fn check(&self) -> Result<()> {
        let watched = self.watched_folders.iter().map(|it| ("watched", it));
        let targets = self.target_folders.iter().map(|it| ("target", it));
        for (option, folder) in watched.chain(targets) {
            let shown = folder.display();
            ensure!(
                folder.is_absolute(),
                "--{option}-folder {shown}: the path has to be absolute"
            );
        }
        Ok(())
    }
}
