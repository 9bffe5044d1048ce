//! Appends the bytes of one request to an upload.

use std::io;

use slovo_db::jobs::uploads::{self, Length, Upload};
use slovo_rules::media::Fault;
use slovo_storage::{Incoming, OpenError};
use uuid::Uuid;

use crate::checksum::ChecksumHasher;
use crate::content::{self, HeadVerdict};
use crate::receive::{self, Body, BodyEnd, Limit, ReceiveError, SyncObserver, Target};
use crate::upload_locks::UploadLock;
use crate::{UploadError, Uploads, lifetime_ms, open_bytes};

/// What a request announces about its bytes.
#[derive(Debug, Clone, Default)]
pub struct ChunkRequest {
    /// Offset of the first byte.
    pub offset: u64,
    /// Number of bytes, if announced.
    pub announced: Option<u64>,
    /// Length of the whole upload, which may have been unknown until now.
    pub length: Option<u64>,
    /// Expected checksum.
    pub checksum: Option<ChecksumHasher>,
}

/// An upload that a request may write to.
pub(crate) struct WritableUpload {
    pub(crate) upload: Upload,
    pub(crate) hold: UploadLock,
    pub(crate) limit: Limit,
}

/// The upload's length after a request that announces `stated`. A known length never changes, and
/// no length is less than the stored bytes.
fn declared_length(upload: &Upload, stated: Option<u64>) -> Result<Option<u64>, UploadError> {
    match (upload.length.bytes(), stated) {
        (known, None) => Ok(known),
        (Some(known), Some(stated)) if known == stated => Ok(Some(known)),
        (None, Some(stated)) if stated >= upload.stored => Ok(Some(stated)),
        (length, Some(_)) => Err(UploadError::WrongLength {
            length,
            stored: upload.stored,
        }),
    }
}

impl Uploads {
    /// Appends the bytes of one request.
    ///
    /// If the connection breaks, the bytes received so far are still stored.
    ///
    /// # Errors
    /// When the upload does not accept these bytes, or they cannot be stored.
    pub async fn append(
        &self,
        user_id: &str,
        id: Uuid,
        piece: ChunkRequest,
        body: impl Body,
    ) -> Result<Upload, UploadError> {
        match self.prepare(user_id, id, &piece).await {
            Ok(granted) => {
                let uploads = self.clone();
                let writing = async move { uploads.write(granted, piece, body).await };
                self.tasks.spawn(writing).await.map_err(io::Error::other)?
            }
            Err(error) => {
                receive::drain(body).await;
                Err(error)
            }
        }
    }

    async fn prepare(
        &self,
        user_id: &str,
        id: Uuid,
        piece: &ChunkRequest,
    ) -> Result<WritableUpload, UploadError> {
        // Check the owner first, so that a lock does not reveal that an upload exists.
        self.usable(user_id, id).await?;
        let hold = self.locks.take(id, self.clock.monotonic_ms()).await;
        let hold = hold.ok_or(UploadError::Locked)?;
        // Read again: the previous holder may have changed it.
        let upload = self.usable(user_id, id).await?;
        let stored = upload.stored;
        if piece.offset != stored {
            return Err(UploadError::WrongOffset { stored });
        }
        let limit = self.limit(&upload, piece.length).await?;
        let missing = match limit {
            Limit::Length(bytes) if piece.announced.is_some_and(|more| more > bytes - stored) => {
                return Err(UploadError::TooLarge);
            }
            Limit::Length(bytes) => bytes - stored,
            Limit::AtMost(bytes) => piece.announced.unwrap_or(u64::MAX).min(bytes - stored),
        };
        if missing > 0 && !self.storage.has_room(missing) {
            return Err(UploadError::Full);
        }
        Ok(WritableUpload {
            upload,
            hold,
            limit,
        })
    }

    /// How many bytes the upload may have: its length or, while that is unknown, what its user may
    /// still store.
    async fn limit(&self, upload: &Upload, stated: Option<u64>) -> Result<Limit, UploadError> {
        let length = declared_length(upload, stated)?;
        if let (Some(bytes), Some(_)) = (length, upload.length.bytes()) {
            return Ok(Limit::Length(bytes));
        }
        let mut connection = self.db.read().await?;
        let open = uploads::open(&mut connection, &upload.user_id, self.clock.now_ms()).await?;
        drop(connection);
        let others = open.bytes.saturating_sub(upload.counted());
        // Stored bytes are kept even if the limit was lowered meanwhile.
        let largest = self.settings.current().await?.limits.upload_bytes();
        let room = open_bytes(largest)
            .saturating_sub(others)
            .clamp(upload.stored, largest.max(upload.stored));
        match length {
            Some(bytes) if bytes > room => Err(UploadError::TooManyOpen),
            Some(bytes) => Ok(Limit::Length(bytes)),
            None => Ok(Limit::AtMost(room)),
        }
    }

