//! Creates uploads: checks the limits of the user and the disk space.

use slovo_db::jobs::uploads::{self, NewUpload, OpenUploads, Upload};
use slovo_rules::upload::MAX_OPEN_UPLOADS;

use crate::upload_locks::UploadLock;
use crate::{UploadError, Uploads, lifetime_ms, open_bytes};

/// After this long without bytes an empty upload may be replaced by a new one of its user: a page
/// closed before sending anything must not block them for a day.
const IDLE_MS: i64 = 10 * 60 * 1000;

fn fits(open: OpenUploads, size: u64, limit: u64) -> bool {
    open.count < MAX_OPEN_UPLOADS && open.bytes + size <= limit
}

impl Uploads {
    /// Creates an upload, if the user may have one more.
    ///
    /// # Errors
    /// When the user has too many, the disk has no space, or the database fails.
    pub async fn create(&self, upload: NewUpload) -> Result<Upload, UploadError> {
        let size = upload.size.unwrap_or_default();
        if !self.storage.has_room(size) {
            return Err(UploadError::Full);
        }
        let limit = open_bytes(self.settings.current().await?.limits.upload_bytes());
        let mut transaction = self.db.write().await?;
        let mut open = uploads::open(&mut transaction, &upload.user_id, upload.created_at).await?;
        let mut evicted = Vec::new();
        if !fits(open, size, limit) {
            evicted = self
                .evict(&mut transaction, &upload, &mut open, limit)
                .await?;
        }
        if !fits(open, size, limit) {
            return Err(UploadError::TooManyOpen);
        }
        uploads::insert(&mut transaction, &upload).await?;
        transaction.commit().await?;
        for hold in evicted {
            self.remove_held(hold.id()).await?;
        }
        self.find(&upload.user_id, upload.id).await
    }

    /// Removes the user's oldest empty uploads without a writer, as many as the new one needs. They
    /// stay locked until their files are removed.
    async fn evict(
        &self,
        transaction: &mut slovo_db::Connection,
        new: &NewUpload,
        open: &mut OpenUploads,
        limit: u64,
    ) -> Result<Vec<UploadLock>, UploadError> {
        // An upload expires a fixed time after its last activity.
        let idle_since = |upload: &Upload| upload.expires_at - lifetime_ms(upload.kind);
        let now = new.created_at;
        let mut idle = uploads::empty(transaction, &new.user_id, now).await?;
        idle.retain(|upload| idle_since(upload) <= now - IDLE_MS);
        idle.sort_by_key(idle_since);
        let mut holds = Vec::new();
        for upload in idle {
            if fits(*open, new.size.unwrap_or_default(), limit) {
                break;
            }
            let Some(hold) = self.locks.take_free(upload.id, self.clock.monotonic_ms()) else {
                continue;
            };
            uploads::delete(transaction, upload.id).await?;
            open.count = open.count.saturating_sub(1);
            open.bytes = open.bytes.saturating_sub(upload.counted());
            holds.push(hold);
        }
        Ok(holds)
    }
}
