//! The server's disk usage. Cached, because the folders of a busy server hold a hundred thousand
//! files.

use std::io;
use std::path::{Path, PathBuf};

use tokio::sync::Mutex;

use crate::state::AppState;
use slovo_platform::storage::free_bytes;

/// How long results are cached, in milliseconds.
const FRESH_MS: i64 = 5 * 60 * 1000;

/// Bytes on the disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bytes {
    /// Recordings, including incomplete uploads.
    pub media: u64,
    /// Avatars.
    pub avatars: u64,
    /// The database.
    pub database: u64,
    /// Free space; `None` if the disk does not report it.
    pub free: Option<u64>,
}

/// The cached result.
#[derive(Debug, Default)]
pub struct Occupancy(Mutex<Option<(i64, Bytes)>>);

impl Occupancy {
    /// The disk usage, at most some minutes old. Concurrent callers share one measurement.
    ///
    /// # Errors
    /// When a folder cannot be read or the database does not answer.
    pub async fn bytes(&self, state: &AppState) -> anyhow::Result<Bytes> {
        let now = state.clock.now_ms();
        let mut last = self.0.lock().await;
        if let Some((at, bytes)) = *last
            && (at..at + FRESH_MS).contains(&now)
        {
            return Ok(bytes);
        }
        let database = {
            let mut connection = state.db.read().await?;
            slovo_db::site::overview::database_bytes(&mut connection, state.db.backend()).await?
        };
        let data = PathBuf::from(state.config.data());
        let looking = tokio::task::spawn_blocking(move || {
            Ok::<_, io::Error>(Bytes {
                media: size(&data.join("media"))? + size(&data.join("downloads"))?,
                avatars: size(&data.join("avatars"))?,
                database: u64::try_from(database).unwrap_or_default(),
                free: free_bytes(&data),
            })
        });
        let bytes = looking.await??;
        *last = Some((now, bytes));
        Ok(bytes)
    }
}

/// Total size of all files in a folder, recursively. Files that vanish meanwhile and a missing
/// folder count as empty; links are not followed.
fn size(folder: &Path) -> io::Result<u64> {
    let gone = |error: &io::Error| error.kind() == io::ErrorKind::NotFound;
    let entries = match std::fs::read_dir(folder) {
        Err(error) if gone(&error) => return Ok(0),
        entries => entries?,
    };
    let mut bytes = 0;
    for entry in entries {
        let entry = entry?;
        let found = match entry.metadata() {
            Err(error) if gone(&error) => continue,
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
    use crate::testing::{Backend, apply, each_database, with_server};

    #[apply(each_database!)]
    fn files_are_counted_now_and_then(backend: Backend) {
        with_server(backend, async |server| {
            let state = &server.state;
            let media = state.config.data().join("media");
            std::fs::create_dir_all(media.join("deeper")).unwrap();
            std::fs::write(media.join("deeper/a"), [0; 700]).unwrap();
            std::fs::write(media.join("b"), [0; 50]).unwrap();
            let bytes = state.occupancy.bytes(state).await.unwrap();
            assert_eq!((bytes.media, bytes.avatars), (750, 0));
            assert!(bytes.database > 0 && bytes.free.is_some());
            std::fs::remove_file(media.join("b")).unwrap();
            assert_eq!(state.occupancy.bytes(state).await.unwrap(), bytes);
            server.clock.advance_seconds(301);
            assert_eq!(state.occupancy.bytes(state).await.unwrap().media, 700);
        });
    }
}
