//! Where recordings and pictures are: in the data folder, or in an object store that many machines share.
//!
//! ```text
//! DATA/media/0198c1…-…          the bytes of one upload; the job that takes it reads the same file
//! DATA/avatars/0198c1…-…/…      a picture
//! DATA/downloads/0198c1…-…/     what is being fetched from a URL, on its way to one of them
//! DATA/installation             which database the folder belongs to
//! ```
//!
//! With an object store the same names are keys below its prefix, except for downloads, which stay in
//! the data folder of the machine that fetches; see [`objects`]. Readers get a copy in
//! `DATA/cache/`, which is bounded.
//!
//! A name that a client gave never becomes part of a path: two uploads of one name cannot collide, and
//! no name can leave the folder. Only the database says whether a file belongs to an upload or to a job.

mod blobs;
mod completion;
mod downloads;
mod folder;
mod incoming;
mod local_file;
pub mod objects;
mod read;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
#[cfg(test)]
mod tests;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

pub use blobs::Blob;
pub use completion::{Edit, Fix, OpenError};
pub use folder::make as make_folder;
pub use incoming::Incoming;
pub use local_file::LocalFile;
pub use read::Pieces;

use folder::{Folder, found};
use objects::Objects;
use slovo_platform::disk::free_bytes;

/// Bytes that uploads must leave free, so that the database can still write.
pub const RESERVE: u64 = 256 * 1024 * 1024;

/// Free bytes below which no new work starts; work under way may still be stored.
const LAST: u64 = 16 * 1024 * 1024;

/// The file that says which database the storage belongs to.
pub(crate) const MARK: &str = "installation";

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

/// Whether an operation failed because the object store does not answer, or refuses it: it may be
/// tried again.
#[must_use]
pub fn is_away(error: &io::Error) -> bool {
    let inner = error
        .get_ref()
        .is_some_and(<dyn std::error::Error + Send + Sync>::is::<object_store::Error>);
    inner && error.kind() != io::ErrorKind::NotFound
}

/// A recording or an incomplete upload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoredFile {
    /// The upload's id.
    pub id: Uuid,
    /// Its length.
    pub bytes: u64,
    /// When it was last written, in Unix milliseconds; `None` if that is unknown.
    pub written_at: Option<i64>,
}

/// The recordings and pictures of a server. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Storage(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    place: Place,
    data: PathBuf,
    reserve: AtomicU64,
}

#[derive(Debug)]
pub(crate) enum Place {
    Folder(Folder),
    Objects(Objects),
}

impl Storage {
    /// Opens the storage in the folder `data`, making its folders where they are missing.
    ///
    /// # Errors
    /// When a folder cannot be made.
    pub fn open(data: &Path) -> io::Result<Self> {
        let folder = Folder::open(data)?;
        Ok(Self::new(Place::Folder(folder), data))
    }

    /// A folder that is no data folder and has only small files ([`Blob`]).
    ///
    /// # Errors
    /// When the folder cannot be made.
    pub fn of_blobs(folder: &Path) -> io::Result<Self> {
        folder::make(folder)?;
        Ok(Self::new(Place::Folder(Folder::unopened(folder)), folder))
    }

    /// The storage in an object store; `data` is for downloads.
    #[must_use]
    pub fn in_objects(objects: Objects, data: &Path) -> Self {
        Self::new(Place::Objects(objects), data)
    }

    fn new(place: Place, data: &Path) -> Self {
        Self(Arc::new(Inner {
            place,
            data: data.to_owned(),
            reserve: AtomicU64::new(RESERVE),
        }))
    }

    pub(crate) fn place(&self) -> &Place {
        &self.0.place
    }

    /// Whether recordings are in an object store.
    #[must_use]
    pub fn is_shared(&self) -> bool {
        matches!(self.place(), Place::Objects(_))
    }

    /// Where recordings are, for messages.
    #[must_use]
    pub fn name(&self) -> String {
        match self.place() {
            Place::Folder(_) => self.0.data.display().to_string(),
            Place::Objects(objects) => objects.name().to_owned(),
        }
    }

