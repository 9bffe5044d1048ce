//! Read access to a job: for its owner and for administrators. An administrator's access to jobs of
//! others is written to the audit log.

use anyhow::Context;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use serde_json::{Value, json};
use slovo_accounts::audit::Change;
use slovo_app::auth::Caller;
use slovo_app::http::{Path, Problem};
use slovo_app::state::AppState;
use slovo_db::Connection;
use slovo_db::jobs::{self, Job};

use super::JobPath;

/// Minimum time between two audit entries for the same administrator and job, in milliseconds.
const ONE_READING_MS: i64 = 60 * 60 * 1000;

/// A job that the caller can read: their own or, as an administrator, any. Other jobs are not
/// found.
pub(super) struct ReadAccess {
    pub caller: Caller,
    pub job: Job,
}

impl ReadAccess {
    /// Whether the caller owns the job; otherwise they read it as an administrator.
    pub fn is_own(&self) -> bool {
        self.job.user_id == self.caller.user_id
    }

    /// Whether only administrators can see it: it belongs to another user or is hidden from its
    /// owner.
    pub fn as_administrator(&self) -> bool {
        !self.is_own() || !self.job.is_visible
    }
}

impl FromRequestParts<AppState> for ReadAccess {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, Problem> {
        let caller = Caller::from_request_parts(parts, state).await?;
        let Path(JobPath { id }) = Path::from_request_parts(parts, state).await?;
        let mut connection = state.db.read().await?;
        let job = if caller.is_admin() {
            jobs::find_any(&mut connection, id).await?
        } else {
            jobs::find(&mut connection, &caller.user_id, id).await?
        };
        let job = job.ok_or_else(Problem::not_found)?;
        let access = Self { caller, job };
        if !access.is_own() {
            let email = owner_email(&mut connection, &access.job).await?;
            drop(connection);
            note_reading(state, &access, &email).await?;
        }
        Ok(access)
    }
}

/// Logs that an administrator reads a job of another user: at most once an hour, because a page
/// sends many requests.
async fn note_reading(state: &AppState, access: &ReadAccess, email: &str) -> anyhow::Result<()> {
    let id = access.job.id.to_string();
    let reading = Change {
        action: "job.open",
        kind: "job",
        id: &id,
        name: email,
        before: Value::Null,
        after: Value::Null,
    };
    // Exactly one hour later is a new entry.
    let since = state.clock.now_ms() - ONE_READING_MS + 1;
    state
        .audit()
        .record_once(&access.caller, reading, since)
        .await
        .context("the access to a job could not be logged")
}

/// Logs an administrator's change to a job, in the same transaction.
pub(super) async fn note_change(
    connection: &mut Connection,
    state: &AppState,
    caller: &Caller,
    action: &str,
    before: &Job,
) -> slovo_db::Result<()> {
    let email = owner_email(&mut *connection, before).await?;
    let after = jobs::find_any(&mut *connection, before.id).await?;
    let change = Change {
        action,
        kind: "job",
        id: &before.id.to_string(),
        name: &email,
        before: json!({ "status": before.status }),
        after: json!({ "status": after.map(|job| job.status) }),
    };
    state.audit().record(connection, caller, change).await
}

/// The owner's address, which identifies the job in the audit log: file names are private, and the
/// log outlives the files.
async fn owner_email(connection: &mut Connection, job: &Job) -> slovo_db::Result<String> {
    let owner = jobs::owner(connection, job).await?;
    Ok(owner.map(|owner| owner.email).unwrap_or_default())
}
