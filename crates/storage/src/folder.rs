//! Files of the data folder.

use std::io::{self, ErrorKind};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::UNIX_EPOCH;

use uuid::Uuid;

use crate::{MARK, StoredFile, blobs};

/// Recordings in the data folder. A file is never moved, so a kill cannot leave it between two places.
#[derive(Debug)]
pub(crate) struct Folder {
    data: PathBuf,
    media: PathBuf,
    /// Whether it has a mark, or had one when it was opened.
    is_marked: AtomicBool,
}

impl Folder {
    pub(crate) fn open(data: &Path) -> io::Result<Self> {
        let folder = Self::unopened(data);
        make(&folder.media)?;
        Ok(folder)
    }

    /// Without making the folder for recordings.
    pub(crate) fn unopened(data: &Path) -> Self {
        Self {
            data: data.to_owned(),
            media: data.join("media"),
            is_marked: AtomicBool::new(data.join(MARK).exists()),
        }
    }

    pub(crate) fn media(&self, id: Uuid) -> PathBuf {
        self.media.join(id.as_hyphenated().to_string())
    }

    /// From now on it counts as missing without its mark.
    pub(crate) fn note_mark(&self) {
        self.is_marked.store(true, Ordering::Relaxed);
    }

    pub(crate) fn exists(&self) -> bool {
        let is_marked = self.is_marked.load(Ordering::Relaxed);
        self.media.is_dir() && (!is_marked || self.data.join(MARK).exists())
    }

    /// Moves a file of the same disk to the recording `id`. File and folder are synced when this
    /// returns.
    pub(crate) async fn take(&self, id: Uuid, file: &Path) -> io::Result<()> {
        tokio::fs::File::open(file).await?.sync_all().await?;
        tokio::fs::rename(file, self.media(id)).await?;
        self.sync().await
    }

    /// Syncs the folder, so that the names of all files are on the disk.
    pub(crate) async fn sync(&self) -> io::Result<()> {
        tokio::fs::File::open(&self.media).await?.sync_all().await
    }

    pub(crate) async fn files(&self) -> io::Result<Vec<StoredFile>> {
        let mut entries = tokio::fs::read_dir(&self.media).await?;
        let mut files = Vec::new();
        while let Some(entry) = entries.next_entry().await? {
            let Some(id) = entry
                .file_name()
                .to_str()
                .and_then(|name| name.parse().ok())
            else {
                continue;
            };
            let metadata = match entry.metadata().await {
                Err(error) if error.kind() == ErrorKind::NotFound => continue,
                found => found?,
            };
            let bytes = metadata.len();
            let written_at = written_at(&metadata);
            files.push(StoredFile {
                id,
                bytes,
                written_at,
            });
        }
        Ok(files)
    }

    /// Writes a temporary file, readable for its owner only, then renames it.
    pub(crate) async fn put_blob(&self, key: &str, content: Vec<u8>) -> io::Result<()> {
        let path = self.data.join(key);
        on_disk(move || {
            let folder = path.parent().unwrap_or(&path);
            make(folder)?;
            let mut file = tempfile::NamedTempFile::new_in(folder)?;
            io::Write::write_all(&mut file, &content)?;
            file.as_file().sync_all()?;
            file.persist(&path)?;
            std::fs::File::open(folder)?.sync_all()
        })
        .await
    }

    pub(crate) async fn blob(&self, key: &str) -> io::Result<Option<Vec<u8>>> {
        found(tokio::fs::read(self.data.join(key)).await)
    }

    pub(crate) async fn remove_blob(&self, key: &str) -> io::Result<()> {
        let path = self.data.join(key);
        found(tokio::fs::remove_file(&path).await)?;
        // It is removed with its last file; otherwise this fails, as intended.
        if let Some(folder) = path.parent().filter(|folder| *folder != self.data) {
            let _ = tokio::fs::remove_dir(folder).await;
        }
        Ok(())
    }

    pub(crate) async fn remove_blobs(&self, prefix: &str) -> io::Result<()> {
        found(tokio::fs::remove_dir_all(self.data.join(prefix)).await).map(drop)
    }

    pub(crate) async fn blobs(&self, prefix: &str) -> io::Result<Vec<blobs::Blob>> {
        let (data, folder) = (self.data.clone(), self.data.join(prefix));
        on_disk(move || {
            let mut all = Vec::new();
            list(&data, &folder, &mut all)?;
            Ok(all)
        })
        .await
    }
}

/// All files below a folder that may not exist.
fn list(data: &Path, folder: &Path, all: &mut Vec<blobs::Blob>) -> io::Result<()> {
    let Some(entries) = found(std::fs::read_dir(folder))? else {
        return Ok(());
    };
    for entry in entries {
        let entry = entry?;
        let path = entry.path();
        let Some(metadata) = found(entry.metadata())? else {
            continue;
        };
        if metadata.is_dir() {
            list(data, &path, all)?;
        } else if let Some(key) = path.strip_prefix(data).ok().and_then(Path::to_str) {
            all.push(blobs::Blob {
                key: key.to_owned(),
                bytes: metadata.len(),
                written_at: written_at(&metadata),
            });
        }
    }
    Ok(())
}

/// When a file was last written, in Unix milliseconds; `None` if the file system does not report it.
fn written_at(metadata: &std::fs::Metadata) -> Option<i64> {
    let age = metadata.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
    i64::try_from(age.as_millis()).ok()
}

/// Creates a folder for its owner only.
///
/// # Errors
/// When it cannot be created.
pub fn make(folder: &Path) -> io::Result<()> {
    std::fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(folder)
}

/// `None` if the file does not exist.
pub(crate) fn found<T>(result: io::Result<T>) -> io::Result<Option<T>> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

pub(crate) async fn on_disk<T: Send + 'static>(
    work: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> io::Result<T> {
    tokio::task::spawn_blocking(work)
        .await
        .map_err(io::Error::other)?
}
