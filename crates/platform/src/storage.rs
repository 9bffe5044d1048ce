//! The files of the data folder: uploaded media, each under the id of its upload and nothing else.
//!
//! ```text
//! DATA/media/0198c1…-…        the bytes of one upload; the job that takes it reads the same file
//! DATA/downloads/0198c1…-…/   what yt-dlp makes on its way to one of them
//! DATA/installation           which database the folder belongs to, see `installation`
//! ```
//!
//! A name that a client gave never becomes part of a path: two uploads of one name cannot touch
//! one another, and no name can leave the folder. A file is never moved, so there is no moment
//! at which a kill leaves it between two places: whether it belongs to an upload or to a job is
//! said by the database alone.

use std::{
    io,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

/// Bytes that uploads leave free, so that the database can still write when they cannot.
const RESERVE: u64 = 256 * 1024 * 1024;

/// Bytes without which nothing new is begun at all: what is under way may still be stored.
const LAST: u64 = 16 * 1024 * 1024;

/// How much room a disk has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = DiskSpace)]
pub enum Space {
    /// More than is held back.
    Enough,
    /// What is left is held back for the database: recordings are not taken in.
    Low,
    /// Nothing.
    Full,
}

/// The media files of one data folder.
#[derive(Debug, Clone)]
pub struct Storage {
    media: PathBuf,
    downloads: PathBuf,
    reserve: Arc<AtomicU64>,
}

impl Storage {
    /// Opens the storage in `data`, making its folders where they are missing.
    ///
    /// # Errors
    /// When a folder cannot be made.
    pub fn open(data: &Path) -> io::Result<Self> {
        let media = data.join("media");
        std::fs::create_dir_all(&media)?;
        let downloads = data.join("downloads");
        let reserve = Arc::new(AtomicU64::new(RESERVE));
        Ok(Self {
            media,
            downloads,
            reserve,
        })
    }

    /// Where the bytes of the upload `id` are.
    #[must_use]
    pub fn media(&self, id: Uuid) -> PathBuf {
        self.media.join(id.as_hyphenated().to_string())
    }

    /// A folder for what is needed on the way to the file `id`; removed with that.
    ///
    /// # Errors
    /// When it cannot be made.
    pub async fn download_folder(&self, id: Uuid) -> io::Result<PathBuf> {
        let folder = self.download_path(id);
        tokio::fs::create_dir_all(&folder).await?;
        Ok(folder)
    }

    /// Removes that folder; that there is none is no error.
    ///
    /// # Errors
    /// When it is there and cannot be removed.
    pub async fn remove_download_folder(&self, id: Uuid) -> io::Result<()> {
        match tokio::fs::remove_dir_all(self.download_path(id)).await {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    /// Gives back the room of a file that stays, empty; that there is none is no error.
    ///
    /// # Errors
    /// When it is there and cannot be cut.
    pub async fn empty_media(&self, id: Uuid) -> io::Result<()> {
        let mut options = tokio::fs::OpenOptions::new();
        match options
            .write(true)
            .truncate(true)
            .open(self.media(id))
            .await
        {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    /// Makes a file of a download folder the file `id`. Both are on the disk when it is done.
    ///
    /// # Errors
    /// When it cannot be.
    pub async fn take_download(&self, id: Uuid, file: &Path) -> io::Result<()> {
        tokio::fs::File::open(file).await?.sync_all().await?;
        tokio::fs::rename(file, self.media(id)).await?;
        self.sync_folder().await
    }

    /// Waits until the names of all files are on the disk.
    ///
    /// # Errors
    /// When the disk fails.
    pub async fn sync_folder(&self) -> io::Result<()> {
        tokio::fs::File::open(&self.media).await?.sync_all().await
    }

    /// The ids that there are download folders of; other names are passed over.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub async fn download_ids(&self) -> io::Result<Vec<Uuid>> {
        match ids_in(&self.downloads).await {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
            found => found,
        }
    }

    fn download_path(&self, id: Uuid) -> PathBuf {
        self.downloads.join(id.as_hyphenated().to_string())
    }

    /// Whether so many more bytes leave enough of the disk free. A file system that does not say
    /// is believed to have room: writing will tell.
    #[must_use]
    pub fn has_room(&self, bytes: u64) -> bool {
        let needed = bytes.saturating_add(self.reserve.load(Ordering::Relaxed));
        free_bytes(&self.media).is_none_or(|free| free >= needed)
    }

    /// How much room there is.
    #[must_use]
    pub fn space(&self) -> Space {
        let reserve = self.reserve.load(Ordering::Relaxed);
        match free_bytes(&self.media) {
            Some(free) if reserve == u64::MAX || free < LAST => Space::Full,
            Some(free) if free < reserve => Space::Low,
            _ => Space::Enough,
        }
    }

    /// The folder of the recordings.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.media
    }

    /// Whether the folder of the recordings is there.
    #[must_use]
    pub fn is_there(&self) -> bool {
        self.media.is_dir()
    }

    /// Makes the disk as good as full, or not.
    #[cfg(any(test, feature = "testing"))]
    pub fn set_full(&self, full: bool) {
        let reserve = if full { u64::MAX } else { RESERVE };
        self.reserve.store(reserve, Ordering::Relaxed);
    }

    /// Removes the bytes of the upload `id`, with what is left of fetching them; that there are
    /// none is no error.
    ///
    /// # Errors
    /// When the file is there and cannot be removed.
    pub async fn remove(&self, id: Uuid) -> io::Result<()> {
        self.remove_download_folder(id).await?;
        self.remove_media(id).await
    }

    /// Removes the file `id` alone; that there is none is no error.
    ///
    /// # Errors
    /// When it is there and cannot be removed.
    pub async fn remove_media(&self, id: Uuid) -> io::Result<()> {
        match tokio::fs::remove_file(self.media(id)).await {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    /// When the file `id` was last written, in Unix milliseconds; `None` if it is not there or the
    /// file system does not say.
    pub async fn written_at(&self, id: Uuid) -> Option<i64> {
        let modified = tokio::fs::metadata(self.media(id))
            .await
            .ok()?
            .modified()
            .ok()?;
        let age = modified.duration_since(std::time::UNIX_EPOCH).ok()?;
        i64::try_from(age.as_millis()).ok()
    }

    /// The ids of all files that are there. Anything whose name is not an id is passed over: it
    /// was not put there by this program and is not its to remove.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub async fn ids(&self) -> io::Result<Vec<Uuid>> {
        ids_in(&self.media).await
    }
}

async fn ids_in(folder: &Path) -> io::Result<Vec<Uuid>> {
    let mut entries = tokio::fs::read_dir(folder).await?;
    let mut ids = Vec::new();
    while let Some(entry) = entries.next_entry().await? {
        if let Some(id) = entry.file_name().to_str().and_then(|n| n.parse().ok()) {
            ids.push(id);
        }
    }
    Ok(ids)
}

/// Whether an operation failed because the disk, or this user's share of it, is full.
pub fn is_full(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded
    )
}

/// The room that this process may still fill on the folder's disk; `None` if the disk does not
/// say.
pub fn free_bytes(folder: &Path) -> Option<u64> {
    let disk = rustix::fs::statvfs(folder).ok()?;
    Some(disk.f_bavail.saturating_mul(disk.f_frsize))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn files_are_found_by_id_and_removed_once_or_twice() {
        let data = tempfile::tempdir().unwrap();
        let storage = Storage::open(data.path()).unwrap();
        let id = Uuid::from_u128(7);
        std::fs::write(storage.media(id), b"x").unwrap();
        std::fs::write(data.path().join("media/README"), b"not ours").unwrap();
        assert_eq!(storage.ids().await.unwrap(), [id]);
        storage.remove(id).await.unwrap();
        storage.remove(id).await.unwrap();
        assert!(storage.ids().await.unwrap().is_empty());
        assert!(data.path().join("media/README").exists());
    }

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn a_download_counts_only_once_it_is_on_the_disk() {
        let data = tempfile::tempdir().unwrap();
        let storage = Storage::open(data.path()).unwrap();
        let (good, bad) = (Uuid::from_u128(7), Uuid::from_u128(8));
        let folder = storage.download_folder(good).await.unwrap();
        std::fs::write(folder.join("talk.webm"), b"x").unwrap();
        let file = folder.join("talk.webm");
        storage.take_download(good, &file).await.unwrap();
        assert_eq!(std::fs::read(storage.media(good)).unwrap(), b"x");
        // There is no disk behind this one: it can be opened and moved, and cannot be synced.
        std::os::unix::fs::symlink("/dev/null", &file).unwrap();
        assert!(storage.take_download(bad, &file).await.is_err());
        assert_eq!(storage.ids().await.unwrap(), [good]);
        assert!(file.exists(), "it stays where it was");
    }
}
