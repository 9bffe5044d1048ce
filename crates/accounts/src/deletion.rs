//! Deletes an account with all its data.
//!
//! The rows are deleted in one transaction, including the sessions: after its commit nobody is
//! signed in to the account and no run of its jobs holds a lease. The files follow. If the process
//! dies in between, rows that name the files remain and are processed after the next start
//! (`slovo_db::core::file_removals`).

use std::sync::Arc;

use futures_util::future::BoxFuture;
use serde_json::Value;
use slovo_db::lifecycle::deletion::{self, DeletionOutcome, LeftoverFiles};
use slovo_db::{Database, accounts};
use slovo_platform::clock::Clock;
use slovo_platform::random::Random;
use tokio_util::task::TaskTracker;

use crate::audit::{Audit, Change};
use crate::auth::Caller;
use crate::auth::proof::{PasswordProof, ProofError};

/// Why an account was not deleted.
#[derive(Debug)]
pub enum DeletionError {
    /// It is the last administrator's account.
    LastAdmin,
    /// It does not exist any more.
    NoAccount,
    /// The password confirmation is no longer valid.
    NotProven(ProofError),
    /// An internal error.
    Internal(anyhow::Error),
}

impl<E: Into<anyhow::Error>> From<E> for DeletionError {
    fn from(error: E) -> Self {
        Self::Internal(error.into())
    }
}

/// Stops what still runs for a deleted account, and removes its files.
pub type LeftoverCleaner = Arc<dyn Fn(LeftoverFiles) -> BoxFuture<'static, ()> + Send + Sync>;

/// Deletes accounts. Clones share everything.
#[derive(Clone)]
pub struct Parts {
    /// The database.
    pub db: Database,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// Randomness, for ids of audit entries.
    pub random: Arc<dyn Random>,
    /// Deletions are spawned here, so that the server waits for them.
    pub tasks: TaskTracker,
    /// What follows after the rows are gone.
    pub clear: LeftoverCleaner,
}

/// Deletes an account. Continues if the client disconnects.
///
/// # Errors
/// [`DeletionError`].
pub async fn delete(
    parts: &Parts,
    user_id: String,
    proof: PasswordProof,
) -> Result<(), DeletionError> {
    let deleting = delete_here(parts.clone(), user_id, DeletionActor::Owner(proof));
    parts.tasks.spawn(deleting).await?
}

/// Deletes another user's account and records it in the audit log; as with all entries about a
/// deleted account, without naming it.
///
/// # Errors
/// [`DeletionError`].
pub async fn delete_by_administrator(
    parts: &Parts,
    user_id: String,
    by: Caller,
) -> Result<(), DeletionError> {
    let deleting = delete_here(
        parts.clone(),
        user_id,
        DeletionActor::Administrator(Box::new(by)),
    );
    parts.tasks.spawn(deleting).await?
}

/// Who deletes an account.
enum DeletionActor {
    Owner(PasswordProof),
    Administrator(Box<Caller>),
}

async fn delete_here(
    parts: Parts,
    user_id: String,
    by: DeletionActor,
) -> Result<(), DeletionError> {
    let mut transaction = parts.db.write().await?;
    match by {
        DeletionActor::Owner(proof) => {
            let proven = proof.hold(&mut transaction, parts.clock.now_ms()).await;
            proven.map_err(DeletionError::NotProven)?;
        }
        DeletionActor::Administrator(caller) => {
            let account = accounts::get(&mut transaction, &user_id).await?;
            let account = account.ok_or(DeletionError::NoAccount)?;
            let change = Change {
                action: "user.delete",
                kind: "user",
                id: &user_id,
                name: &account.email,
                before: Value::Null,
                after: Value::Null,
            };
            let audit = Audit {
                db: &parts.db,
                clock: &*parts.clock,
                random: &*parts.random,
            };
            audit.record(&mut transaction, &caller, change).await?;
        }
    }
    let left = match deletion::delete_account(&mut transaction, &user_id).await? {
        DeletionOutcome::Done(left) => left,
        DeletionOutcome::LastAdmin => return Err(DeletionError::LastAdmin),
        DeletionOutcome::NoAccount => return Err(DeletionError::NoAccount),
    };
    transaction.commit().await?;
    tracing::info!(user = %user_id, jobs = left.jobs.len(), "an account was removed");
    (parts.clear)(left).await;
    Ok(())
}
