//! An upload in an object store, until it is complete:
//!
//! ```text
//! incoming/{id}/first            its first 8 MiB
//! incoming/{id}/multipart        the store's id of the multipart upload of media/{id}
//! incoming/{id}/part-00002       the store's id of the part with the second 8 MiB, and so on
//! incoming/{id}/tail-{from}-{to} the bytes after the last whole part, as of the last request
//! ```
//!
//! Whole parts go to the multipart upload as they come, so a large recording is sent to the store
//! once. The first one is kept beside it because it can be read before the upload is complete: the
//! type is detected from it, and the header of a live recording is corrected in it. Every object is
//! written before the database records its bytes, so after a kill the recorded bytes are there, on
//! every node; objects beyond them are overwritten or removed.
//!
//! Two nodes that receive the same bytes of one upload write the same objects. Only one of them can
//! record the result.

use std::io::{self, ErrorKind};

use bytes::Bytes;
use futures_util::{StreamExt, TryStreamExt};
use object_store::MultipartId;
use object_store::multipart::PartId;
use object_store::path::Path;
use uuid::Uuid;

use super::{CONCURRENT, Objects, PART};
use crate::completion::{Fix, HEAD, OpenError, too_short};

const FIRST: &str = "first";
const MULTIPART: &str = "multipart";

/// The names of an upload's objects.
#[derive(Clone, Debug)]
struct Names(Path);

impl Names {
    fn first(&self) -> Path {
        self.0.clone().join(FIRST)
    }

    fn multipart(&self) -> Path {
        self.0.clone().join(MULTIPART)
    }

    /// The part with this index, from 1.
    fn part(&self, index: u64) -> Path {
        self.0.clone().join(format!("part-{:05}", index + 1))
    }

    fn tail(&self, from: u64, to: u64) -> Path {
        self.0.clone().join(format!("tail-{from}-{to}"))
    }
}

/// An upload that a request writes to.
#[derive(Debug)]
pub(crate) struct IncomingObject {
    objects: Objects,
    id: Uuid,
    names: Names,
    /// Number of whole parts in the store.
    parts: u64,
    /// The bytes after them.
    pending: Vec<u8>,
    /// The length that is durable.
    synced: u64,
    multipart: Option<MultipartId>,
    /// Tails of earlier ends.
    superseded: Vec<Path>,
    current_tail: Option<Path>,
    is_given_up: bool,
}

impl IncomingObject {
    pub(crate) async fn open(objects: Objects, id: Uuid, stored: u64) -> Result<Self, OpenError> {
        let names = objects.incoming(id);
        let parts = stored / PART as u64;
        let (pending, tail) = match stored {
            0 => (Vec::new(), None),
            _ => objects.stored_tail(&names, stored).await?,
        };
        Ok(Self {
            objects,
            id,
            names,
            parts,
            pending,
            synced: stored,
            multipart: None,
            superseded: Vec::new(),
            current_tail: tail,
            is_given_up: false,
        })
    }

    pub(crate) async fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.pending.extend_from_slice(bytes);
        while self.pending.len() >= PART {
            let rest = self.pending.split_off(PART);
            let part = Bytes::from(std::mem::replace(&mut self.pending, rest));
            self.put_part(part).await?;
        }
        Ok(())
    }

    async fn put_part(&mut self, part: Bytes) -> io::Result<()> {
        if self.parts == 0 {
            self.objects.put(&self.names.first(), part).await?;
        } else {
            let multipart = match &self.multipart {
                Some(multipart) => multipart.clone(),
                None => self.objects.multipart(self.id, &self.names).await?,
            };
            self.multipart = Some(multipart.clone());
            let index = self.parts;
            let put = self
                .objects
                .put_part(self.id, &multipart, index, part)
                .await?;
            let content_id = Bytes::from(put.content_id);
            self.objects
                .put(&self.names.part(index), content_id)
                .await?;
        }
        self.parts += 1;
        Ok(())
    }

    fn length(&self) -> u64 {
        self.parts * PART as u64 + self.pending.len() as u64
    }

    pub(crate) async fn sync(&mut self) -> io::Result<()> {
        let length = self.length();
        if self.is_given_up || length == self.synced {
            return Ok(());
        }
        let tail = self.names.tail(self.parts * PART as u64, length);
        self.superseded.extend(self.current_tail.take());
        if !self.pending.is_empty() {
            let pending = Bytes::copy_from_slice(&self.pending);
            self.objects.put(&tail, pending).await?;
            self.current_tail = Some(tail);
        }
        self.synced = length;
        Ok(())
    }

    pub(crate) async fn remove_superseded(&mut self) {
        if self.is_given_up {
            return;
        }
        for tail in std::mem::take(&mut self.superseded) {
            if let Err(error) = self.objects.delete(&tail).await {
                tracing::warn!(%error, "part of an upload is removed later");
            }
        }
    }

    pub(crate) const fn give_up(&mut self) {
        self.is_given_up = true;
    }

    pub(crate) async fn head(&self, bytes: u64) -> io::Result<Vec<u8>> {
        let bytes = usize::try_from(bytes).unwrap_or(usize::MAX).min(PART);
        if self.parts == 0 {
            return Ok(self.pending[..bytes.min(self.pending.len())].to_vec());
        }
        let first = self.names.first();
        let head = self.objects.range(&first, 0..bytes as u64, PART as u64);
        let head = head.await?;
        Ok(head.into())
    }
}

impl Objects {
    fn incoming(&self, id: Uuid) -> Names {
        Names(self.incoming_folder(id))
    }

    /// Whether there is anything of an incomplete upload.
    pub(crate) async fn has_incoming(&self, id: Uuid) -> io::Result<bool> {
        Ok(!self.list(&self.incoming(id).0).await?.is_empty())
    }

