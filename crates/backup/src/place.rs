//! Where backups are.

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};
use slovo_platform::random::Random;
use slovo_storage::Storage;

use crate::manifest::{FORMAT, SnapshotFile};

/// The file that says that backups are here.
const HEAD: &str = "slovo-backups.json";
const SNAPSHOTS: &str = "snapshots";

/// The content of [`HEAD`].
#[derive(Debug, Serialize, Deserialize)]
struct Head {
    format: u32,
    id: String,
}

/// Why a place cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum PlaceError {
    /// It is empty, or is something else.
    #[error("{0} has no backups of Slovo")]
    NoBackups(String),
    /// It has no backup of this name.
    #[error("{place} has no backup called {name}; `slovo backup list` shows them")]
    NoSuchBackup {
        /// Where it was looked for.
        place: String,
        /// What was looked for.
        name: String,
    },
}

/// A folder or a part of an object store with backups.
#[derive(Clone, Debug)]
pub struct Place {
    storage: Storage,
    id: String,
}

impl Place {
    /// A place that is to have backups; it is marked as such.
    ///
    /// # Errors
    /// When it cannot be written, has other files, or backups in a newer format.
    pub async fn prepare(storage: Storage, random: &dyn Random) -> Result<Self> {
        let place = storage.name();
        let cannot = || format!("{place}: backups cannot be stored here");
        if let Some(head) = storage.blob(HEAD).await.with_context(cannot)? {
            return Self::read(storage, &head);
        }
        let head = Head {
            format: FORMAT,
            id: random.uuid(),
        };
        let text = serde_json::to_vec_pretty(&head)?;
        storage.put_blob(HEAD, text).await.with_context(cannot)?;
        Ok(Self {
            storage,
            id: head.id,
        })
    }

    /// A place with backups.
    ///
    /// # Errors
    /// [`PlaceError::NoBackups`] if it has none; when it cannot be read, or is in a newer format.
    pub async fn open(storage: Storage) -> Result<Self> {
        let place = storage.name();
        let head = storage.blob(HEAD).await;
        let head = head.with_context(|| format!("{place} cannot be read"))?;
        let head = head.ok_or(PlaceError::NoBackups(place))?;
        Self::read(storage, &head)
    }

    fn read(storage: Storage, head: &[u8]) -> Result<Self> {
        let head: Head = serde_json::from_slice(head)
            .with_context(|| format!("{}: {HEAD} is damaged", storage.name()))?;
        ensure!(
            head.format <= FORMAT,
            "{} was written by a newer version of Slovo",
            storage.name()
        );
        Ok(Self {
            storage,
            id: head.id,
        })
    }

    pub(crate) fn id(&self) -> &str {
        &self.id
    }

    pub(crate) fn storage(&self) -> &Storage {
        &self.storage
    }

    /// Where it is, for messages.
    #[must_use]
    pub fn name(&self) -> String {
        self.storage.name()
    }

    /// The names of all backups, oldest first.
    ///
    /// # Errors
    /// When they cannot be listed.
    pub async fn names(&self) -> Result<Vec<String>> {
        let blobs = self.storage.blobs(SNAPSHOTS).await?;
        let names = blobs.iter().filter_map(|blob| {
            let name = blob.key.strip_prefix(SNAPSHOTS)?.strip_prefix('/')?;
            name.strip_suffix(".json").map(str::to_owned)
        });
        let mut names: Vec<String> = names.collect();
        names.sort_unstable();
        Ok(names)
    }

    /// A backup, by its name or as `latest`; with its name.
    ///
    /// # Errors
    /// [`PlaceError`] if there is none; when it cannot be read.
    pub async fn snapshot(&self, name: &str) -> Result<(String, SnapshotFile)> {
        let name = match name {
            "latest" => {
                let newest = self.names().await?.pop();
                newest.ok_or_else(|| PlaceError::NoBackups(self.name()))?
            }
            name => name.to_owned(),
        };
        let is_name = name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        let found = match is_name {
            true => self.storage.blob(&file(&name)).await?,
            false => None,
        };
        let found = found.ok_or_else(|| PlaceError::NoSuchBackup {
            place: self.name(),
            name: name.clone(),
        })?;
        let snapshot: SnapshotFile =
            serde_json::from_slice(&found).with_context(|| format!("backup {name} is damaged"))?;
        ensure!(
            snapshot.format <= FORMAT,
            "backup {name} was made by a newer version of Slovo"
        );
        Ok((name, snapshot))
    }

    /// Stores a finished backup under this name.
    pub(crate) async fn put_snapshot(&self, name: &str, snapshot: &SnapshotFile) -> Result<()> {
        let text = serde_json::to_vec(snapshot)?;
        Ok(self.storage.put_blob(&file(name), text).await?)
    }

    pub(crate) async fn remove_snapshot(&self, name: &str) -> Result<()> {
        Ok(self.storage.remove_blob(&file(name)).await?)
    }
}

fn file(name: &str) -> String {
    format!("{SNAPSHOTS}/{name}.json")
}
