//! Removes the files of deleted rows: at once after the deletion, and at startup and every minute
//! for those that a dead process left.

use std::time::Duration;

use slovo_accounts::avatars::Avatars;
use slovo_db::Database;
use slovo_db::core::file_removals::{self, Removal};
use slovo_db::jobs::uploads;
use slovo_uploads::Uploads;
use tokio_util::sync::CancellationToken;

/// How often remaining files are looked for.
const EVERY: Duration = Duration::from_secs(60);
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
    pub async fn keep_worked_off(self, shutdown: CancellationToken) {
        loop {
            if let Err(error) = self.work_off().await {
                tracing::error!(%error, "removed files could not be looked for; trying again");
            }
            tokio::select! {
                () = shutdown.cancelled() => return,
                () = tokio::time::sleep(EVERY) => {}
            }
        }
    }

    /// Removes all files that are due. One that cannot be removed is tried again later and does not
    /// block the others.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn work_off(&self) -> slovo_db::Result<()> {
        let mut last = None;
        loop {
            let mut connection = self.db.read().await?;
            let some = file_removals::list(&mut connection, last.as_ref(), BATCH).await?;
            drop(connection);
            for removal in &some {
                if let Err(error) = self.remove(removal).await {
                    tracing::error!(?removal, %error, "not removed; trying again");
                }
            }
            last = match some.into_iter().last() {
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
                    tracing::error!(%id, "a recording that is to be removed is somebody's; it stays");
                } else {
                    drop(connection);
                    self.uploads.remove_file(*id).await?;
                }
            }
            Removal::Avatar { user_id, version } => self.avatars.remove(user_id, version).await?,
            Removal::Avatars { user_id } => self.avatars.remove_all(user_id).await?,
        }
        let mut transaction = self.db.write().await?;
        file_removals::done(&mut transaction, removal).await?;
        Ok(transaction.commit().await?)
    }
}

#[cfg(test)]
mod tests {
    use slovo_db::lifecycle::deletion;
    use uuid::Uuid;

    use super::*;
    use crate::testing::{Backend, apply, each_database, with_server};

    #[apply(each_database!)]
    fn what_a_dead_process_left_is_removed_and_what_is_somebodys_stays(backend: Backend) {
        with_server(backend, async |server| {
            let (gone, stays) = (Uuid::from_u128(1), Uuid::from_u128(2));
            let me = server.signup("a@example.com").await;
            let leaver = server.signup("b@example.com").await;
            let state = &server.state;
            let avatars = state.config.data().join("avatars");
            for who in [&me, &leaver] {
                let stored = state.avatars.store(&who.user_id, "v1", vec![1]).await;
                stored.unwrap();
            }
            for (id, who) in [(gone, &leaver), (stays, &me)] {
                let upload = uploads::NewUpload {
                    id,
                    user_id: who.user_id.clone(),
                    filename: "a.wav".to_owned(),
                    content_type: String::new(),
                    kind: slovo_rules::upload::UploadKind::File,
                    size: Some(1),
                    created_at: 0,
                    expires_at: i64::MAX,
                };
                state.uploads.create(upload).await.unwrap();
                std::fs::write(state.storage.media(id), "x").unwrap();
            }
            // The process dies after the rows are deleted.
            let mut transaction = state.db.write().await.unwrap();
            let deleted = deletion::delete_account(&mut transaction, &leaver.user_id).await;
            deleted.unwrap();
            file_removals::add(&mut transaction, &Removal::Media(stays))
                .await
                .unwrap();
            transaction.commit().await.unwrap();
            assert!(state.storage.media(gone).exists());
            state.file_removals().work_off().await.unwrap();
            assert!(!state.storage.media(gone).exists() && state.storage.media(stays).exists());
            assert!(!avatars.join(&leaver.user_id).exists() && avatars.join(&me.user_id).exists());
            let left = file_removals::list(&mut state.db.read().await.unwrap(), None, 9).await;
            assert_eq!(left.unwrap(), []);
        });
    }
}