    /// The bytes after the whole parts of an upload, and the object that has them.
    async fn stored_tail(
        &self,
        names: &Names,
        stored: u64,
    ) -> Result<(Vec<u8>, Option<Path>), OpenError> {
        let from = stored - stored % PART as u64;
        let listed = self.list(&names.0).await?;
        let has = |path: &Path| listed.iter().any(|object| object.location == *path);
        let parts = from / PART as u64;
        if (parts > 0 && !has(&names.first())) || (1..parts).any(|index| !has(&names.part(index))) {
            return Err(OpenError::Missing);
        }
        if from == stored {
            return Ok((Vec::new(), None));
        }
        // Others may be there, which killed writers have left; their bytes are not recorded.
        let tail = names.tail(from, stored);
        let bytes = self.get(&tail).await?.ok_or(OpenError::Missing)?;
        Ok((bytes.into(), Some(tail)))
    }

    /// The multipart upload of a recording, which is begun if there is none.
    async fn multipart(&self, id: Uuid, names: &Names) -> io::Result<MultipartId> {
        if let Some(known) = self.text(&names.multipart()).await? {
            return Ok(known);
        }
        let begun = self.begin_multipart(id).await?;
        if self
            .put_new(&names.multipart(), begun.clone().into())
            .await?
        {
            return Ok(begun);
        }
        // Another node has begun it meanwhile.
        self.abort_multipart(id, &begun).await?;
        let known = self.text(&names.multipart()).await?;
        Ok(known.ok_or(ErrorKind::NotFound)?)
    }

    /// See [`crate::Storage::complete`].
    pub(crate) async fn complete(&self, id: Uuid, length: u64, fix: Fix) -> io::Result<()> {
        let media = self.media(id);
        if self.length(&media).await? != Some(length) {
            let assembled = self.assemble(id, length, fix).await;
            // Another node may have been faster.
            if let Err(error) = assembled
                && self.length(&media).await? != Some(length)
            {
                return Err(error);
            }
        }
        self.delete_all(&self.incoming_folder(id)).await
    }

    async fn assemble(&self, id: Uuid, length: u64, fix: Fix) -> io::Result<()> {
        let names = self.incoming(id);
        let missing = |error| match error {
            OpenError::Io(error) => error,
            _ => too_short(0, length),
        };
        let (tail, _) = self.stored_tail(&names, length).await.map_err(missing)?;
        let parts = length / PART as u64;
        let fixed = |mut bytes: Vec<u8>| {
            let head = bytes.len().min(HEAD as usize);
            for edit in fix(&bytes[..head], length) {
                let at = usize::try_from(edit.at).unwrap_or(usize::MAX);
                if let Some(place) = bytes.get_mut(at..at.saturating_add(edit.bytes.len())) {
                    place.copy_from_slice(&edit.bytes);
                }
            }
            Bytes::from(bytes)
        };
        if parts == 0 {
            return self.put(&self.media(id), fixed(tail)).await;
        }
        let first = self.get(&names.first()).await?;
        let first = fixed(first.ok_or(ErrorKind::NotFound)?.into());
        if parts == 1 && tail.is_empty() {
            return self.put(&self.media(id), first).await;
        }
        let multipart = self.multipart(id, &names).await?;
        let mut all = vec![self.put_part(id, &multipart, 0, first).await?];
        let kept: Vec<PartId> =
            futures_util::stream::iter((1..parts).map(|index| names.part(index)))
                .map(|name| async move {
                    let content_id = self.text(&name).await?.ok_or(ErrorKind::NotFound)?;
                    Ok::<_, io::Error>(PartId { content_id })
                })
                .buffered(CONCURRENT)
                .try_collect()
                .await?;
        all.extend(kept);
        if !tail.is_empty() {
            all.push(self.put_part(id, &multipart, parts, tail.into()).await?);
        }
        self.finish_multipart(id, &multipart, all).await
    }

    /// Removes what there is of an upload.
    pub(super) async fn remove_incoming(&self, id: Uuid) -> io::Result<()> {
        let names = self.incoming(id);
        if let Some(multipart) = self.text(&names.multipart()).await? {
            self.abort_multipart(id, &multipart).await?;
        }
        self.delete_all(&names.0).await
    }

    /// Makes a file of this machine the recording `id`.
    pub(crate) async fn take_file(&self, id: Uuid, file: &std::path::Path) -> io::Result<()> {
        // An attempt that was killed.
        self.remove_incoming(id).await?;
        self.forget_copy(id).await?;
        let length = tokio::fs::metadata(file).await?.len();
        let mut source = tokio::fs::File::open(file).await?;
        if length <= PART as u64 {
            let content = next_part(&mut source).await?;
            self.put(&self.media(id), content).await?;
        } else {
            let names = self.incoming(id);
            let multipart = self.multipart(id, &names).await?;
            let mut parts = Vec::new();
            loop {
                let part = next_part(&mut source).await?;
                if part.is_empty() {
                    break;
                }
                let index = parts.len() as u64;
                parts.push(self.put_part(id, &multipart, index, part).await?);
            }
            self.finish_multipart(id, &multipart, parts).await?;
            self.delete(&names.multipart()).await?;
        }
        self.adopt(id, file).await;
        Ok(())
    }
}

/// The next bytes of a file, at most a part; none at its end.
async fn next_part(source: &mut tokio::fs::File) -> io::Result<Bytes> {
    let mut part = Vec::with_capacity(PART);
    let mut limited = tokio::io::AsyncReadExt::take(source, PART as u64);
    tokio::io::AsyncReadExt::read_to_end(&mut limited, &mut part).await?;
    Ok(part.into())
}
