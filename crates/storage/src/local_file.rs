//! A recording in a file of this machine.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A recording that can be read from a path.
#[derive(Clone, Debug)]
pub struct LocalFile {
    path: PathBuf,
    /// Keeps it in the cache.
    _lock: Option<Arc<File>>,
}

impl LocalFile {
    pub(crate) const fn of_folder(path: PathBuf) -> Self {
        Self { path, _lock: None }
    }

    /// A copy that is locked by this open file.
    pub(crate) fn of_cache(path: PathBuf, lock: File) -> Self {
        Self {
            path,
            _lock: Some(Arc::new(lock)),
        }
    }

    /// Its path, which is valid as long as this value lives.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }
}
