//! Resumable uploads: from the first byte to a file that a job can take.
//!
//! An upload is a row and a file. The row says how many bytes are known to be on the disk; the
//! file may have more, if its writer was killed, and is cut to that number before it grows again.
//! What the bytes are is decided by the bytes: the container as soon as a few kilobytes are there,
//! the rest when the file is complete. A refused file is removed at once; its row stays until it
//! expires, to tell why.

pub mod content;
mod create;
mod holders;
mod inspect;
pub mod probe;
mod receive;
mod sweep;
pub mod tus;

use std::{io, path::PathBuf, sync::Arc};

use axum::body::Body;
use slovo_db::{
    Database,
    uploads::{self, Fault, Upload},
};
use slovo_engine::media::Limits;
use slovo_rules::upload::MAX_UPLOAD_BYTES;
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use uuid::Uuid;

use crate::clock::Clock;
use crate::storage::Storage;
use content::Head;
use holders::{Hold, Holders};
use probe::{Turns, Unready};
use receive::{End, Note, ReceiveError, Target};
use tus::Running;

/// How long an upload lives after its last stored byte: a day, so that a laptop closed in the
/// evening goes on in the morning.
pub const LIFETIME_MS: i64 = 24 * 60 * 60 * 1000;
/// Uploads that one user may have under way (or finished and not taken by a job) at once. The
/// page sends a few files side by side; more than this is a mistake or an attack.
pub const MAX_OPEN_UPLOADS: u64 = 20;
/// Bytes that they may add up to: ten of the largest.
pub const MAX_OPEN_BYTES: u64 = 10 * MAX_UPLOAD_BYTES;

