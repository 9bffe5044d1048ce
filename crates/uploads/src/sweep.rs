//! Removes abandoned uploads and files.

use std::time::Duration;

use slovo_db::core::file_removals::{self, Removal};
use slovo_db::jobs::{self, uploads};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::{UploadError, Uploads, VOICE_LIFETIME_MS};

/// How often the sweeper runs. Uploads live for a day or more; some minutes more do no harm.
const INTERVAL: Duration = Duration::from_secs(10 * 60);
/// Uploads that are removed in one transaction.
const BATCH: i64 = 100;

impl Uploads {
    /// Sweeps periodically until `shutdown`.
    pub async fn sweep_periodically(self, shutdown: CancellationToken) {
        loop {
            if let Err(error) = self.sweep().await {
                tracing::error!(%error, "expired uploads could not be removed; trying again later");
            }
            tokio::select! {
                () = tokio::time::sleep(INTERVAL) => {}
                () = shutdown.cancelled() => return,
            }
        }
    }

    /// Removes the file of a recording whose row is deleted, and stops the request that still
    /// writes to it.
    ///
    /// # Errors
    /// When it exists and cannot be removed.
    pub async fn remove_file(&self, id: Uuid) -> std::io::Result<()> {
        let _hold = self.locks.take_over(id, self.clock.monotonic_ms()).await;
        self.storage.remove(id).await
    }

    /// Removes the file of a recording whose row is deleted and whose lock the caller holds, and
    /// records the removal.
    pub(crate) async fn remove_held(&self, id: Uuid) -> Result<(), UploadError> {
        self.storage.remove(id).await?;
        let mut transaction = self.db.write().await?;
        file_removals::finish(&mut transaction, &Removal::Media(id)).await?;
        Ok(transaction.commit().await?)
    }

    /// Removes expired uploads, and files without a row, left by a process that died before it
    /// created the row. Such a file must also be older than any upload can be, so that an error in
    /// the rows does not cost a recent recording. Finally removes the remains of downloads.
    ///
    /// # Errors
    /// When the database fails, or a file cannot be removed.
    pub async fn sweep(&self) -> Result<(), UploadError> {
        loop {
            let mut transaction = self.db.write().await?;
            let now = self.clock.now_ms();
            let expired = uploads::delete_expired(&mut transaction, now, BATCH).await?;
            transaction.commit().await?;
            if expired.is_empty() {
                break;
            }
            tracing::info!(uploads = expired.len(), "expired uploads removed");
            for id in expired {
                let _hold = self.locks.take_over(id, self.clock.monotonic_ms()).await;
                self.remove_held(id).await?;
            }
        }
        let old = self.clock.now_ms() - VOICE_LIFETIME_MS;
        for file in self.storage.files().await? {
            let id = file.id;
            if file.written_at.is_none_or(|at| at >= old) {
                continue;
            }
            let mut connection = self.db.read().await?;
            if !uploads::is_referenced(&mut connection, id).await? {
                tracing::info!(%id, "a file without an owner removed");
                self.storage.remove(id).await?;
            }
        }
        self.sweep_downloads().await
    }

    /// Removes this machine's copies of recordings that were deleted, here or on another machine.
    ///
    /// # Errors
    /// When the database fails, or a copy cannot be removed.
    pub async fn remove_stale_copies(&self) -> Result<(), UploadError> {
        for id in self.storage.copies().await? {
            let mut connection = self.db.read().await?;
            if !uploads::is_referenced(&mut connection, id).await? {
                self.storage.forget_copy(id).await?;
            }
        }
        Ok(())
    }

    /// Removes the remains of abandoned downloads: the process was killed, and the job has ended or
    /// was removed.
    async fn sweep_downloads(&self) -> Result<(), UploadError> {
        for id in self.storage.download_ids().await? {
            let mut connection = self.db.read().await?;
            if !jobs::is_download_pending(&mut connection, id).await? {
                tracing::info!(%id, "the remains of a download removed");
                self.storage.remove_download_folder(id).await?;
            }
        }
        Ok(())
    }
}
