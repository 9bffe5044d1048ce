//! The end of an account, with everything that it has.
//!
//! The rows go in one transaction, sessions among them: from its commit on nobody is signed in to
//! the account and no run of its jobs holds a lease. The files follow. A process that dies between
//! the two leaves rows that name them, which are worked off after the next start
//! (`file_removals`).

use futures_util::future::join_all;
use slovo_db::deletion::{self, Deleted, LeftBehind};

use crate::auth::proof::{NotProven, Proof};
use crate::file_removals;
use crate::state::AppState;

/// Why an account stays.
#[derive(Debug)]
pub enum Kept {
    /// It is the last administrator's.
    LastAdmin,
    /// It is gone already.
    NoAccount,
    /// What showed that it is meant holds no longer.
    NotProven(NotProven),
    /// Something broke.
    Internal(anyhow::Error),
}

impl<E: Into<anyhow::Error>> From<E> for Kept {
    fn from(error: E) -> Self {
        Self::Internal(error.into())
    }
}

/// Removes an account. Goes on when the request that asked for it breaks off.
///
/// # Errors
/// [`Kept`].
pub async fn delete(state: &AppState, user_id: String, proof: Proof) -> Result<(), Kept> {
    let deleting = delete_here(state.clone(), user_id, proof);
    state.tasks.spawn(deleting).await?
}

async fn delete_here(state: AppState, user_id: String, proof: Proof) -> Result<(), Kept> {
    let mut transaction = state.db.write().await?;
    let held = proof.hold(&mut transaction, state.clock.now_ms()).await;
    held.map_err(Kept::NotProven)?;
    let left = match deletion::delete_account(&mut transaction, &user_id).await? {
        Deleted::Done(left) => left,
        Deleted::LastAdmin => return Err(Kept::LastAdmin),
        Deleted::NoAccount => return Err(Kept::NoAccount),
    };
    transaction.commit().await?;
    tracing::info!(user = %user_id, jobs = left.jobs.len(), "an account was removed");
    clear(&state, &left).await;
    Ok(())
}

/// Stops what still runs, and removes the files.
async fn clear(state: &AppState, left: &LeftBehind) {
    join_all(left.jobs.iter().map(|id| state.jobs.stop(*id))).await;
    for id in &left.jobs {
        state.jobs.removed(*id);
    }
    if let Err(error) = file_removals::work_off(state).await {
        tracing::error!(%error, "files of a removed account are left; trying again soon");
    }
}
