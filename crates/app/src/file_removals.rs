//! Removes the files of deleted rows: at once after the deletion, and at startup and every minute
//! for those that a dead process left, and for copies on other machines.

use std::time::Duration;

use slovo_accounts::avatars::Avatars;
use slovo_db::Database;
use slovo_db::core::file_removals::{self, Removal};
use slovo_db::jobs::uploads;
use slovo_uploads::Uploads;
use tokio_util::sync::CancellationToken;

/// How often to check for remaining files.
const INTERVAL: Duration = Duration::from_secs(60);
/// Removals read per query.
const BATCH: u32 = 100;

/// Removes files of deleted rows. Cheap to clone.
#[derive(Clone)]
pub struct FileRemovals {
    /// The rows of pending removals.
    pub db: Database,
    /// The recordings.
    pub uploads: Uploads,
    /// The avatars.
    pub avatars: Avatars,
}

impl FileRemovals {
    /// Processes pending removals periodically until `shutdown` is cancelled.
    pub async fn process_periodically(self, shutdown: CancellationToken) {
        loop {
            if let Err(error) = self.process_due().await {
                tracing::error!(%error, "files could not be removed; trying again");
            }
            if let Err(error) = self.uploads.remove_stale_copies().await {
                tracing::error!(%error, "copies could not be removed; trying again");
            }
            tokio::select! {
                () = shutdown.cancelled() => return,
                () = tokio::time::sleep(INTERVAL) => {}
            }
        }
    }

    /// Removes all files that are due. One that cannot be removed is tried again later and does not
    /// block the others.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn process_due(&self) -> slovo_db::Result<()> {
        let mut last = None;
        loop {
            let mut connection = self.db.read().await?;
            let batch = file_removals::list(&mut connection, last.as_ref(), BATCH).await?;
            drop(connection);
            for removal in &batch {
                if let Err(error) = self.remove(removal).await {
                    tracing::error!(?removal, %error, "not removed; trying again");
                }
            }
            last = match batch.into_iter().last() {
                Some(last) => Some(last),
                None => return Ok(()),
            };
        }
    }

    async fn remove(&self, removal: &Removal) -> anyhow::Result<()> {
        match removal {
            Removal::Media(id) => {
                let mut connection = self.db.read().await?;
                // Never remove a file that is still referenced, whatever the row says.
                if uploads::is_referenced(&mut connection, *id).await? {
                    tracing::error!(%id, "a recording due for removal is in use; it is kept");
                } else {
                    drop(connection);
                    self.uploads.remove_file(*id).await?;
                }
            }
            Removal::Avatar { user_id, version } => self.avatars.remove(user_id, version).await?,
            Removal::Avatars { user_id } => self.avatars.remove_all(user_id).await?,
        }
        let mut transaction = self.db.write().await?;
        file_removals::finish(&mut transaction, removal).await?;
        Ok(transaction.commit().await?)
    }
}
