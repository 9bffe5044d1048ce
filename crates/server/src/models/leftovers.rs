//! The files beside a model: its lock, and what broken-off pulls leave.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};

use slovo_engine::models::Model;

use super::pull::PullError;

pub(super) fn lock_path(dir: &Path, model: &Model) -> PathBuf {
    dir.join(format!(".{}.lock", model.file_name()))
}

pub(super) fn part_path(dir: &Path, model: &Model) -> PathBuf {
    dir.join(format!("{}.part", model.file_name()))
}

/// What making a model from packages may leave behind when it is killed begins so. No id
/// holds a tilde: what belongs to `base-q8_0` does not begin as what belongs to `base`.
pub(super) fn scratch_prefix(kind: &str, model: &Model) -> String {
    format!(".{kind}-{}~", model.id)
}

/// Removes a model with all that pulls of it have left. `false`: there was nothing.
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
    let left = remove_leftovers(dir, model);
    Ok(slovo_engine::models::remove(dir, model)? || left)
}

/// Removes what broken-off pulls of a model have left; its lock is held. Says whether there
/// was a part of the model.
pub(super) fn remove_leftovers(dir: &Path, model: &Model) -> bool {
    remove_scratch(dir, model);
    std::fs::remove_file(part_path(dir, model)).is_ok()
}

/// Removes the scratch files of pulls that were killed; the model's lock is held.
pub(super) fn remove_scratch(dir: &Path, model: &Model) {
    let prefixes = ["packages", "made"].map(|kind| scratch_prefix(kind, model));
    for entry in std::fs::read_dir(dir).into_iter().flatten().flatten() {
        let name = entry.file_name();
        if prefixes
            .iter()
            .any(|prefix| name.to_string_lossy().starts_with(prefix))
        {
            let path = entry.path();
            // Whatever cannot be removed does no harm but takes room.
            let _ = if path.is_dir() {
                std::fs::remove_dir_all(path)
            } else {
                std::fs::remove_file(path)
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use slovo_engine::models::find;

    use super::*;

    #[test]
    fn removing_takes_what_broken_off_pulls_have_left_of_this_model_only() {
        let folder = tempfile::tempdir().unwrap();
        let dir = folder.path();
        let (base, other) = (find("base").unwrap(), find("base-q8_0").unwrap());
        let scratch = |model| format!("{}XyZ", scratch_prefix("packages", model));
        for name in [scratch(base), scratch(other)] {
            std::fs::create_dir(dir.join(&name)).unwrap();
            std::fs::write(dir.join(name).join("a.whl"), "wheel").unwrap();
        }
        std::fs::write(part_path(dir, base), "half").unwrap();
        assert!(remove(dir, base).unwrap());
        assert!(!part_path(dir, base).exists() && !dir.join(scratch(base)).exists());
        assert!(dir.join(scratch(other)).is_dir());
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
