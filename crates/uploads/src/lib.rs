//! Resumable uploads: from the first byte to a file that a job can use.
//!
//! An upload is a row and a file. The row stores how many bytes are known to be on the disk; the
//! file may have more, if its writer was killed, and is truncated to that number before it grows
//! again. The type is detected from the content: the container as soon as a few kilobytes have
//! arrived, the rest when the file is complete. A rejected file is removed at once; its row keeps
//! the reason until it expires.

mod append;
pub mod checksum;
pub mod content;
mod create;
pub mod disk_usage;
mod inspect;
pub mod probe;
mod receive;
mod streamed;
mod sweep;
#[cfg(test)]
mod testing;
mod upload_locks;

use std::{io, sync::Arc};

use slovo_db::Database;
use slovo_db::jobs::uploads::{self, Upload};
use slovo_engine::Engine;
use slovo_platform::clock::Clock;
use slovo_rules::media::Fault;
use slovo_rules::upload::{KEPT_HOURS, MAX_UPLOAD_BYTES, UploadKind, VOICE_KEPT_DAYS};
use slovo_server_settings::ServerSettings;
use slovo_storage::Storage;
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use uuid::Uuid;

use probe::{ProbeLocks, ProbeUnavailable};
use upload_locks::UploadLocks;

pub use append::ChunkRequest;
pub use receive::Body;

const HOUR_MS: i64 = 60 * 60 * 1000;
/// How long an upload lives after its last stored byte, in milliseconds.
pub const LIFETIME_MS: i64 = KEPT_HOURS * HOUR_MS;
/// The same for a microphone recording.
pub const VOICE_LIFETIME_MS: i64 = VOICE_KEPT_DAYS * 24 * HOUR_MS;
/// Maximum total size of the open uploads of one user, in bytes: ten of the largest uploads that
/// are accepted by default.
pub const MAX_OPEN_BYTES: u64 = 10 * MAX_UPLOAD_BYTES;

/// The same if recordings of up to `largest` bytes are accepted: at least two of those.
#[must_use]
pub const fn open_bytes(largest: u64) -> u64 {
    let limit = largest.saturating_mul(2);
    if limit > MAX_OPEN_BYTES {
        limit
    } else {
        MAX_OPEN_BYTES
    }
}

/// Maximum number of uploads listed: more than a user may have open.
const MAX_LISTED: i64 = 50;

/// How long an upload lives after its last stored byte, in milliseconds.
#[must_use]
pub const fn lifetime_ms(kind: UploadKind) -> i64 {
    match kind {
        UploadKind::File => LIFETIME_MS,
        UploadKind::Voice => VOICE_LIFETIME_MS,
    }
}

