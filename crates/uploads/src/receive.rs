//! Stores the bytes of one request.
//!
//! Guarantees: memory use does not depend on the body's size; bytes recorded in the database are
//! durable (the storage is synced first); if the body breaks off, all received bytes are kept, unless
//! it had a checksum, which cannot be verified any more; a file longer than its row says (its
//! writer was killed) is truncated before it grows, and on a full disk bytes that are not recorded
//! are released.

use std::{io, time::Duration};

use futures_util::{Stream, StreamExt};
use slovo_platform::clock::Clock;
use slovo_storage::{Incoming, OpenError, Storage};
use uuid::Uuid;

use crate::checksum::ChecksumHasher;
use crate::upload_locks::UploadLock;

/// Bytes that are buffered before they are written: few system calls, little memory.
const WRITE_BYTES: usize = 512 * 1024;
/// Bytes between two syncs. A kill of the whole process costs the client at most this much again.
/// Nothing is read during a sync: with twice as many bytes, a fast disk lost a third of its speed.
const SYNC_BYTES: u64 = 16 * 1024 * 1024;
/// The first checkpoint is not delayed beyond this many bytes: they determine the file type, and no
/// client should send 500 MB before a rejection.
const FIRST_SYNC_BYTES: u64 = 64 * 1024;
/// Idle timeout of a connection; received bytes are kept.
const IDLE: Duration = Duration::from_secs(60);
/// Limit on reading the rest of a rejected body. Closing a connection with unread bytes resets it,
/// and the client would lose the response.
const DRAIN_BYTES: u64 = 64 * 1024 * 1024;
/// Time limit on reading the rest of a rejected body.
const DRAIN_TIME: Duration = Duration::from_secs(2);

/// The body of a request: its bytes in chunks, until it ends or the connection breaks.
pub trait Body:
    Stream<Item = Result<<Self as Body>::Chunk, <Self as Body>::Error>> + Send + Unpin + 'static
{
    /// Some of its bytes.
    type Chunk: AsRef<[u8]> + Send;
    /// Why no more bytes arrive.
    type Error: Send;
}

impl<S, C, E> Body for S
where
    S: Stream<Item = Result<C, E>> + Send + Unpin + 'static,
    C: AsRef<[u8]> + Send,
    E: Send,
{
    type Chunk = C;
    type Error = E;
}

/// Where a request's bytes are written.
pub struct Target<'a> {
    /// Where uploads are.
    pub storage: &'a Storage,
    /// The upload; created there if it has no bytes yet.
    pub id: Uuid,
    /// Offset of its bytes in the file, which is first truncated to this length.
    pub start: u64,
    /// Limit of the whole file.
    pub limit: Limit,
}

/// How many bytes an upload may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// It has this length. If a request has more bytes, it is for another file, and none of its
    /// bytes are kept.
    Length(u64),
    /// Open-ended, up to this maximum. Bytes that fit are kept: the sender of a live recording has
    /// no other copy.
    AtMost(u64),
}

impl Limit {
    const fn bytes(self) -> u64 {
        match self {
            Self::Length(bytes) | Self::AtMost(bytes) => bytes,
        }
    }
}

/// How a request's body ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BodyEnd {
    /// The body is complete.
    Whole,
    /// The connection broke, stalled, or was taken over by another request.
    BrokenOff,
    /// There were more bytes than the upload may have. If its length is known, none of the
    /// request's bytes are kept, otherwise those that fit.
    TooMany,
    /// The checksum did not match. No bytes of the request are kept.
    Mismatch,
    /// `SyncObserver` rejected the upload.
    Refused,
}

