//! The models folder: file names, checksums, records, and installing a finished file.
//!
//! A file gets its final name only after its checksum is verified and its bytes are synced to disk.
//! A record of its origin is stored beside it.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha1::Sha1;
use sha2::{Digest, Sha256};

use super::catalogue::{Checksum, Model};
use super::origin::Origin;

/// The default models folder: `$XDG_DATA_HOME/slovo/models`, else `~/.local/share/slovo/models`;
/// `None` if there is no home directory.
#[must_use]
pub fn default_dir() -> Option<PathBuf> {
    let absolute = |name: &str| {
        std::env::var_os(name)
            .map(PathBuf::from)
            .filter(|path| path.is_absolute())
    };
    absolute("XDG_DATA_HOME")
        .or_else(|| Some(absolute("HOME")?.join(".local/share")))
        .map(|data| data.join("slovo/models"))
}

/// Length and checksums of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Digests {
    /// Length in bytes.
    pub bytes: u64,
    /// SHA-1 in lower-case hexadecimal.
    pub sha1: String,
    /// SHA-256 in lower-case hexadecimal.
    pub sha256: String,
}

impl Digests {
    /// Reads a file once and computes its checksums. `progress` is called with the number of bytes
    /// read so far.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn of(path: &Path, mut progress: impl FnMut(u64)) -> io::Result<Self> {
        let mut file = File::open(path)?;
        let mut buffer = vec![0; 1 << 20];
        let (mut sha1, mut sha256, mut bytes) = (Sha1::new(), Sha256::new(), 0);
        loop {
            let count = file.read(&mut buffer)?;
            if count == 0 {
                break;
            }
            sha1.update(&buffer[..count]);
            sha256.update(&buffer[..count]);
            bytes += count as u64;
            progress(bytes);
        }
        Ok(Self {
            bytes,
            sha1: hex::encode(sha1.finalize()),
            sha256: hex::encode(sha256.finalize()),
        })
    }

    /// Whether one of the digests equals this checksum.
    #[must_use]
    pub fn have(&self, checksum: Checksum) -> bool {
        match checksum {
            Checksum::Sha1(sum) => self.sha1 == sum,
            Checksum::Sha256(sum) => self.sha256 == sum,
        }
    }

    /// Whether they belong to one of the model's valid files.
    #[must_use]
    pub fn are_of(&self, model: &Model) -> bool {
        model.checksums().any(|checksum| self.have(checksum))
    }
}

/// The record of an installed file, stored beside it as `ggml-<id>.json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// Model id.
    pub id: String,
    /// File name.
    pub file: String,
    /// Length in bytes.
    pub bytes: u64,
    /// Its SHA-256.
    pub sha256: String,
    /// Where it came from.
    pub origin: Origin,
    /// Licence of the weights.
    pub licence: String,
}

impl Record {
    /// The record of this model, if it exists and is readable.
    #[must_use]
    pub fn read(dir: &Path, id: &str) -> Option<Self> {
        let text = fs::read(record_path(dir, id)).ok()?;
        serde_json::from_slice(&text).ok()
    }
}

fn record_path(dir: &Path, id: &str) -> PathBuf {
    dir.join(format!("ggml-{id}.json"))
}

/// The lock file of a model. A writer keeps it locked, so that two writers, also in different
/// processes, do not interfere.
#[must_use]
pub fn lock_path(dir: &Path, model: &Model) -> PathBuf {
    dir.join(format!(".{}.lock", model.file_name()))
}

/// The state of a model in the models folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    /// No file.
    Missing,
    /// There is a file of the recorded length; its checksum was verified when it was installed.
    Installed(Record),
    /// There is a file without a record or of another length: it must be verified before use.
    Unknown,
}

/// Checks the models folder without reading the file.
#[must_use]
pub fn state(dir: &Path, model: &Model) -> State {
    let Ok(metadata) = fs::metadata(dir.join(model.file_name())) else {
        return State::Missing;
    };
    match Record::read(dir, model.id) {
        Some(record) if metadata.is_file() && record.bytes == metadata.len() => {
            State::Installed(record)
        }
        _ => State::Unknown,
    }
}

/// Why a model file is not usable.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The checksum is not one of the model's.
    #[error(
        "the checksum of {} is wrong: sha256 {} and sha1 {} of {} bytes are none of the model {id}'s",
        path.display(), digests.sha256, digests.sha1, digests.bytes
    )]
    WrongChecksum {
        /// Model id.
        id: String,
        /// The file.
        path: PathBuf,
        /// The actual digests.
        digests: Digests,
    },
    /// The models folder cannot be used.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The system's error.
        #[source]
        error: io::Error,
    },
}

impl StoreError {
    pub(super) fn at(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |error| Self::Io { path, error }
    }
}

/// Reads the installed file and verifies its checksum.
///
/// # Errors
/// When the file is missing or unreadable, or its checksum is wrong.
pub fn verify(dir: &Path, model: &Model, progress: impl FnMut(u64)) -> Result<Digests, StoreError> {
    checked(&dir.join(model.file_name()), model, progress)
}

fn checked(path: &Path, model: &Model, progress: impl FnMut(u64)) -> Result<Digests, StoreError> {
    let digests = Digests::of(path, progress).map_err(StoreError::at(path))?;
    if digests.are_of(model) {
        Ok(digests)
    } else {
        Err(StoreError::WrongChecksum {
            id: model.id.to_owned(),
            path: path.to_owned(),
            digests,
        })
    }
}