/// Why an upload fails.
#[derive(Debug, thiserror::Error)]
pub enum UploadError {
    /// It does not exist, or belongs to another user.
    #[error("there is no such upload")]
    NotFound,
    /// It was not finished in time.
    #[error("the upload has expired")]
    Expired,
    /// The file is not a usable recording.
    #[error("the file is refused: {}", .0.code)]
    Refused(Fault),
    /// Another request writes to it.
    #[error("another request writes to this upload")]
    Locked,
    /// The offset is not the number of stored bytes.
    #[error("{stored} bytes are stored")]
    WrongOffset {
        /// The offset to continue at.
        stored: u64,
    },
    /// The length declared by a request differs from the upload's, or is less than the stored
    /// bytes.
    #[error("the upload has another length")]
    WrongLength {
        /// The upload's length; `None` while it is unknown.
        length: Option<u64>,
        /// Number of stored bytes.
        stored: u64,
    },
    /// There are more bytes than the upload may have.
    #[error("the bytes exceed the upload's length")]
    TooLarge,
    /// The checksum does not match; no bytes of the request were kept.
    #[error("the checksum does not match")]
    Mismatch,
    /// The user has too many open uploads.
    #[error("too many open uploads")]
    TooManyOpen,
    /// Some bytes are still missing.
    #[error("the upload is not complete")]
    Incomplete,
    /// The disk has no space for it.
    #[error("the disk is full")]
    Full,
    /// The file is currently missing; the upload is kept.
    #[error("the upload's file is missing")]
    Missing,
    /// The file could not be inspected; it may be valid.
    #[error(transparent)]
    Unready(#[from] ProbeUnavailable),
    /// The database.
    #[error(transparent)]
    Database(#[from] slovo_db::Error),
    /// The disk failed, or a task panicked.
    #[error("the upload cannot be stored: {0}")]
    Io(#[from] io::Error),
}

/// The uploads of this server. Cheap to clone.
#[derive(Clone)]
pub struct Uploads {
    db: Database,
    storage: Storage,
    settings: ServerSettings,
    clock: Arc<dyn Clock>,
    engine: Engine,
    locks: UploadLocks,
    turns: ProbeLocks,
    shutdown: CancellationToken,
    tasks: TaskTracker,
}

/// The dependencies of the uploads.
pub struct Parts {
    /// The rows of the uploads.
    pub db: Database,
    /// The files of the uploads.
    pub storage: Storage,
    /// The largest upload that administrators allow.
    pub settings: ServerSettings,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// Opens complete files.
    pub engine: Engine,
    /// Cancelled when the server stops. Bytes that have arrived are stored first.
    pub shutdown: CancellationToken,
    /// Writing continues here when a connection breaks, so that the server waits for it.
    pub tasks: TaskTracker,
}

impl Uploads {
    /// The uploads of a server with these parts.
    #[must_use]
    pub fn new(parts: Parts) -> Self {
        let Parts {
            db,
            storage,
            settings,
            clock,
            engine,
            shutdown,
            tasks,
        } = parts;
        Self {
            db,
            storage,
            settings,
            clock,
            engine,
            locks: UploadLocks::new(shutdown.clone()),
            turns: ProbeLocks::default(),
            shutdown,
            tasks,
        }
    }

    /// The user's upload, even if it was rejected.
    ///
    /// # Errors
    /// When there is none, it has expired, or the database fails.
    pub async fn find(&self, user_id: &str, id: Uuid) -> Result<Upload, UploadError> {
        let mut connection = self.db.read().await?;
        let upload = uploads::find(&mut connection, user_id, id).await?;
        let upload = upload.ok_or(UploadError::NotFound)?;
        if upload.expires_at <= self.clock.now_ms() {
            return Err(UploadError::Expired);
        }
        Ok(upload)
    }

    /// The user's upload, unless it has expired or was rejected.
    ///
    /// # Errors
    /// When there is none, it has expired or was rejected, or the database fails.
    pub async fn usable(&self, user_id: &str, id: Uuid) -> Result<Upload, UploadError> {
        let upload = self.find(user_id, id).await?;
        match upload.problem {
            Some(fault) => Err(UploadError::Refused(fault)),
            None => Ok(upload),
        }
    }

    /// The user's uploads that can be resumed or used for a job, newest first.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn list(&self, user_id: &str) -> Result<Vec<Upload>, UploadError> {
        let mut connection = self.db.read().await?;
        let now = self.clock.now_ms();
        Ok(uploads::list(&mut connection, user_id, now, MAX_LISTED).await?)
    }

    /// Ends the user's upload and removes it.
    ///
    /// # Errors
    /// When there is none, it has expired, or it cannot be removed.
    pub async fn terminate(&self, user_id: &str, id: Uuid) -> Result<(), UploadError> {
        self.find(user_id, id).await?;
        let _hold = self.locks.take_over(id, self.clock.monotonic_ms()).await;
        let mut transaction = self.db.write().await?;
        let removed = uploads::delete(&mut transaction, id).await?;
        transaction.commit().await?;
        // A job may have been created from it meanwhile; then the file belongs to the job.
        if !removed {
            return Err(UploadError::NotFound);
        }
        self.remove_held(id).await
    }
}
