//! Sources: places that are watched for new recordings.

use std::path::PathBuf;

use clap::Args;

/// Sources: places that are watched for new recordings.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Sources")]
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
}