    /// A path from which the recording `id` can be read, as long as the value lives. From an object
    /// store it is copied first.
    ///
    /// # Errors
    /// When it does not exist ([`io::ErrorKind::NotFound`]), or cannot be copied.
    pub async fn open_local(&self, id: Uuid) -> io::Result<LocalFile> {
        match self.place() {
            Place::Folder(folder) => {
                let path = folder.media(id);
                tokio::fs::metadata(&path).await?;
                Ok(LocalFile::of_folder(path))
            }
            Place::Objects(objects) => objects.open_local(id).await,
        }
    }

    /// The length of the recording `id`, in bytes; `None` if it does not exist.
    ///
    /// # Errors
    /// When the storage does not answer.
    pub async fn length(&self, id: Uuid) -> io::Result<Option<u64>> {
        match self.place() {
            Place::Folder(folder) => {
                let metadata = found(tokio::fs::metadata(folder.media(id)).await)?;
                Ok(metadata.map(|metadata| metadata.len()))
            }
            Place::Objects(objects) => objects.length(&objects.media(id)).await,
        }
    }

    /// Whether there is anything of the recording or the incomplete upload `id`.
    ///
    /// # Errors
    /// When the storage does not answer.
    pub async fn has_any(&self, id: Uuid) -> io::Result<bool> {
        Ok(self.length(id).await?.is_some()
            || match self.place() {
                Place::Folder(_) => false,
                Place::Objects(objects) => objects.has_incoming(id).await?,
            })
    }

    /// Stores a whole recording; it is durable when this returns.
    ///
    /// # Errors
    /// When it cannot be written, or exists.
    pub async fn put_media(&self, id: Uuid, content: &'static [u8]) -> io::Result<()> {
        match self.place() {
            Place::Folder(folder) => {
                let mut options = tokio::fs::OpenOptions::new();
                let path = folder.media(id);
                let mut file = options.write(true).create_new(true).open(path).await?;
                tokio::io::AsyncWriteExt::write_all(&mut file, content).await?;
                file.sync_all().await?;
                folder.sync().await
            }
            Place::Objects(objects) => objects.put(&objects.media(id), content.into()).await,
        }
    }

    /// Removes the recording or the incomplete upload `id`, and what was fetched for it here; does
    /// nothing if it does not exist.
    ///
    /// # Errors
    /// When it exists and cannot be removed.
    pub async fn remove(&self, id: Uuid) -> io::Result<()> {
        self.remove_download_folder(id).await?;
        match self.place() {
            Place::Folder(folder) => {
                found(tokio::fs::remove_file(folder.media(id)).await).map(drop)
            }
            Place::Objects(objects) => objects.remove(id).await,
        }
    }

    /// The recordings of an object store of which this machine has copies.
    ///
    /// # Errors
    /// When the folder of the copies cannot be read.
    pub async fn copies(&self) -> io::Result<Vec<Uuid>> {
        match self.place() {
            Place::Folder(_) => Ok(Vec::new()),
            Place::Objects(objects) => objects.copies().await,
        }
    }

    /// Removes the copy of a recording, which another machine may have deleted; whoever has opened it
    /// can still read it.
    ///
    /// # Errors
    /// When it exists and cannot be removed.
    pub async fn forget_copy(&self, id: Uuid) -> io::Result<()> {
        match self.place() {
            Place::Folder(_) => Ok(()),
            Place::Objects(objects) => objects.forget_copy(id).await,
        }
    }

    /// All recordings and incomplete uploads. Other names are ignored: this program did not create
    /// them and must not remove them.
    ///
    /// # Errors
    /// When they cannot be listed.
    pub async fn files(&self) -> io::Result<Vec<StoredFile>> {
        match self.place() {
            Place::Folder(folder) => folder.files().await,
            Place::Objects(objects) => objects.files().await,
        }
    }