/// What stops an upload.
#[derive(Debug, thiserror::Error)]
pub enum UploadError {
    /// There is none, or it is somebody else's.
    #[error("there is no such upload")]
    NotFound,
    /// It was not finished in time.
    #[error("the upload has expired")]
    Expired,
    /// Its bytes are not a recording that can be used.
    #[error("the file is refused: {}", .0.code)]
    Refused(Fault),
    /// Another request writes to it.
    #[error("another request writes to this upload")]
    Locked,
    /// The bytes do not follow those that are stored.
    #[error("{stored} bytes are stored")]
    WrongOffset {
        /// Where to go on.
        stored: u64,
    },
    /// More bytes than the upload has room for.
    #[error("the bytes exceed the upload's length")]
    TooLarge,
    /// The checksum does not match; nothing of the request was kept.
    #[error("the checksum does not match")]
    Mismatch,
    /// The user has too many uploads under way.
    #[error("too many uploads under way")]
    TooManyOpen,
    /// The bytes are not all there.
    #[error("the upload is not complete")]
    Incomplete,
    /// The disk has no room for it.
    #[error("the disk is full")]
    Full,
    /// The file could not be looked into; nothing is known against it.
    #[error(transparent)]
    Unready(#[from] Unready),
    /// The database.
    #[error(transparent)]
    Database(#[from] slovo_db::Error),
    /// The disk, or a task that ended badly.
    #[error("the upload cannot be stored: {0}")]
    Io(#[from] io::Error),
}

/// The uploads of this server. Cheap to clone.
#[derive(Clone)]
pub struct Uploads {
    db: Database,
    storage: Storage,
    clock: Arc<dyn Clock>,
    limits: Limits,
    holders: Holders,
    turns: Turns,
    shutdown: CancellationToken,
    tasks: TaskTracker,
}

impl Uploads {
    /// Uploads that are kept in `storage` and `db`; what they do beside requests runs in `tasks`,
    /// and stops at `shutdown` with everything stored that came.
    #[must_use]
    pub fn new(
        db: Database,
        storage: Storage,
        clock: Arc<dyn Clock>,
        limits: Limits,
        shutdown: CancellationToken,
        tasks: TaskTracker,
    ) -> Self {
        Self {
            db,
            storage,
            clock,
            limits,
            holders: Holders::new(shutdown.clone()),
            turns: Turns::default(),
            shutdown,
            tasks,
        }
    }

    /// Where the bytes of an upload or of a job's recording are.
    #[must_use]
    pub fn file(&self, id: Uuid) -> PathBuf {
        self.storage.media(id)
    }

    /// The user's upload, also a refused one; an expired one is an error.
    pub async fn find(&self, user_id: &str, id: Uuid) -> Result<Upload, UploadError> {
        let mut connection = self.db.read().await?;
        let upload = uploads::find(&mut connection, user_id, id).await?;
        let upload = upload.ok_or(UploadError::NotFound)?;
        if upload.expires_at <= self.clock.now_ms() {
            return Err(UploadError::Expired);
        }
        Ok(upload)
    }

    /// The user's upload, if its bytes are still wanted.
    pub async fn usable(&self, user_id: &str, id: Uuid) -> Result<Upload, UploadError> {
        let upload = self.find(user_id, id).await?;
        match upload.problem {
            Some(fault) => Err(UploadError::Refused(fault)),
            None => Ok(upload),
        }
    }

    /// Stores the bytes of one request behind the first `offset`. `announced` is the number that
    /// the request says it brings.
    ///
    /// The work goes on when the request's connection breaks: what came is stored.
    pub async fn append(
        &self,
        user_id: &str,
        id: Uuid,
        offset: u64,
        announced: Option<u64>,
        body: Body,
        checksum: Option<Running>,
    ) -> Result<Upload, UploadError> {
        match self.prepare(user_id, id, offset, announced).await {
            Ok((upload, hold)) => {
                let uploads = self.clone();
                let writing = async move { uploads.write(upload, hold, body, checksum).await };
                self.tasks.spawn(writing).await.map_err(io::Error::other)?
            }
            Err(error) => {
                receive::drain(body.into_data_stream()).await;
                Err(error)
            }
        }
    }

    async fn prepare(
        &self,
        user_id: &str,
        id: Uuid,
        offset: u64,
        announced: Option<u64>,
    ) -> Result<(Upload, Hold), UploadError> {
        // Whose it is first: nobody learns from a lock that an upload exists.
        self.usable(user_id, id).await?;
        let hold = self.holders.take(id, self.clock.now_ms()).await;
        let hold = hold.ok_or(UploadError::Locked)?;
        // Read again: the one who held it before may have moved it on.
        let upload = self.usable(user_id, id).await?;
        if offset != upload.stored {
            return Err(UploadError::WrongOffset {
                stored: upload.stored,
            });
        }
        if announced.is_some_and(|bytes| bytes > upload.size - upload.stored) {
            return Err(UploadError::TooLarge);
        }
        let missing = upload.size - upload.stored;
        if missing > 0 && !self.storage.has_room(missing) {
            return Err(UploadError::Full);
        }
        Ok((upload, hold))
    }

    async fn write(
        &self,
        mut upload: Upload,
        hold: Hold,
        body: Body,
        checksum: Option<Running>,
    ) -> Result<Upload, UploadError> {
        let target = Target {
            path: self.file(upload.id),
            start: upload.stored,
            size: upload.size,
        };
        let mut progress = Progress {
            uploads: self,
            upload: &mut upload,
            refused: None,
        };
        let end =
            receive::receive(target, body, checksum, &hold, &*self.clock, &mut progress).await;
        if let Some(fault) = progress.refused {
            return self.refuse(upload, fault).await;
        }
        match end {
            Ok(End::Whole | End::BrokenOff | End::Refused) => {}
            Ok(End::TooMany) => return Err(UploadError::TooLarge),
            Ok(End::Mismatch) => return Err(UploadError::Mismatch),
            Err(ReceiveError::Locked) => return Err(UploadError::Locked),
            Err(ReceiveError::Shorter(stored)) => {
                let mut transaction = self.db.write().await?;
                uploads::set_stored(&mut transaction, upload.id, stored, upload.expires_at).await?;
                transaction.commit().await?;
                return Err(UploadError::WrongOffset { stored });
            }
            Err(ReceiveError::Io(error)) => return Err(error.into()),
            Err(ReceiveError::Note(error)) => return Err(error),
        }
        if upload.stored == upload.size {
            return self.inspect(upload).await;
        }
        Ok(upload)
    }

    /// Ends the user's upload and removes it.
    pub async fn terminate(&self, user_id: &str, id: Uuid) -> Result<(), UploadError> {
        self.find(user_id, id).await?;
        let _hold = self.holders.seize(id, self.clock.now_ms()).await;
        let mut transaction = self.db.write().await?;
        let removed = uploads::delete(&mut transaction, id).await?;
        transaction.commit().await?;
        // A job may have taken it in the meantime; then the file is the job's.
        if !removed {
            return Err(UploadError::NotFound);
        }
        Ok(self.storage.remove(id).await?)
    }
}

/// Notes what is stored, and looks at the first bytes as soon as there are enough.
struct Progress<'a> {
    uploads: &'a Uploads,
    upload: &'a mut Upload,
    refused: Option<Fault>,
}

impl Note for Progress<'_> {
    type Error = UploadError;

    async fn locked(&mut self) -> Result<(), UploadError> {
        let Upload { user_id, id, .. } = &*self.upload;
        let now = self.uploads.usable(user_id, *id).await?;
        if now.stored != self.upload.stored {
            return Err(UploadError::WrongOffset { stored: now.stored });
        }
        *self.upload = now;
        Ok(())
    }

    async fn stored(&mut self, stored: u64) -> Result<bool, UploadError> {
        let expires_at = self.uploads.clock.now_ms() + LIFETIME_MS;
        let id = self.upload.id;
        let found = if self.upload.container.is_none() {
            content::head(self.uploads.file(id), stored, self.upload.size).await?
        } else {
            Head::Undecided
        };
        let mut transaction = self.uploads.db.write().await?;
        uploads::set_stored(&mut transaction, id, stored, expires_at).await?;
        if let Head::Accepted(container) = &found {
            uploads::set_container(&mut transaction, id, container).await?;
        }
        transaction.commit().await?;
        self.upload.stored = stored;
        self.upload.expires_at = expires_at;
        match found {
            Head::Undecided => {}
            Head::Accepted(container) => self.upload.container = Some(container),
            Head::Refused(fault) => {
                self.refused = Some(fault);
                return Ok(false);
            }
        }
        Ok(true)
    }
}
