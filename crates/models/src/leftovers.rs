//! The files beside a model: its lock and partial downloads.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};

use slovo_model_catalogue::{Model, lock_path};

use crate::error::PullError;

pub(crate) fn part_path(dir: &Path, model: &Model) -> PathBuf {
    dir.join(format!("{}.part", model.file_name()))
}

/// Removes a model and its partial files. `false` if there was nothing.
///
/// # Errors
/// [`PullError::Busy`] while it is being pulled; a file cannot be removed.
pub fn remove(dir: &Path, model: &Model) -> Result<bool, PullError> {
    if !dir.is_dir() {
        return Ok(false);
    }
    let path = lock_path(dir, model);
    let lock = File::create(&path).map_err(PullError::io(&path))?;
    match lock.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Err(PullError::Busy),
        Err(TryLockError::Error(error)) => return Err(PullError::io(&path)(error)),
    }
    let had_leftovers = remove_leftovers(dir, model);
    Ok(slovo_model_catalogue::remove(dir, model)? || had_leftovers)
}

/// Removes a model's partial files; the caller holds its lock. Returns whether there was a partial
/// model file.
pub(crate) fn remove_leftovers(dir: &Path, model: &Model) -> bool {
    std::fs::remove_file(part_path(dir, model)).is_ok()
}

#[cfg(test)]
mod tests {
    use slovo_model_catalogue::find;

    use super::*;

    #[test]
    fn removing_a_model_removes_only_its_own_partial_download() {
        let folder = tempfile::tempdir().unwrap();
        let dir = folder.path();
        let (base, other) = (find("base").unwrap(), find("base-q8_0").unwrap());
        for model in [base, other] {
            std::fs::write(part_path(dir, model), "half").unwrap();
        }
        assert!(remove(dir, base).unwrap());
        assert!(!part_path(dir, base).exists());
        assert!(part_path(dir, other).exists());
        assert!(!remove(dir, base).unwrap(), "nothing is left");
    }

    #[test]
    fn a_model_that_is_being_pulled_is_not_removed() {
        let folder = tempfile::tempdir().unwrap();
        let base = find("base").unwrap();
        std::fs::write(part_path(folder.path(), base), "half").unwrap();
        let lock = File::create(lock_path(folder.path(), base)).unwrap();
        lock.lock().unwrap();
        assert!(matches!(remove(folder.path(), base), Err(PullError::Busy)));
        assert!(part_path(folder.path(), base).exists());
    }
}
