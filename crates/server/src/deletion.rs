//! The end of an account, with everything that it has.
//!
//! The rows go in one transaction, sessions among them: from its commit on nobody is signed in to
//! the account and no run of its jobs holds a lease. The files follow. A process that dies between
//! the two leaves rows that name them, which are worked off after the next start
//! (`file_removals`).

use futures_util::future::join_all;
use serde_json::Value;
use slovo_db::accounts;
use slovo_db::lifecycle::deletion::{self, Deleted, LeftBehind};

use crate::audit::{self, Change};
use crate::auth::Caller;
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
    let deleting = delete_here(state.clone(), user_id, By::Owner(proof));
    state.tasks.spawn(deleting).await?
}

/// Removes somebody else's account, which is written down; as for everything that was done to a
/// removed account, without saying to whom.
///
/// # Errors
/// [`Kept`].
pub async fn delete_by_administrator(
    state: &AppState,
    user_id: String,
    by: Caller,
) -> Result<(), Kept> {
    let deleting = delete_here(state.clone(), user_id, By::Administrator(Box::new(by)));
    state.tasks.spawn(deleting).await?
}

/// Who removes an account.
enum By {
    Owner(Proof),
    Administrator(Box<Caller>),
}

async fn delete_here(state: AppState, user_id: String, by: By) -> Result<(), Kept> {
    let mut transaction = state.db.write().await?;
    match by {
        By::Owner(proof) => {
            let held = proof.hold(&mut transaction, state.clock.now_ms()).await;
            held.map_err(Kept::NotProven)?;
        }
        By::Administrator(caller) => {
            let account = accounts::get(&mut transaction, &user_id).await?;
            let account = account.ok_or(Kept::NoAccount)?;
            let change = Change {
                action: "user.delete",
                kind: "user",
                id: &user_id,
                name: &account.email,
                before: Value::Null,
                after: Value::Null,
            };
            audit::record(&mut transaction, &state, &caller, change).await?;
        }
    }
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
