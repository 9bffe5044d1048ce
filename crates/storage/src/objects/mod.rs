//! An object store that speaks the protocol of S3.
//!
//! ```text
//! {prefix}/installation        which database the storage belongs to
//! {prefix}/media/{id}          a recording
//! {prefix}/incoming/{id}/…     an upload that is not complete, see `incoming`
//! {prefix}/avatars/{id}/…      a picture
//! ```

mod cache;
mod connect;
pub(crate) mod incoming;

use std::collections::HashMap;
use std::io::{self, ErrorKind};
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::{StreamExt, TryStreamExt};
use object_store::multipart::{MultipartStore, PartId};
use object_store::path::Path;
use object_store::signer::Signer;
use object_store::{
    GetOptions, MultipartId, ObjectMeta, ObjectStore, ObjectStoreExt, PutMode, PutOptions,
};
use reqwest::Method;
use uuid::Uuid;

pub use connect::{Options, Url, UrlError};

use cache::Cache;

use crate::folder::found;
use crate::{LocalFile, Pieces, StoredFile};

/// Bytes of a part. S3 takes at most 10,000 parts of at least 5 MiB; some stores want all but the last
/// to be equal. Each upload under way keeps up to one part in memory.
#[cfg(not(test))]
pub(crate) const PART: usize = 8 * 1024 * 1024;
#[cfg(test)]
pub(crate) const PART: usize = 8 * 1024;
/// Requests at once for one recording.
pub(crate) const CONCURRENT: usize = 4;
/// How long a check of the store may take.
const CHECK_WITHIN: Duration = Duration::from_secs(5);

/// Keys of an object store below a prefix, and a cache of recordings on this machine. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Objects(Arc<Inner>);

struct Inner {
    store: Arc<dyn ObjectStore>,
    parts: Arc<dyn MultipartStore>,
    /// Signs addresses that players read from, if they do not read through us.
    signer: Option<(Arc<dyn Signer>, String)>,
    prefix: Path,
    name: String,
    cache: Cache,
}

impl std::fmt::Debug for Inner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Objects")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

/// The store's error with the kind that callers distinguish.
pub(crate) fn io_error(error: object_store::Error) -> io::Error {
    match error {
        object_store::Error::NotFound { .. } => io::Error::new(ErrorKind::NotFound, error),
        object_store::Error::PermissionDenied { .. }
        | object_store::Error::Unauthenticated { .. } => {
            io::Error::new(ErrorKind::PermissionDenied, error)
        }
        error => io::Error::other(error),
    }
}

/// Some stores answer a request for a range that is the whole object as if none was asked for.
fn part_of(bytes: Range<u64>, length: u64) -> GetOptions {
    GetOptions {
        range: (bytes != (0..length)).then(|| bytes.into()),
        ..GetOptions::default()
    }
}

impl Objects {
    pub(crate) fn name(&self) -> &str {
        &self.0.name
    }

    pub(crate) fn key(&self, key: &str) -> Path {
        let parts = self.0.prefix.parts();
        let key = Path::from(key);
        parts.chain(key.parts()).collect()
    }

    /// A key without the prefix.
    pub(crate) fn relative(&self, path: &Path) -> Option<String> {
        let parts = path.prefix_match(&self.0.prefix)?;
        Some(Path::from_iter(parts).to_string())
    }

    pub(crate) fn media(&self, id: Uuid) -> Path {
        self.key("media").join(id.as_hyphenated().to_string())
    }

    fn incoming_folder(&self, id: Uuid) -> Path {
        self.key("incoming").join(id.as_hyphenated().to_string())
    }

    pub(crate) async fn put(&self, path: &Path, content: Bytes) -> io::Result<()> {
        let put = self.0.store.put(path, content.into()).await;
        put.map(drop).map_err(io_error)
    }

    /// Stores an object unless there is one; returns whether it did. A store that cannot do this
    /// overwrites it.
    async fn put_new(&self, path: &Path, content: Bytes) -> io::Result<bool> {
        let new = PutOptions::from(PutMode::Create);
        match self
            .0
            .store
            .put_opts(path, content.clone().into(), new)
            .await
        {
            Ok(_) => Ok(true),
            Err(object_store::Error::AlreadyExists { .. }) => Ok(false),
            // Stores without this say so in different ways.
            Err(_) => {
                self.put(path, content).await?;
                Ok(true)
            }
        }
    }

    pub(crate) async fn get(&self, path: &Path) -> io::Result<Option<Bytes>> {
        let got = async { self.0.store.get(path).await?.bytes().await };
        found(got.await.map_err(io_error))
    }

    /// An object that is a text.
    async fn text(&self, path: &Path) -> io::Result<Option<String>> {
        let text = self.get(path).await?;
        let text = text.map(|text| String::from_utf8(text.into()).map_err(io::Error::other));
        text.transpose()
    }

    /// Part of an object of this length.
    pub(crate) async fn range(
        &self,
        path: &Path,
        bytes: Range<u64>,
        length: u64,
    ) -> io::Result<Bytes> {
        let options = part_of(bytes, length);
        let got = async { self.0.store.get_opts(path, options).await?.bytes().await };
        got.await.map_err(io_error)
    }

