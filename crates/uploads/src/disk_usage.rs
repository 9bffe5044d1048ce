//! The server's disk usage. Cached, because the folders of a busy server hold a hundred thousand
//! files.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use slovo_db::Database;
use slovo_platform::clock::Clock;
use slovo_platform::disk::free_bytes;
use slovo_storage::{Storage, is_away};
use tokio::sync::Mutex;

/// How long results are cached, in milliseconds.
const FRESH_MS: i64 = 5 * 60 * 1000;

/// Bytes on the disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bytes {
    /// Recordings, including incomplete uploads; `None` if the object store does not answer.
    pub media: Option<u64>,
    /// Avatars; `None` if the object store does not answer.
    pub avatars: Option<u64>,
    /// The database.
    pub database: u64,
    /// Free space; `None` if the disk does not report it.
    pub free: Option<u64>,
}

/// Measures the disk usage, and caches the result.
pub struct DiskUsage {
    db: Database,
    clock: Arc<dyn Clock>,
    storage: Storage,
    data: PathBuf,
    /// The last result, and when it was measured, in Unix milliseconds.
    last: Mutex<Option<(i64, Bytes)>>,
}

impl DiskUsage {
    /// The usage of the storage, of the data folder `data` and of this database. Nothing is measured
    /// yet.
    #[must_use]
    pub fn new(db: Database, clock: Arc<dyn Clock>, storage: Storage, data: PathBuf) -> Self {
        Self {
            db,
            clock,
            storage,
            data,
            last: Mutex::default(),
        }
    }

    /// The disk usage, at most some minutes old. Concurrent callers share one measurement.
    ///
    /// # Errors
    /// When a folder cannot be read or the database does not answer.
    pub async fn bytes(&self) -> anyhow::Result<Bytes> {
        let now = self.clock.now_ms();
        let mut last = self.last.lock().await;
        if let Some((at, bytes)) = *last
            && (at..at + FRESH_MS).contains(&now)
        {
            return Ok(bytes);
        }
        let database = {
            let mut connection = self.db.read().await?;
            slovo_db::site::overview::database_bytes(&mut connection, self.db.backend()).await?
        };
        let (recordings, avatars) = match self.stored().await {
            Ok((recordings, avatars)) => (Some(recordings), Some(avatars)),
            Err(error) if is_away(&error) => (None, None),
            Err(error) => return Err(error.into()),
        };
        let downloads = self.data.join("downloads");
        let downloads = tokio::task::spawn_blocking(move || size(&downloads)).await??;
        let bytes = Bytes {
            media: recordings.map(|bytes| bytes + downloads),
            avatars,
            database: u64::try_from(database).unwrap_or_default(),
            free: free_bytes(&self.data),
        };
        if bytes.media.is_some() {
            *last = Some((now, bytes));
        }
        Ok(bytes)
    }

    /// The bytes of all recordings and of all avatars.
    async fn stored(&self) -> io::Result<(u64, u64)> {
        let recordings = self.storage.files().await?;
        let avatars = self.storage.blobs("avatars").await?;
        Ok((
            recordings.iter().map(|file| file.bytes).sum(),
            avatars.iter().map(|file| file.bytes).sum(),
        ))
    }
}

/// Total size of all files in a folder, recursively. Files that vanish meanwhile and a missing
/// folder count as empty; links are not followed.
fn size(folder: &Path) -> io::Result<u64> {
    let is_gone = |error: &io::Error| error.kind() == io::ErrorKind::NotFound;
    let entries = match std::fs::read_dir(folder) {
        Err(error) if is_gone(&error) => return Ok(0),
        entries => entries?,
    };
    let mut bytes = 0;
    for entry in entries {
        let entry = entry?;
        let found = match entry.metadata() {
            Err(error) if is_gone(&error) => continue,
            found => found?,
        };
        bytes += match found.is_dir() {
            true => size(&entry.path())?,
            false => found.len(),
        };
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use macro_rules_attribute::apply;
    use slovo_db::testing::{Backend, each_database};
    use uuid::Uuid;

    use super::*;
    use crate::testing::with_server;

    #[apply(each_database!)]
    fn disk_usage_is_cached_for_a_while(backend: Backend) {
        with_server(backend, async |server| {
            let data = server.data().to_owned();
            let clock: Arc<dyn Clock> = Arc::new(server.clock.clone());
            let storage = server.storage.clone();
            let usage = DiskUsage::new(server.db.clone(), clock, storage.clone(), data.clone());
            let fetched = storage.download_folder(Uuid::from_u128(1)).await.unwrap();
            std::fs::write(fetched.join("a"), [0; 700]).unwrap();
            let recording = storage.media(Uuid::from_u128(2));
            std::fs::write(&recording, [0; 50]).unwrap();
            let bytes = usage.bytes().await.unwrap();
            assert_eq!((bytes.media, bytes.avatars), (Some(750), Some(0)));
            assert!(bytes.database > 0 && bytes.free.is_some());
            std::fs::remove_file(recording).unwrap();
            assert_eq!(usage.bytes().await.unwrap(), bytes);
            server.clock.advance_seconds(301);
            assert_eq!(usage.bytes().await.unwrap().media, Some(700));
        });
    }
}