/// Why a request's bytes could not be stored.
#[derive(Debug, thiserror::Error)]
pub enum ReceiveError<E> {
    /// The file cannot be continued. The upload is kept; if the file is shorter than recorded, its
    /// actual length counts.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The disk, or the object store.
    #[error("the upload's file cannot be written: {0}")]
    Io(#[from] io::Error),
    /// An error of `SyncObserver`.
    #[error("{0}")]
    Observer(E),
}

/// Notified after every sync; decides whether to continue.
pub trait SyncObserver {
    /// Error of recording the progress.
    type Error: Send + 'static;
    /// Called when the file is locked against other processes. Returns an error if one of them has
    /// changed or removed the upload since its row was read; then nothing is written.
    fn locked(&mut self) -> impl Future<Output = Result<(), Self::Error>> + Send;
    /// Called when the first `stored` bytes of the file are durable. Returns whether to continue.
    fn stored(
        &mut self,
        stored: u64,
        file: &mut Incoming,
    ) -> impl Future<Output = Result<bool, Self::Error>> + Send;
}

/// Writes the body from `target.start` on and returns how it ended. The last number passed to
/// `observer` is the length of the file.
pub async fn receive<N: SyncObserver>(
    target: Target<'_>,
    body: impl Body,
    checksum: Option<ChecksumHasher>,
    hold: &UploadLock,
    clock: &dyn Clock,
    observer: &mut N,
) -> Result<BodyEnd, ReceiveError<N::Error>> {
    let Target {
        storage,
        id,
        start,
        limit,
    } = target;
    let mut file = storage.open_incoming(id, start).await?;
    observer.locked().await.map_err(ReceiveError::Observer)?;
    file.continue_at(start).await?;
    let mut storing = GrowingFile {
        file,
        limit,
        start,
        synced: start,
    };
    storing.store(body, checksum, hold, clock, observer).await
}

/// A file that grows.
struct GrowingFile {
    file: Incoming,
    limit: Limit,
    start: u64,
    /// The bytes that are durable and recorded.
    synced: u64,
}

impl GrowingFile {
    async fn store<N: SyncObserver>(
        &mut self,
        body: impl Body,
        checksum: Option<ChecksumHasher>,
        hold: &UploadLock,
        clock: &dyn Clock,
        observer: &mut N,
    ) -> Result<BodyEnd, ReceiveError<N::Error>> {
        let stored = self
            .receive_body(body, checksum, hold, clock, observer)
            .await;
        if let Err(ReceiveError::Io(_)) = &stored {
            // Bytes that are not recorded would be truncated before the next write anyway; a full
            // disk needs the space now. If even that fails, there is nothing left to do.
            let _ = self.file.give_up(self.synced).await;
        }
        stored
    }

    async fn receive_body<N: SyncObserver>(
        &mut self,
        mut body: impl Body,
        mut checksum: Option<ChecksumHasher>,
        hold: &UploadLock,
        clock: &dyn Clock,
        observer: &mut N,
    ) -> Result<BodyEnd, ReceiveError<N::Error>> {
        let (start, limit) = (self.start, self.limit);
        let is_summed = checksum.is_some();
        let mut gathered = Vec::with_capacity(WRITE_BYTES);
        let mut at = start;
        let end = loop {
            let chunk = match next(&mut body, hold).await {
                Some(Ok(chunk)) => chunk,
                Some(Err(())) => break BodyEnd::BrokenOff,
                None => break BodyEnd::Whole,
            };
            let chunk = chunk.as_ref();
            hold.bytes_came(clock.monotonic_ms());
            let room = limit.bytes() - at - gathered.len() as u64;
            if chunk.len() as u64 > room {
                // Less than the chunk's length, which is a usize.
                let fitting = usize::try_from(room).unwrap_or_default();
                gathered.extend_from_slice(&chunk[..fitting]);
                break BodyEnd::TooMany;
            }
            if let Some(running) = &mut checksum {
                running.update(chunk);
            }
            gathered.extend_from_slice(chunk);
            if gathered.len() >= WRITE_BYTES {
                at += gathered.len() as u64;
                gathered = self.file.write(gathered).await?;
                // Bytes whose checksum is not verified do not count as stored yet.
                let due = self.synced < FIRST_SYNC_BYTES || at - self.synced >= SYNC_BYTES;
                if checksum.is_none() && due && !self.record(at, observer).await? {
                    break BodyEnd::Refused;
                }
            }
        };
        at += gathered.len() as u64;
        self.file.write(gathered).await?;
        let end = match (end, checksum) {
            (BodyEnd::Whole, Some(running)) if running.clone().matches() => BodyEnd::Whole,
            (BodyEnd::Whole | BodyEnd::BrokenOff, Some(_)) => BodyEnd::Mismatch,
            (end, _) => end,
        };
        let keeps = matches!(limit, Limit::AtMost(_)) && !is_summed;
        if end == BodyEnd::Mismatch || (end == BodyEnd::TooMany && !keeps) {
            at = start;
            self.file.give_up(start).await?;
        }
        let accepted = self.record(at, observer).await?;
        let end = if accepted { end } else { BodyEnd::Refused };
        if matches!(end, BodyEnd::TooMany | BodyEnd::Refused) {
            drain(body).await;
        }
        Ok(end)
    }

