//! Deletes an account with all its data.
//!
//! The rows are deleted in one transaction, including the sessions: after its commit nobody is
//! signed in to the account and no run of its jobs holds a lease. The files follow. If the process
//! dies in between, rows that name the files remain and are processed after the next start
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

/// Why an account was not deleted.
#[derive(Debug)]
pub enum Kept {
    /// It is the last administrator's account.
    LastAdmin,
    /// It does not exist any more.
    NoAccount,
    /// The password confirmation is no longer valid.
    NotProven(NotProven),
    /// An internal error.
    Internal(anyhow::Error),
}

impl<E: Into<anyhow::Error>> From<E> for Kept {
    fn from(error: E) -> Self {
        Self::Internal(error.into())
    }
}

/// Deletes an account. Continues if the client disconnects.
///
/// # Errors
/// [`Kept`].
pub async fn delete(state: &AppState, user_id: String, proof: Proof) -> Result<(), Kept> {
    let deleting = delete_here(state.clone(), user_id, By::Owner(proof));
    state.tasks.spawn(deleting).await?
}

/// Deletes another user's account and records it in the audit log; as with all entries about a
/// deleted account, without naming it.
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

/// Who deletes an account.
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
