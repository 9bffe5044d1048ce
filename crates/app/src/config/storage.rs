//! Where data is kept.

use std::fs::Permissions;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::Args;

use super::Redacted;

/// Where data is kept.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Storage")]
pub struct Storage {
    /// Data folder: database, uploads, the server's secret
    // Global: with nested subcommands the folder may follow either of them.
    #[arg(
        long,
        env = "SLOVO_DATA",
        value_name = "DIR",
        default_value = "./data",
        global = true
    )]
    pub data: PathBuf,
    /// Database: postgres://… [default: an SQLite file in the data folder]
    #[arg(
        long,
        env = "DATABASE_URL",
        value_name = "URL",
        hide_env_values = true,
        global = true
    )]
    pub database_url: Option<Redacted>,
    /// Start even though the data folder or the secret is not the one the database knows, and use it
    /// from then on: for a single start, after a move or a loss
    #[arg(long, global = true)]
    pub adopt: bool,
}

impl Storage {
    /// Creates the data folder if it is missing.
    ///
    /// # Errors
    /// If it can be neither created nor opened.
    pub fn prepare(&mut self) -> Result<()> {
        let data = &self.data;
        // Recordings are private: new folders are accessible for their owner only.
        std::fs::DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(data)
            .with_context(|| format!("--data {}: cannot create this folder", data.display()))?;
        self.data = data
            .canonicalize()
            .with_context(|| format!("--data {}: cannot open this folder", data.display()))?;
        restrict_permissions(&self.data);
        Ok(())
    }

    /// How to open the database.
    pub fn database(&self) -> slovo_db::Options {
        match &self.database_url {
            Some(url) => slovo_db::Options::url(url.expose()),
            None => slovo_db::Options::file(&self.data.join("slovo.db")),
        }
    }
}

/// Makes the data folder and its contents accessible to their owner only: they may have been
/// created earlier with wider permissions. What cannot be changed is logged.
fn restrict_permissions(data: &Path) {
    let files = [
        "slovo.db",
        "slovo.db-wal",
        "slovo.db-shm",
        slovo_platform::secret::FILE,
    ];
    let folders = ["media", "downloads", "avatars", "outbox", "workers"];
    let within = files.iter().chain(&folders).map(|name| data.join(name));
    for path in std::iter::once(data.to_owned()).chain(within) {
        // Files created later are accessible for their owner only (see `serve::run`).
        let Ok(found) = std::fs::symlink_metadata(&path) else {
            continue;
        };
        let mode = found.permissions().mode();
        if found.is_symlink() || mode & 0o077 == 0 {
            continue;
        }
        let private = Permissions::from_mode(mode & 0o700);
        match std::fs::set_permissions(&path, private) {
            Ok(()) => tracing::warn!(path = %path.display(), was = format!("{:o}", mode & 0o777),
                "other users had access; it is for its owner only now"),
            Err(error) => tracing::error!(path = %path.display(), %error,
                "other users have access, and this cannot be changed"),
        }
    }
}
