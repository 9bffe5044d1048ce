//! What is being fetched from a URL, on its way to a recording.

use std::io;
use std::path::{Path, PathBuf};

use uuid::Uuid;

use crate::folder::{found, make};
use crate::{Place, Storage};

/// The file of a direct download, if recordings are in an object store.
const DIRECT: &str = "direct";

impl Storage {
    /// Creates a temporary folder for downloading the recording `id`; it is removed together with it.
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
        found(tokio::fs::remove_dir_all(self.download_path(id)).await).map(drop)
    }

    /// Makes a file of a download folder the recording `id`; it is durable when this returns.
    ///
    /// # Errors
    /// When it cannot be stored.
    pub async fn take_download(&self, id: Uuid, file: &Path) -> io::Result<()> {
        match self.place() {
            Place::Folder(folder) => folder.take(id, file).await,
            Place::Objects(objects) => objects.take_file(id, file).await,
        }
    }

    /// The file into which the recording `id` is fetched, and which is kept over a restart. In the
    /// data folder that is its final place.
    ///
    /// # Errors
    /// When its folder cannot be created.
    pub fn direct_download(&self, id: Uuid) -> io::Result<PathBuf> {
        match self.place() {
            Place::Folder(folder) => Ok(folder.media(id)),
            Place::Objects(_) => {
                let folder = self.download_path(id);
                make(&folder)?;
                Ok(folder.join(DIRECT))
            }
        }
    }

    /// Makes that file the recording; it is durable when this returns.
    ///
    /// # Errors
    /// When it cannot be stored.
    pub async fn finish_direct_download(&self, id: Uuid) -> io::Result<()> {
        match self.place() {
            Place::Folder(folder) => {
                tokio::fs::File::open(folder.media(id))
                    .await?
                    .sync_all()
                    .await?;
                folder.sync().await
            }
            Place::Objects(objects) => {
                let file = self.download_path(id).join(DIRECT);
                objects.take_file(id, &file).await?;
                self.remove_download_folder(id).await
            }
        }
    }

    /// Truncates that file to free its space; does nothing if it does not exist.
    ///
    /// # Errors
    /// When it exists and cannot be truncated.
    pub async fn empty_direct_download(&self, id: Uuid) -> io::Result<()> {
        let mut options = tokio::fs::OpenOptions::new();
        let path = self.direct_download(id)?;
        found(options.write(true).truncate(true).open(path).await).map(drop)
    }

    /// The ids that have download folders; other names are ignored.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub async fn download_ids(&self) -> io::Result<Vec<Uuid>> {
        let Some(mut entries) = found(tokio::fs::read_dir(self.downloads()).await)? else {
            return Ok(Vec::new());
        };
        let mut ids = Vec::new();
        while let Some(entry) = entries.next_entry().await? {
            ids.extend(
                entry
                    .file_name()
                    .to_str()
                    .and_then(|name| name.parse::<Uuid>().ok()),
            );
        }
        Ok(ids)
    }

    fn downloads(&self) -> PathBuf {
        self.0.data.join("downloads")
    }

    fn download_path(&self, id: Uuid) -> PathBuf {
        self.downloads().join(id.as_hyphenated().to_string())
    }
}