    /// Makes the first `at` bytes durable, then records them; returns whether to continue.
    async fn record<N: SyncObserver>(
        &mut self,
        at: u64,
        observer: &mut N,
    ) -> Result<bool, ReceiveError<N::Error>> {
        self.file.sync().await?;
        let recorded = observer.stored(at, &mut self.file).await;
        let accepted = recorded.map_err(ReceiveError::Observer)?;
        self.file.recorded().await;
        self.synced = at;
        Ok(accepted)
    }
}

/// The next bytes; `None` at the end of the body, an error if it breaks off.
async fn next<B: Body>(body: &mut B, hold: &UploadLock) -> Option<Result<B::Chunk, ()>> {
    tokio::select! {
        () = hold.stopped() => Some(Err(())),
        next = tokio::time::timeout(IDLE, body.next()) => match next {
            Ok(Some(Ok(chunk))) => Some(Ok(chunk)),
            Ok(Some(Err(_))) | Err(_) => Some(Err(())),
            Ok(None) => None,
        },
    }
}

/// Reads the rest of a rejected body, within limits.
pub async fn drain(mut body: impl Body) {
    let reading = async {
        let mut read = 0;
        while let Some(Ok(chunk)) = body.next().await {
            read += chunk.as_ref().len() as u64;
            if read > DRAIN_BYTES {
                break;
            }
        }
    };
    // It does not matter whether the body ended or timed out: the response is sent now.
    let _ = tokio::time::timeout(DRAIN_TIME, reading).await;
}

#[cfg(test)]
mod tests {
    use std::io::{Seek, SeekFrom, Write};

    use slovo_platform::testing::TestClock;
    use tokio_util::sync::CancellationToken;

    use super::*;
    use crate::upload_locks::UploadLocks;

    struct Silent;

    impl SyncObserver for Silent {
        type Error = ();

        async fn locked(&mut self) -> Result<(), ()> {
            Ok(())
        }

        async fn stored(&mut self, _: u64, _: &mut Incoming) -> Result<bool, ()> {
            Ok(true)
        }
    }

    #[tokio::test]
    async fn a_failed_write_truncates_the_file_to_the_recorded_length() {
        let locks = UploadLocks::new(CancellationToken::new());
        let hold = locks.take_free(Uuid::from_u128(1), 0).unwrap();
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(&[0; 500]).unwrap();
        let stored = file.try_clone().unwrap();
        // Writing beyond the largest file size of the file system fails as on a full disk.
        let (mut fits, mut beyond) = (0, 1 << 63);
        while beyond - fits > 1 {
            let middle = u64::midpoint(fits, beyond);
            match file.seek(SeekFrom::Start(middle)) {
                Ok(_) => fits = middle,
                Err(_) => beyond = middle,
            }
        }
        file.seek(SeekFrom::Start(fits)).unwrap();
        let mut storing = GrowingFile {
            file: Incoming::of_file(file),
            limit: Limit::Length(u64::MAX),
            start: 100,
            synced: 100,
        };
        let body = futures_util::stream::iter([Ok::<_, io::Error>("more")]);
        let end = storing
            .store(body, None, &hold, &TestClock::new(), &mut Silent)
            .await;
        assert!(matches!(end, Err(ReceiveError::Io(_))), "{end:?}");
        assert_eq!(stored.metadata().unwrap().len(), 100);
    }
}
