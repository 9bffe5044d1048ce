//! Uploads that were begun, so that a later run continues them.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use sha2::{Digest, Sha256};

use super::own_folder;

/// A file on its way to a server, recognised by its path, size and time of change.
pub struct Unfinished {
    /// Identifies file and server; also for requests that may be repeated.
    pub id: String,
    note: PathBuf,
}

impl Unfinished {
    /// The state of a file's upload.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn of(server: &str, file: &Path) -> Result<Self> {
        let path = file.canonicalize()?;
        let about = path.metadata()?;
        let identity = format!(
            "{server}\n{}\n{}\n{}.{}",
            path.display(),
            about.len(),
            about.mtime(),
            about.mtime_nsec()
        );
        let id = hex::encode(Sha256::digest(identity));
        let folder = own_folder("XDG_STATE_HOME", ".local/state");
        let folder = folder.context("there is no home directory")?;
        Ok(Self {
            note: folder.join("uploads").join(&id),
            id,
        })
    }

    /// The path of its upload on the server, if it was begun.
    pub fn location(&self) -> Option<String> {
        let location = fs::read_to_string(&self.note).ok()?;
        // Anything else would send the key elsewhere.
        location.starts_with("/api/v1/uploads/").then_some(location)
    }

    /// Stores the path of its upload.
    ///
    /// # Errors
    /// The folder cannot be written.
    pub fn begin(&self, location: &str) -> Result<()> {
        let folder = self.note.parent().context("no folder")?;
        fs::create_dir_all(folder)?;
        fs::write(&self.note, location)?;
        Ok(())
    }

    /// Forgets it.
    pub fn end(&self) {
        // A note that stays is found to be outdated by the server.
        let _ = fs::remove_file(&self.note);
    }
}