    pub(crate) async fn write(
        &self,
        granted: WritableUpload,
        piece: ChunkRequest,
        body: impl Body,
    ) -> Result<Upload, UploadError> {
        let WritableUpload {
            mut upload,
            hold,
            limit,
        } = granted;
        let target = Target {
            storage: &self.storage,
            id: upload.id,
            start: upload.stored,
            limit,
        };
        let mut progress = Progress {
            uploads: self,
            upload: &mut upload,
            declared_length: piece.length,
            refused: None,
        };
        let (sum, clock) = (piece.checksum, &*self.clock);
        let end = receive::receive(target, body, sum, &hold, clock, &mut progress).await;
        let largest = self.settings.current().await?.limits.upload_bytes();
        if let Some(fault) = progress.refused {
            return self.refuse(upload, fault).await;
        }
        match end {
            Ok(BodyEnd::Whole | BodyEnd::BrokenOff | BodyEnd::Refused) => {}
            Ok(BodyEnd::TooMany) => {
                return Err(match limit {
                    Limit::AtMost(bytes) if bytes < largest => UploadError::TooManyOpen,
                    _ => UploadError::TooLarge,
                });
            }
            Ok(BodyEnd::Mismatch) => return Err(UploadError::Mismatch),
            Err(ReceiveError::Open(OpenError::Locked)) => return Err(UploadError::Locked),
            Err(ReceiveError::Open(OpenError::Missing)) => return Err(UploadError::Missing),
            Err(ReceiveError::Open(OpenError::Shorter(stored))) => {
                let mut transaction = self.db.write().await?;
                uploads::set_stored(&mut transaction, upload.id, stored, upload.expires_at).await?;
                transaction.commit().await?;
                return Err(UploadError::WrongOffset { stored });
            }
            Err(ReceiveError::Io(error) | ReceiveError::Open(OpenError::Io(error))) => {
                return Err(error.into());
            }
            Err(ReceiveError::Observer(error)) => return Err(error),
        }
        if upload.is_complete() {
            return self.inspect(upload).await;
        }
        Ok(upload)
    }
}

/// Records the stored bytes, and checks the first ones as soon as there are enough.
struct Progress<'a> {
    uploads: &'a Uploads,
    upload: &'a mut Upload,
    /// The length that the request declares.
    declared_length: Option<u64>,
    refused: Option<Fault>,
}

impl SyncObserver for Progress<'_> {
    type Error = UploadError;

    async fn locked(&mut self) -> Result<(), UploadError> {
        let Upload { user_id, id, .. } = &*self.upload;
        let mut now = self.uploads.usable(user_id, *id).await?;
        let stored = now.stored;
        if stored != self.upload.stored || now.length != self.upload.length {
            return Err(UploadError::WrongOffset { stored });
        }
        if let (Length::Open, Some(stated)) = (now.length, self.declared_length) {
            let mut transaction = self.uploads.db.write().await?;
            let declared = uploads::declare_length(&mut transaction, *id, stated).await?;
            transaction.commit().await?;
            if !declared {
                return Err(UploadError::WrongOffset { stored });
            }
            now.length = Length::Declared(stated);
        }
        *self.upload = now;
        Ok(())
    }

    async fn stored(&mut self, stored: u64, file: &mut Incoming) -> Result<bool, UploadError> {
        let expires_at = self.uploads.clock.now_ms() + lifetime_ms(self.upload.kind);
        let id = self.upload.id;
        let found = if self.upload.container.is_none() {
            let size = self.upload.length.bytes();
            match content::needed(stored, size) {
                None => HeadVerdict::Undecided,
                Some(bytes) => content::head(&file.head(bytes).await?, stored, size),
            }
        } else {
            HeadVerdict::Undecided
        };
        let mut transaction = self.uploads.db.write().await?;
        let recorded = self.upload.stored;
        if !uploads::advance(&mut transaction, id, recorded, stored, expires_at).await? {
            drop(transaction);
            let now = self.uploads.usable(&self.upload.user_id, id).await?;
            return Err(UploadError::WrongOffset { stored: now.stored });
        }
        if let HeadVerdict::Accepted(container) = &found {
            uploads::set_container(&mut transaction, id, container).await?;
        }
        transaction.commit().await?;
        self.upload.stored = stored;
        self.upload.expires_at = expires_at;
        match found {
            HeadVerdict::Undecided => {}
            HeadVerdict::Accepted(container) => self.upload.container = Some(container),
            HeadVerdict::Refused(fault) => {
                self.refused = Some(fault);
                return Ok(false);
            }
        }
        Ok(true)
    }
}
