//! Copies of recordings of an object store on this machine, for programs that need a file.
//!
//! The copies together take at most a given number of bytes, unless those in use take more. The one
//! that was not used for the longest time goes first. A copy in use is locked (a shared lock on its
//! file), so that other processes with the same data folder keep it, too.

use std::fs::{File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use futures_util::{StreamExt, TryStreamExt};
use rustix::fs::{Timespec, Timestamps, UTIME_NOW};
use tempfile::NamedTempFile;
use tokio::io::AsyncWriteExt;
use uuid::Uuid;

use slovo_platform::disk::is_full;
use slovo_platform::turns::Turns;

use crate::folder::{found, make, on_disk};
use crate::local_file::LocalFile;
use crate::objects::{CONCURRENT, Objects, PART};

/// Marks a copy as just used.
const NOW: Timestamps = Timestamps {
    last_access: PRESENT,
    last_modification: PRESENT,
};
const PRESENT: Timespec = Timespec {
    tv_sec: 0,
    tv_nsec: UTIME_NOW,
};

/// The beginning of the names of copies that are not complete.
const PARTIAL: &str = "partial-";

#[derive(Debug)]
pub(crate) struct Cache {
    folder: PathBuf,
    max_bytes: u64,
    /// One task of this process fetches a recording; the others wait for it.
    fetching: Turns<Uuid>,
}

impl Cache {
    pub(crate) fn new(folder: PathBuf, max_bytes: u64) -> io::Result<Self> {
        make(&folder)?;
        Ok(Self {
            folder,
            max_bytes,
            fetching: Turns::default(),
        })
    }

    fn path(&self, id: Uuid) -> PathBuf {
        self.folder.join(id.as_hyphenated().to_string())
    }

    /// The copy of a recording, which is made if there is none.
    async fn open_copy(&self, id: Uuid) -> io::Result<Option<LocalFile>> {
        let path = self.path(id);
        on_disk(move || {
            let Some(file) = found(File::open(&path))? else {
                return Ok(None);
            };
            // Waits only while another process decides whether to remove it.
            file.lock_shared()?;
            if is_removed(&file)? {
                return Ok(None);
            }
            // The order of use is only a preference.
            let _ = rustix::fs::futimens(&file, &NOW);
            Ok(Some(LocalFile::of_cache(path, file)))
        })
        .await
    }

    pub(crate) async fn open(&self, id: Uuid, objects: &Objects) -> io::Result<LocalFile> {
        let _turn = self.fetching.of(id).lock_owned().await;
        loop {
            if let Some(copy) = self.open_copy(id).await? {
                return Ok(copy);
            }
            let fetched = self.fetch(id, objects).await;
            if let Err(error) = fetched {
                if is_full(&error) {
                    // The disk is smaller than the limit: the next attempt has all room there is.
                    self.make_room(self.max_bytes).await?;
                }
                return Err(error);
            }
        }
    }

    /// The recordings of which there are copies.
    pub(crate) async fn ids(&self) -> io::Result<Vec<Uuid>> {
        let folder = self.folder.clone();
        on_disk(move || {
            let mut ids = Vec::new();
            for entry in std::fs::read_dir(folder)? {
                ids.extend(
                    entry?
                        .file_name()
                        .to_str()
                        .and_then(|name| name.parse::<Uuid>().ok()),
                );
            }
            Ok(ids)
        })
        .await
    }

    async fn fetch(&self, id: Uuid, objects: &Objects) -> io::Result<()> {
        let media = objects.media(id);
        let length = objects.length(&media).await?;
        let length = length.ok_or(io::ErrorKind::NotFound)?;
        self.make_room(length).await?;
        let partial = self.partial()?;
        let mut file = tokio::fs::File::from_std(partial.reopen()?);
        let part = PART as u64;
        let ranges = (0..length.div_ceil(part)).map(|index| {
            let start = index * part;
            start..(start + part).min(length)
        });
        let mut parts = futures_util::stream::iter(ranges)
            .map(|range| objects.range(&media, range, length))
            .buffered(CONCURRENT);
        while let Some(part) = parts.try_next().await? {
            file.write_all(&part).await?;
        }
        file.flush().await?;
        partial.persist(self.path(id))?;
        Ok(())
    }

    /// A file for a copy, locked so that no other process takes it for an abandoned one.
    fn partial(&self) -> io::Result<NamedTempFile> {
        let partial = tempfile::Builder::new()
            .prefix(PARTIAL)
            .tempfile_in(&self.folder)?;
        partial.as_file().lock_shared()?;
        Ok(partial)
    }

    /// Keeps a file of the same disk as a copy; it is only a copy less if that fails.
    pub(crate) async fn adopt(&self, id: Uuid, file: &Path) {
        let kept = async {
            self.make_room(tokio::fs::metadata(file).await?.len())
                .await?;
            tokio::fs::rename(file, self.path(id)).await
        };
        if let Err(error) = kept.await {
            tracing::debug!(%id, %error, "a recording is not kept on this machine");
        }
    }

    pub(crate) async fn remove(&self, id: Uuid) -> io::Result<()> {
        found(tokio::fs::remove_file(self.path(id)).await).map(drop)
    }

    /// Removes copies that are not in use until there is room for this many bytes, and what killed
    /// processes have left.
    async fn make_room(&self, bytes: u64) -> io::Result<()> {
        let (folder, max_bytes) = (self.folder.clone(), self.max_bytes);
        on_disk(move || {
            let mut copies = Vec::new();
            let mut total = bytes;
            for entry in std::fs::read_dir(&folder)? {
                let entry = entry?;
                let Some(metadata) = found(entry.metadata())? else {
                    continue;
                };
                let name = entry.file_name();
                let name = name.to_string_lossy();
                let is_partial = name.starts_with(PARTIAL);
                // Other files are not ours.
                if !is_partial && name.parse::<Uuid>().is_err() {
                    continue;
                }
                if is_partial && remove_unused(&entry.path())? {
                    continue;
                }
                total += metadata.len();
                if !is_partial {
                    copies.push((metadata.modified()?, entry.path(), metadata.len()));
                }
            }
            copies.sort();
            for (_, path, length) in copies {
                if total <= max_bytes {
                    break;
                }
                if remove_unused(&path)? {
                    total -= length;
                }
            }
            Ok(())
        })
        .await
    }
}

/// Whether the name of an open file is gone.
fn is_removed(file: &File) -> io::Result<bool> {
    Ok(std::os::unix::fs::MetadataExt::nlink(&file.metadata()?) == 0)
}

/// Removes a file that nobody uses; returns whether it is gone.
fn remove_unused(path: &Path) -> io::Result<bool> {
    let Some(file) = found(File::open(path))? else {
        return Ok(true);
    };
    match file.try_lock() {
        Ok(()) => {
            found(std::fs::remove_file(path))?;
            Ok(true)
        }
        Err(TryLockError::WouldBlock) => Ok(false),
        Err(TryLockError::Error(error)) => Err(error),
    }
}
