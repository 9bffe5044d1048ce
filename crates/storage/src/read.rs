//! Sends recordings to players.

use std::io::{self, SeekFrom};
use std::ops::Range;
use std::pin::Pin;

use bytes::Bytes;
use futures_util::Stream;
use tokio::fs::File;
use tokio::io::{AsyncReadExt, AsyncSeekExt};
use tokio_util::io::ReaderStream;
use uuid::Uuid;

use crate::{Place, Storage};

/// Size of the read buffer, in bytes.
const READ_BYTES: usize = 64 * 1024;

/// The bytes of a recording.
pub type Pieces = Pin<Box<dyn Stream<Item = io::Result<Bytes>> + Send>>;

impl Storage {
    /// Part of the recording `id`, whose length is known.
    ///
    /// # Errors
    /// When it does not exist, or cannot be read.
    pub async fn read(&self, id: Uuid, bytes: Range<u64>, length: u64) -> io::Result<Pieces> {
        if bytes.is_empty() {
            return Ok(Box::pin(futures_util::stream::empty()));
        }
        match self.place() {
            Place::Folder(folder) => {
                let mut file = File::open(folder.media(id)).await?;
                file.seek(SeekFrom::Start(bytes.start)).await?;
                let part = file.take(bytes.end - bytes.start);
                Ok(Box::pin(ReaderStream::with_capacity(part, READ_BYTES)))
            }
            Place::Objects(objects) => objects.stream(&objects.media(id), bytes, length).await,
        }
    }
}