    /// Which database the storage belongs to, if it is marked.
    ///
    /// # Errors
    /// When the mark cannot be read.
    pub async fn mark(&self) -> io::Result<Option<String>> {
        let mark = self.blob(MARK).await?;
        let mark = mark.map(|mark| String::from_utf8(mark).map_err(io::Error::other));
        Ok(mark.transpose()?.map(|mark| mark.trim().to_owned()))
    }

    /// Marks the storage as that of a database.
    ///
    /// # Errors
    /// When the mark cannot be written.
    pub async fn set_mark(&self, mark: &str) -> io::Result<()> {
        self.put_blob(MARK, format!("{mark}\n").into_bytes())
            .await?;
        if let Place::Folder(folder) = self.place() {
            folder.note_mark();
        }
        Ok(())
    }

    /// Whether the folder is there, with its mark if it had one when it was opened. An object store is
    /// not asked.
    #[must_use]
    pub fn has_folder(&self) -> bool {
        match self.place() {
            Place::Folder(folder) => folder.exists(),
            Place::Objects(_) => true,
        }
    }

    /// Whether the storage is there: its folder exists, or the object store answers within five
    /// seconds.
    pub async fn answers(&self) -> bool {
        match self.place() {
            Place::Folder(folder) => folder.exists(),
            Place::Objects(objects) => objects.answers(&objects.key(MARK)).await,
        }
    }

    /// An address from which the recording `id` can be read without us, for this long; `None` if the
    /// storage is a folder, or players are to be sent the bytes by us.
    ///
    /// # Errors
    /// When it cannot be signed.
    pub async fn direct_address(&self, id: Uuid, valid: Duration) -> io::Result<Option<String>> {
        match self.place() {
            Place::Folder(_) => Ok(None),
            Place::Objects(objects) => objects.direct_address(id, valid).await,
        }
    }

    /// The origin of direct addresses, if there are any, for the pages' security policy.
    #[must_use]
    pub fn direct_origin(&self) -> Option<&str> {
        match self.place() {
            Place::Folder(_) => None,
            Place::Objects(objects) => objects.direct_origin(),
        }
    }

    /// Whether there is room for this many more bytes of recordings. A disk that does not report its
    /// free space is assumed to have enough: writing will fail if it does not. So is an object store.
    #[must_use]
    pub fn has_room(&self, bytes: u64) -> bool {
        match self.place() {
            Place::Folder(_) => self.has_room_here(bytes),
            Place::Objects(_) => self.0.reserve.load(Ordering::Relaxed) != u64::MAX,
        }
    }

    /// Whether the disk of this machine keeps enough free space after this many more bytes.
    #[must_use]
    pub fn has_room_here(&self, bytes: u64) -> bool {
        let needed = bytes.saturating_add(self.0.reserve.load(Ordering::Relaxed));
        free_bytes(&self.0.data).is_none_or(|free| free >= needed)
    }

    /// How much free space the disk of this machine has.
    #[must_use]
    pub fn space(&self) -> Space {
        let reserve = self.0.reserve.load(Ordering::Relaxed);
        match free_bytes(&self.0.data) {
            Some(free) if reserve == u64::MAX || free < LAST => Space::Full,
            Some(free) if free < reserve => Space::Low,
            _ => Space::Enough,
        }
    }

    /// Simulates a full disk, or ends the simulation.
    #[cfg(any(test, feature = "testing"))]
    pub fn set_full(&self, full: bool) {
        let reserve = if full { u64::MAX } else { RESERVE };
        self.0.reserve.store(reserve, Ordering::Relaxed);
    }

    /// The file of the recording `id` in the data folder.
    ///
    /// # Panics
    /// With an object store.
    #[cfg(any(test, feature = "testing"))]
    #[must_use]
    pub fn media(&self, id: Uuid) -> PathBuf {
        match self.place() {
            Place::Folder(folder) => folder.media(id),
            Place::Objects(_) => panic!("recordings are in an object store"),
        }
    }
}
