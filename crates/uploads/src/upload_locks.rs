//! One writer per upload.
//!
//! The holder of an upload is the request that writes to it. A second one is rejected while bytes
//! arrive, and takes over after [`STALL`] without any: a laptop wakes up long before its dead
//! connection is detected, and must not wait for that.
//!
//! Processes that share a data folder exclude each other by a lock on the file, which the system
//! releases when a process dies (see `receive`).

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicI64, Ordering},
    },
};

use tokio_util::sync::CancellationToken;
use uuid::Uuid;

/// How long a holder may be silent before another request may take over, in milliseconds. Longer
/// than the pauses between packets on a slow mobile connection, but short enough for a user who has
/// just reopened a laptop.
pub const STALL_MS: i64 = 5_000;

#[derive(Debug)]
struct UploadWriter {
    last_byte_at: AtomicI64,
    stop: CancellationToken,
    released: CancellationToken,
}

/// The requests of this process that write to uploads.
#[derive(Debug, Clone)]
pub struct UploadLocks {
    all: Arc<Mutex<HashMap<Uuid, Arc<UploadWriter>>>>,
    shutdown: CancellationToken,
}

/// The right to write to one upload; released when dropped.
#[derive(Debug)]
pub struct UploadLock {
    locks: UploadLocks,
    id: Uuid,
    holder: Arc<UploadWriter>,
}

impl UploadLocks {
    /// No locks. When `shutdown` is cancelled all holders of a lock are asked to stop.
    #[must_use]
    pub fn new(shutdown: CancellationToken) -> Self {
        Self {
            all: Arc::default(),
            shutdown,
        }
    }

    /// Locks the upload `id`, taking it from a stalled holder if necessary; `None` while another
    /// holder is active. `now` is by the steady clock, in milliseconds.
    pub async fn take(&self, id: Uuid, now: i64) -> Option<UploadLock> {
        let stalled = match self.try_take(id, now) {
            Ok(hold) => return Some(hold),
            Err(holder) => holder,
        };
        if now - stalled.last_byte_at.load(Ordering::Relaxed) < STALL_MS {
            return None;
        }
        stalled.stop.cancel();
        stalled.released.cancelled().await;
        self.try_take(id, now).ok()
    }

    /// Stops the request that writes to the upload `id`, and locks the upload, to remove it.
    pub async fn take_over(&self, id: Uuid, now: i64) -> UploadLock {
        loop {
            match self.try_take(id, now) {
                Ok(hold) => return hold,
                Err(holder) => {
                    holder.stop.cancel();
                    holder.released.cancelled().await;
                }
            }
        }
    }

    /// Locks the upload `id` if it has no holder, not even a stalled one.
    pub fn take_free(&self, id: Uuid, now: i64) -> Option<UploadLock> {
        self.try_take(id, now).ok()
    }

    fn try_take(&self, id: Uuid, now: i64) -> Result<UploadLock, Arc<UploadWriter>> {
        let mut all = self.all.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(holder) = all.get(&id) {
            return Err(Arc::clone(holder));
        }
        let holder = Arc::new(UploadWriter {
            last_byte_at: AtomicI64::new(now),
            stop: self.shutdown.child_token(),
            released: CancellationToken::new(),
        });
        all.insert(id, Arc::clone(&holder));
        Ok(UploadLock {
            locks: self.clone(),
            id,
            holder,
        })
    }
}

impl UploadLock {
    /// The upload.
    pub fn id(&self) -> Uuid {
        self.id
    }

    /// Records that bytes arrived at `now`, by the steady clock, in milliseconds.
    pub fn bytes_came(&self, now: i64) {
        self.holder.last_byte_at.store(now, Ordering::Relaxed);
    }

    /// Returns when another request takes over, or the server stops.
    pub async fn stopped(&self) {
        self.holder.stop.cancelled().await;
    }
}

impl Drop for UploadLock {
    fn drop(&mut self) {
        self.locks
            .all
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .remove(&self.id);
        self.holder.released.cancel();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: Uuid = Uuid::from_u128(1);

    #[tokio::test]
    async fn a_second_writer_is_refused_while_the_first_is_active() {
        let locks = UploadLocks::new(CancellationToken::new());
        let first = locks.take(ID, 0).await.unwrap();
        first.bytes_came(10_000);
        assert!(locks.take(ID, 10_000 + STALL_MS - 1).await.is_none());
        assert!(
            locks.take(Uuid::from_u128(2), 0).await.is_some(),
            "another upload is free"
        );
        drop(first);
        assert!(locks.take(ID, 10_001).await.is_some());
    }

    #[tokio::test]
    async fn a_stalled_writer_is_stopped_before_the_next_one_starts() {
        let locks = UploadLocks::new(CancellationToken::new());
        let first = locks.take(ID, 0).await.unwrap();
        let order = Arc::new(Mutex::new(Vec::new()));
        let noted = Arc::clone(&order);
        let writer = tokio::spawn(async move {
            first.stopped().await;
            noted.lock().unwrap().push("first gone");
        });
        let second = locks.take(ID, STALL_MS).await;
        order.lock().unwrap().push("second in");
        assert!(second.is_some());
        writer.await.unwrap();
        assert_eq!(*order.lock().unwrap(), ["first gone", "second in"]);
    }
}
