//! Detects which worker processes of a data folder are alive.
//!
//! Every process locks its own file in `DATA/workers`. The system releases the lock when the
//! process ends in any way, so whoever can take a process's lock knows that it is dead and can hand
//! over its jobs at once instead of waiting for their leases. Processes on other machines are
//! judged by their leases alone.

use std::{
    fs::{File, TryLockError},
    io,
    path::{Path, PathBuf},
};

use slovo_db::jobs::workers::Worker;

/// Time without a heartbeat after which a process counts as silent, in milliseconds: three missed
/// heartbeats.
pub const SILENT_MS: i64 = 45_000;

/// Whether a process has given a sign of life lately; `now` is in Unix milliseconds.
#[must_use]
pub fn is_living(worker: &Worker, now: i64) -> bool {
    worker.seen_at > now - SILENT_MS
}

/// Error code of work whose worker died on every attempt.
pub(crate) const WORKER_LOST: &str = "worker_lost";

/// This process among the workers of a data folder.
#[derive(Debug)]
pub struct Process {
    folder: PathBuf,
    name: String,
    /// Locked for as long as the process lives.
    _lock: File,
}

impl Process {
    /// Registers this process in the data folder under `name`, which has to be unique.
    ///
    /// # Errors
    /// When the folder is not writable or the name is in use.
    pub fn join(data: &Path, name: &str) -> io::Result<Self> {
        let folder = data.join("workers");
        std::fs::create_dir_all(&folder)?;
        let lock = File::create(folder.join(name))?;
        lock.try_lock()?;
        Ok(Self {
            folder,
            name: name.to_owned(),
            _lock: lock,
        })
    }

    /// The name that this process claims jobs under.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The processes found dead. Call [`Process::remove_dead`] for each one after its jobs are
    /// handed over.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn dead(&self) -> io::Result<Vec<String>> {
        let mut dead = Vec::new();
        for entry in std::fs::read_dir(&self.folder)? {
            let Ok(name) = entry?.file_name().into_string() else {
                continue;
            };
            if name == self.name {
                continue;
            }
            match File::open(self.folder.join(&name)) {
                Ok(file) => match file.try_lock() {
                    Ok(()) => dead.push(name),
                    Err(TryLockError::WouldBlock) => {}
                    Err(TryLockError::Error(error)) => return Err(error),
                },
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
        Ok(dead)
    }

    /// Removes a dead process's file.
    ///
    /// # Errors
    /// When its file cannot be removed.
    pub fn remove_dead(&self, name: &str) -> io::Result<()> {
        match std::fs::remove_file(self.folder.join(name)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Otherwise the next process would only find it dead.
        let _ = self.remove_dead(&self.name);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dead_processes_are_found_and_running_ones_are_not() {
        let data = tempfile::tempdir().unwrap();
        let first = Process::join(data.path(), "one").unwrap();
        let second = Process::join(data.path(), "two").unwrap();
        assert!(
            Process::join(data.path(), "two").is_err(),
            "a name is used once"
        );
        assert!(first.dead().unwrap().is_empty());
        // A killed process leaves its file without a lock.
        std::fs::write(data.path().join("workers/killed"), "").unwrap();
        assert_eq!(first.dead().unwrap(), ["killed"]);
        first.remove_dead("killed").unwrap();
        assert!(first.dead().unwrap().is_empty());
        drop(second);
        assert!(
            first.dead().unwrap().is_empty(),
            "one that ended in order leaves nothing"
        );
    }
}