    /// Part of an object of this length, as it arrives.
    pub(crate) async fn stream(
        &self,
        path: &Path,
        bytes: Range<u64>,
        length: u64,
    ) -> io::Result<Pieces> {
        let options = part_of(bytes, length);
        let got = self.0.store.get_opts(path, options).await;
        let stream = got.map_err(io_error)?.into_stream();
        Ok(Box::pin(stream.map_err(io_error)))
    }

    pub(crate) async fn delete(&self, path: &Path) -> io::Result<()> {
        let deleted = self.0.store.delete(path).await;
        found(deleted.map_err(io_error)).map(drop)
    }

    /// Deletes all objects below a prefix.
    pub(crate) async fn delete_all(&self, prefix: &Path) -> io::Result<()> {
        for object in self.list(prefix).await? {
            self.delete(&object.location).await?;
        }
        Ok(())
    }

    pub(crate) async fn list(&self, prefix: &Path) -> io::Result<Vec<ObjectMeta>> {
        let listed = self.0.store.list(Some(prefix)).try_collect().await;
        listed.map_err(io_error)
    }

    pub(crate) async fn length(&self, path: &Path) -> io::Result<Option<u64>> {
        let head = found(self.0.store.head(path).await.map_err(io_error))?;
        Ok(head.map(|object| object.size))
    }

    pub(crate) async fn answers(&self, path: &Path) -> bool {
        let asked = tokio::time::timeout(CHECK_WITHIN, self.length(path)).await;
        asked.is_ok_and(|answer| answer.is_ok())
    }

    pub(crate) async fn files(&self) -> io::Result<Vec<StoredFile>> {
        let mut files = HashMap::<Uuid, StoredFile>::new();
        for folder in ["media", "incoming"] {
            let folder = self.key(folder);
            let mut objects = self.0.store.list(Some(&folder));
            while let Some(object) = objects.next().await {
                let object = object.map_err(io_error)?;
                let mut names = object.location.prefix_match(&folder).into_iter().flatten();
                let name = names.next();
                let Some(id) = name.and_then(|name| name.as_ref().parse().ok()) else {
                    continue;
                };
                let entry = files.entry(id).or_insert(StoredFile {
                    id,
                    bytes: 0,
                    written_at: None,
                });
                entry.bytes += object.size;
                let written_at = object.last_modified.timestamp_millis();
                entry.written_at = entry.written_at.max(Some(written_at));
            }
        }
        Ok(files.into_values().collect())
    }

    pub(crate) async fn remove(&self, id: Uuid) -> io::Result<()> {
        self.remove_incoming(id).await?;
        self.delete(&self.media(id)).await?;
        self.forget_copy(id).await
    }

    /// The recordings of which this machine has copies.
    pub(crate) async fn copies(&self) -> io::Result<Vec<Uuid>> {
        self.0.cache.ids().await
    }

    /// Removes the copy of a recording.
    pub(crate) async fn forget_copy(&self, id: Uuid) -> io::Result<()> {
        self.0.cache.remove(id).await
    }

    pub(crate) async fn direct_address(
        &self,
        id: Uuid,
        valid: Duration,
    ) -> io::Result<Option<String>> {
        let Some((signer, _)) = &self.0.signer else {
            return Ok(None);
        };
        let signed = signer.signed_url(Method::GET, &self.media(id), valid).await;
        signed.map(|url| Some(url.into())).map_err(io_error)
    }

    pub(crate) fn direct_origin(&self) -> Option<&str> {
        self.0.signer.as_ref().map(|(_, origin)| &**origin)
    }

    pub(crate) async fn open_local(&self, id: Uuid) -> io::Result<LocalFile> {
        self.0.cache.open(id, self).await
    }

    /// Keeps a file of this machine as the copy of a recording.
    async fn adopt(&self, id: Uuid, file: &std::path::Path) {
        self.0.cache.adopt(id, file).await;
    }

    async fn begin_multipart(&self, id: Uuid) -> io::Result<MultipartId> {
        let begun = self.0.parts.create_multipart(&self.media(id)).await;
        begun.map_err(io_error)
    }

    /// Ends a multipart upload; one that has ended is no error.
    async fn abort_multipart(&self, id: Uuid, multipart: &MultipartId) -> io::Result<()> {
        let aborted = self
            .0
            .parts
            .abort_multipart(&self.media(id), multipart)
            .await;
        found(aborted.map_err(io_error)).map(drop)
    }

    async fn put_part(
        &self,
        id: Uuid,
        multipart: &MultipartId,
        index: u64,
        part: Bytes,
    ) -> io::Result<PartId> {
        let index = usize::try_from(index).unwrap_or(usize::MAX);
        let (path, parts) = (self.media(id), &self.0.parts);
        let put = parts.put_part(&path, multipart, index, part.into()).await;
        put.map_err(io_error)
    }

    async fn finish_multipart(
        &self,
        id: Uuid,
        multipart: &MultipartId,
        parts: Vec<PartId>,
    ) -> io::Result<()> {
        let path = self.media(id);
        let completed = self
            .0
            .parts
            .complete_multipart(&path, multipart, parts)
            .await;
        completed.map(drop).map_err(io_error)
    }
}
