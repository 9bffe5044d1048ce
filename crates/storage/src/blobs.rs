//! Small files that every node needs, such as avatars: named by a key like `avatars/{account}/{version}`.
//! Keys are made by the server, never taken from a client.

use std::io;

use crate::{Place, Storage};

/// A small file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blob {
    /// Its name.
    pub key: String,
    /// Its length.
    pub bytes: u64,
    /// When it was written, in Unix milliseconds; `None` if that is unknown.
    pub written_at: Option<i64>,
}

impl Storage {
    /// Stores a small file, all of it or nothing.
    ///
    /// # Errors
    /// When it cannot be written.
    pub async fn put_blob(&self, key: &str, content: Vec<u8>) -> io::Result<()> {
        match self.place() {
            Place::Folder(folder) => folder.put_blob(key, content).await,
            Place::Objects(objects) => objects.put(&objects.key(key), content.into()).await,
        }
    }

    /// A small file; `None` if it does not exist.
    ///
    /// # Errors
    /// When it exists and cannot be read.
    pub async fn blob(&self, key: &str) -> io::Result<Option<Vec<u8>>> {
        match self.place() {
            Place::Folder(folder) => folder.blob(key).await,
            Place::Objects(objects) => {
                let content = objects.get(&objects.key(key)).await?;
                Ok(content.map(Vec::from))
            }
        }
    }

    /// Removes a small file. A missing one is not an error.
    ///
    /// # Errors
    /// When it exists and cannot be removed.
    pub async fn remove_blob(&self, key: &str) -> io::Result<()> {
        match self.place() {
            Place::Folder(folder) => folder.remove_blob(key).await,
            Place::Objects(objects) => objects.delete(&objects.key(key)).await,
        }
    }

    /// Removes all small files below a key, which is like a folder.
    ///
    /// # Errors
    /// When one of them cannot be removed.
    pub async fn remove_blobs(&self, prefix: &str) -> io::Result<()> {
        match self.place() {
            Place::Folder(folder) => folder.remove_blobs(prefix).await,
            Place::Objects(objects) => objects.delete_all(&objects.key(prefix)).await,
        }
    }

    /// All small files below a key.
    ///
    /// # Errors
    /// When they cannot be listed.
    pub async fn blobs(&self, prefix: &str) -> io::Result<Vec<Blob>> {
        match self.place() {
            Place::Folder(folder) => folder.blobs(prefix).await,
            Place::Objects(objects) => {
                let listed = objects.list(&objects.key(prefix)).await?;
                let blobs = listed.into_iter().filter_map(|object| {
                    Some(Blob {
                        key: objects.relative(&object.location)?,
                        bytes: object.size,
                        written_at: Some(object.last_modified.timestamp_millis()),
                    })
                });
                Ok(blobs.collect())
            }
        }
    }
}
