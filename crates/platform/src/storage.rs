//! The files of the data folder: uploaded media, named only by the id of their upload.
//!
//! ```text
//! DATA/media/0198c1…-…        the bytes of one upload; the job that takes it reads the same file
//! DATA/downloads/0198c1…-…/   what yt-dlp makes on its way to one of them
//! DATA/installation           which database the folder belongs to, see `installation`
//! ```
//!
//! A name that a client gave never becomes part of a path: two uploads of one name cannot collide,
//! and no name can leave the folder. A file is never moved, so a kill cannot leave it between two
//! places. Only the database says whether it belongs to an upload or to a job.

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

/// Bytes that uploads must leave free, so that the database can still write.
const RESERVE: u64 = 256 * 1024 * 1024;

/// Free bytes below which no new work starts; work under way may still be stored.
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

    /// Creates a temporary folder for downloading the file `id`; it is removed together with the
    /// file.
    ///
    /// # Errors
    /// When it cannot be created.
    pub async fn download_folder(&self, id: Uuid) -> io::Result<PathBuf> {
        let folder = self.download_path(id);
        tokio::fs::create_dir_all(&folder).await?;
        Ok(folder)
    }

    /// Removes that folder; does nothing if it does not exist.
    ///
    /// # Errors
    /// When it exists and cannot be removed.
    pub async fn remove_download_folder(&self, id: Uuid) -> io::Result<()> {
        match tokio::fs::remove_dir_all(self.download_path(id)).await {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    /// Truncates a file to free its space but keeps it; does nothing if it does not exist.
    ///
    /// # Errors
    /// When it exists and cannot be truncated.
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

    /// Moves a file of a download folder to the file `id`. File and folder are synced when this
    /// returns.
    ///
    /// # Errors
    /// When it cannot be moved or synced.
    pub async fn take_download(&self, id: Uuid, file: &Path) -> io::Result<()> {
        tokio::fs::File::open(file).await?.sync_all().await?;
        tokio::fs::rename(file, self.media(id)).await?;
        self.sync_folder().await
    }

    /// Syncs the folder, so that the names of all files are on the disk.
    ///
    /// # Errors
    /// When the disk fails.
    pub async fn sync_folder(&self) -> io::Result<()> {
        tokio::fs::File::open(&self.media).await?.sync_all().await
    }

    /// The ids that have download folders; other names are ignored.
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

    /// Whether the disk keeps enough free space after this many more bytes. A file system that does
    /// not report its free space is assumed to have enough: writing will fail if it does not.
    #[must_use]
    pub fn has_room(&self, bytes: u64) -> bool {
        let needed = bytes.saturating_add(self.reserve.load(Ordering::Relaxed));
        free_bytes(&self.media).is_none_or(|free| free >= needed)
    }

    /// How much free space there is.
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

    /// Whether the folder of the recordings exists.
    #[must_use]
    pub fn exists(&self) -> bool {
        self.media.is_dir()
    }

    /// Simulates a full disk, or ends the simulation.
    #[cfg(any(test, feature = "testing"))]
    pub fn set_full(&self, full: bool) {
        let reserve = if full { u64::MAX } else { RESERVE };
        self.reserve.store(reserve, Ordering::Relaxed);
    }

    /// Removes the bytes of the upload `id` and its download folder; does nothing if they do not
    /// exist.
    ///
    /// # Errors
    /// When the file exists and cannot be removed.
    pub async fn remove(&self, id: Uuid) -> io::Result<()> {
        self.remove_download_folder(id).await?;
        self.remove_media(id).await
    }

    /// Removes the file `id` alone; does nothing if it does not exist.
    ///
    /// # Errors
    /// When it exists and cannot be removed.
    pub async fn remove_media(&self, id: Uuid) -> io::Result<()> {
        match tokio::fs::remove_file(self.media(id)).await {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    /// When the file `id` was last written, in Unix milliseconds; `None` if it does not exist or
    /// the file system does not report the time.
    pub async fn written_at(&self, id: Uuid) -> Option<i64> {
        let modified = tokio::fs::metadata(self.media(id))
            .await
            .ok()?
            .modified()
            .ok()?;
        let age = modified.duration_since(std::time::UNIX_EPOCH).ok()?;
        i64::try_from(age.as_millis()).ok()
    }

    /// The ids of all files that exist. Names that are not ids are ignored: this program did not
    /// create them and must not remove them.
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

/// Whether an operation failed because the disk or this user's quota is full.
pub fn is_full(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded
    )
}

/// The bytes that this process may still write to the folder's disk; `None` if the disk does not
/// report them.
pub fn free_bytes(folder: &Path) -> Option<u64> {
    let disk = rustix::fs::statvfs(folder).ok()?;
    Some(disk.f_bavail.saturating_mul(disk.f_frsize))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn files_are_found_by_id_and_can_be_removed_twice() {
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
    async fn a_download_counts_only_after_it_is_synced_to_disk() {
        let data = tempfile::tempdir().unwrap();
        let storage = Storage::open(data.path()).unwrap();
        let (good, bad) = (Uuid::from_u128(7), Uuid::from_u128(8));
        let folder = storage.download_folder(good).await.unwrap();
        std::fs::write(folder.join("talk.webm"), b"x").unwrap();
        let file = folder.join("talk.webm");
        storage.take_download(good, &file).await.unwrap();
        assert_eq!(std::fs::read(storage.media(good)).unwrap(), b"x");
        // A device without storage behind it: it can be opened and renamed, but not synced.
        std::os::unix::fs::symlink("/dev/null", &file).unwrap();
        assert!(storage.take_download(bad, &file).await.is_err());
        assert_eq!(storage.ids().await.unwrap(), [good]);
        assert!(file.exists(), "it stays where it was");
    }
}