/// Installs a finished file that is in the models folder under a temporary name: verifies the
/// checksum, then fsync, record, rename, fsync of the folder.
///
/// # Errors
/// When the checksum is wrong, or the folder cannot be written. The file then keeps its temporary
/// name, and there is none under the final name.
pub fn install(
    finished: &Path,
    dir: &Path,
    model: &Model,
    origin: Origin,
) -> Result<Record, StoreError> {
    let digests = checked(finished, model, |_| ())?;
    let place = dir.join(model.file_name());
    File::open(finished)
        .and_then(|file| file.sync_all())
        .map_err(StoreError::at(finished))?;
    let record = record(dir, model, &digests, origin)?;
    fs::rename(finished, &place).map_err(StoreError::at(&place))?;
    File::open(dir)
        .and_then(|dir| dir.sync_all())
        .map_err(StoreError::at(dir))?;
    Ok(record)
}

/// Writes the record of a file whose checksum was verified.
///
/// # Errors
/// When the folder cannot be written.
pub fn record(
    dir: &Path,
    model: &Model,
    digests: &Digests,
    origin: Origin,
) -> Result<Record, StoreError> {
    let record = Record {
        id: model.id.to_owned(),
        file: model.file_name(),
        bytes: digests.bytes,
        sha256: digests.sha256.clone(),
        origin,
        licence: model.licence().to_owned(),
    };
    write_json(&record_path(dir, model.id), &record)?;
    Ok(record)
}

/// Writes a value as JSON atomically: readers see the old content or the new one.
pub(super) fn write_json(path: &Path, value: &impl Serialize) -> Result<(), StoreError> {
    let dir = path.parent().unwrap_or(Path::new("."));
    let write = || -> io::Result<()> {
        let mut file = tempfile::Builder::new()
            .permissions(fs::Permissions::from_mode(0o644))
            .tempfile_in(dir)?;
        serde_json::to_writer_pretty(&mut file, value)?;
        file.write_all(b"\n")?;
        file.as_file().sync_all()?;
        file.persist(path)?;
        Ok(())
    };
    write().map_err(StoreError::at(path))
}

/// Removes a model's file and record; returns `false` if there was no file.
///
/// # Errors
/// When the folder cannot be written.
pub fn remove(dir: &Path, model: &Model) -> Result<bool, StoreError> {
    let place = dir.join(model.file_name());
    let removed = match fs::remove_file(&place) {
        Ok(()) => true,
        Err(error) if error.kind() == io::ErrorKind::NotFound => false,
        Err(error) => return Err(StoreError::at(&place)(error)),
    };
    match fs::remove_file(record_path(dir, model.id)) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(StoreError::at(&place)(error)),
        _ => Ok(removed),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::{Kind, VOICE_ACTIVITY, find};

    /// A model whose file is the three bytes "abc".
    fn abc() -> Model {
        Model {
            id: "abc",
            kind: Kind::VoiceActivity,
            hub_repository: Some("nobody/nothing"),
            published: Checksum::Sha1("a9993e364706816aba3e25717850c26c9cd0d89d"),
            converted: None,
        }
    }

    #[test]
    fn a_file_with_the_right_checksum_is_installed_and_recorded() {
        let dir = tempfile::tempdir().unwrap();
        let part = dir.path().join("ggml-abc.bin.part");
        fs::write(&part, "abc").unwrap();
        assert_eq!(state(dir.path(), &abc()), State::Missing);
        let record = install(&part, dir.path(), &abc(), Origin::found()).unwrap();
        assert_eq!(
            record.sha256,
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
        assert!(!part.exists());
        assert_eq!(state(dir.path(), &abc()), State::Installed(record));
        verify(dir.path(), &abc(), |_| ()).unwrap();
        assert!(remove(dir.path(), &abc()).unwrap());
        assert!(!remove(dir.path(), &abc()).unwrap());
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
    }

    #[test]
    fn a_wrong_checksum_leaves_nothing_under_the_final_name() {
        let dir = tempfile::tempdir().unwrap();
        let part = dir.path().join("part");
        fs::write(&part, "abd").unwrap();
        let error = install(&part, dir.path(), &abc(), Origin::found()).unwrap_err();
        assert!(matches!(error, StoreError::WrongChecksum { .. }), "{error}");
        assert_eq!(state(dir.path(), &abc()), State::Missing);
        assert!(Record::read(dir.path(), "abc").is_none());
    }

    #[test]
    fn a_file_changed_later_is_detected() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("part"), "abc").unwrap();
        install(
            &dir.path().join("part"),
            dir.path(),
            &abc(),
            Origin::found(),
        )
        .unwrap();
        fs::write(dir.path().join("ggml-abc.bin"), "abd").unwrap();
        assert!(verify(dir.path(), &abc(), |_| ()).is_err());
        fs::write(dir.path().join("ggml-abc.bin"), "longer").unwrap();
        assert_eq!(state(dir.path(), &abc()), State::Unknown);
    }

    #[test]
    fn a_broken_record_counts_as_no_record() {
        let dir = tempfile::tempdir().unwrap();
        let silero = find(VOICE_ACTIVITY).unwrap();
        fs::write(dir.path().join(silero.file_name()), "x").unwrap();
        fs::write(dir.path().join("ggml-silero-v6.2.0.json"), "{").unwrap();
        assert_eq!(state(dir.path(), silero), State::Unknown);
    }
}
