//! Folders in which texts are kept up to date: table `targets`, and their files.

pub mod files;
#[cfg(test)]
mod tests;

use slovo_rules::Valid;
use slovo_rules::target::{TargetForm, TargetFormat, TargetKind};
use sqlx::Row;
use uuid::Uuid;

use crate::core::fields::{json, word};
use crate::core::statement::{columns, row_columns, statements};
use crate::sources::{Problem, SealedPassword};
use crate::{Connection, Result};

/// A target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// Its id.
    pub id: Uuid,
    /// Whose it is.
    pub account_id: String,
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: TargetKind,
    /// Address or path.
    pub location: String,
    /// User name; may be empty.
    pub user: String,
    /// The password.
    pub password: Option<SealedPassword>,
    /// The format of its files.
    pub format: TargetFormat,
    /// The folder or tag whose texts it has; it may have been deleted.
    pub group_id: Option<String>,
    /// Whether texts are written.
    pub is_active: bool,
    /// Runs that failed one after the other.
    pub failures: i64,
    /// Why the last run failed.
    pub problem: Option<Problem>,
    /// When the last run ended, Unix milliseconds.
    pub ran_at: Option<i64>,
    /// When the next run may begin, Unix milliseconds; with a lease: when that ends.
    pub next_run_at: i64,
    /// The lease of the process that writes there.
    pub lease_id: Option<String>,
    /// Unix milliseconds.
    pub created_at: i64,
    /// Unix milliseconds.
    pub updated_at: i64,
}

row_columns! {
    fn read() -> Target from "targets" by "id" {
        id: uuid,
        account_id: text,
        name: text,
        kind: word,
        location: text,
        user: text in "user_name",
        password: json_or_none,
        format: word,
        group_id: text_or_none,
        is_active: flag,
        failures: integer,
        problem: json_or_none,
        ran_at: integer_or_none,
        next_run_at: integer,
        lease_id: text_or_none,
        created_at: integer,
        updated_at: integer,
    }
}

macro_rules! target_columns {
    () => {
        columns!(
            "": id, account_id, name, kind, location, user_name, password, format, group_id,
            is_active, failures, problem, ran_at, next_run_at, lease_id, created_at, updated_at
        )
    };
}

/// Whether a target has a text that may be written at $1.
macro_rules! has_due {
    ($target:literal) => {
        concat!(
            "EXISTS (SELECT 1 FROM target_files f WHERE f.target_id = ",
            $target,
            ".id AND f.state = 'waiting' AND f.retry_at <= $1)"
        )
    };
}

statements! {
    const OF_ACCOUNT: BOTH -> Target = concat!(
        "SELECT ", target_columns!(), " FROM targets WHERE account_id = $1 ORDER BY created_at, id"
    );
    const FIND: BOTH -> Target =
        concat!("SELECT ", target_columns!(), " FROM targets WHERE id = $1");
    const COUNT: BOTH = "SELECT COUNT(*) AS n FROM targets WHERE account_id = $1";
    const INSERT: BOTH =
        "INSERT INTO targets (id, account_id, name, kind, location, user_name, password, format, \
         group_id, is_active, next_run_at, created_at, updated_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11, $11)";
    // A lease is left to the process that has it.
    const UPDATE: BOTH =
        "UPDATE targets SET name = $2, location = $3, user_name = $4, password = $5, format = $6, \
         group_id = $7, is_active = $8, failures = 0, problem = NULL, \
         next_run_at = CASE WHEN lease_id IS NULL THEN CAST($9 AS BIGINT) ELSE next_run_at END, \
         updated_at = $9 WHERE id = $1";
    const LOCK_ACCOUNT: BOTH =
        "UPDATE accounts SET id = id WHERE id = (SELECT account_id FROM targets WHERE id = $1)";
    const DELETE: BOTH = "DELETE FROM targets WHERE id = $1";
    const RUN_SOON: BOTH =
        "UPDATE targets SET next_run_at = $2 \
         WHERE id = $1 AND is_active = 1 AND lease_id IS NULL AND next_run_at > $2";
    const ANY_DUE: BOTH = concat!(
        "SELECT 1 AS n FROM targets t WHERE t.is_active = 1 AND t.next_run_at <= $1 AND ",
        has_due!("t"), " LIMIT 1"
    );
    // One at a time for each account, so that nobody takes all the room.
    const CLAIM: BOTH -> Target = concat!(
        "UPDATE targets SET lease_id = $2, next_run_at = $3 \
         WHERE is_active = 1 AND next_run_at <= $1 AND id = (SELECT t.id FROM targets t \
         WHERE t.is_active = 1 AND t.next_run_at <= $1 AND NOT EXISTS (SELECT 1 FROM targets o \
         WHERE o.account_id = t.account_id AND o.lease_id IS NOT NULL AND o.next_run_at > $1) AND ",
        has_due!("t"),
        " ORDER BY t.next_run_at, t.id LIMIT 1) RETURNING ", target_columns!()
    );
    const HOLD: BOTH =
        "UPDATE targets SET next_run_at = $3 WHERE id = $1 AND lease_id = $2 AND updated_at = $4";
    const RENEW: BOTH = "UPDATE targets SET next_run_at = $3 WHERE id = $1 AND lease_id = $2";
    const SUCCEED: BOTH =
        "UPDATE targets SET lease_id = NULL, failures = 0, problem = NULL, ran_at = $3, \
         next_run_at = $4 WHERE id = $1 AND lease_id = $2";
    const FAIL: BOTH =
        "UPDATE targets SET lease_id = NULL, failures = failures + 1, problem = $5, ran_at = $3, \
         next_run_at = $4 WHERE id = $1 AND lease_id = $2";
    const RELEASE: BOTH =
        "UPDATE targets SET lease_id = NULL, next_run_at = $3 WHERE id = $1 AND lease_id = $2";
}

/// The targets of an account, oldest first.
///
/// # Errors
/// A row that cannot be read.
pub async fn of_account(connection: &mut Connection, account_id: &str) -> Result<Vec<Target>> {
    let rows = sqlx::query(OF_ACCOUNT)
        .bind(account_id)
        .fetch_all(connection)
        .await?;
    rows.iter().map(read).collect()
}

/// The target `id`.
///
/// # Errors
/// A row that cannot be read.
pub async fn find(connection: &mut Connection, id: Uuid) -> Result<Option<Target>> {
    let row = sqlx::query(FIND)
        .bind(id.to_string())
        .fetch_optional(connection)
        .await?;
    row.as_ref().map(read).transpose()
}

/// Number of targets of an account.
///
/// # Errors
/// When the database fails.
pub async fn count(connection: &mut Connection, account_id: &str) -> Result<i64> {
    let row = sqlx::query(COUNT)
        .bind(account_id)
        .fetch_one(connection)
        .await?;
    Ok(row.try_get("n")?)
}

/// Stores a new target.
///
/// # Errors
/// When the database fails.
pub async fn insert(
    connection: &mut Connection,
    account_id: &str,
    id: Uuid,
    form: &Valid<TargetForm>,
    password: Option<&SealedPassword>,
    now: i64,
) -> Result<()> {
    sqlx::query(INSERT)
        .bind(id.to_string())
        .bind(account_id)
        .bind(&form.name)
        .bind(word(&form.kind))
        .bind(&form.location)
        .bind(&form.user)
        .bind(password.map(json))
        .bind(word(&form.format))
        .bind(form.group_id.as_deref())
        .bind(i64::from(form.is_active))
        .bind(now)
        .execute(&mut *connection)
        .await?;
    if form.take_existing {
        files::add_all(connection, id, account_id).await?;
    }
    Ok(())
}

/// Changes a target. If its files are other ones now, all texts that it has are written again.
///
/// # Errors
/// When the database fails.
pub async fn update(
    connection: &mut Connection,
    id: Uuid,
    form: &Valid<TargetForm>,
    password: Option<&SealedPassword>,
    (are_others, now): (bool, i64),
) -> Result<()> {
    // First, so that a run that stores a result either ends before it or sees the change.
    sqlx::query(UPDATE)
        .bind(id.to_string())
        .bind(&form.name)
        .bind(&form.location)
        .bind(&form.user)
        .bind(password.map(json))
        .bind(word(&form.format))
        .bind(form.group_id.as_deref())
        .bind(i64::from(form.is_active))
        .bind(now)
        .execute(&mut *connection)
        .await?;
    if are_others {
        // Many rows: in PostgreSQL two such changes of one account could otherwise deadlock.
        sqlx::query(LOCK_ACCOUNT)
            .bind(id.to_string())
            .execute(&mut *connection)
            .await?;
        files::begin_anew(connection, id).await?;
    }
    Ok(())
}

/// Deletes a target; the files that were written stay where they are.
///
/// # Errors
/// When the database fails.
pub async fn delete(connection: &mut Connection, id: Uuid) -> Result<()> {
    sqlx::query(DELETE)
        .bind(id.to_string())
        .execute(connection)
        .await?;
    Ok(())
}

/// Lets an active target run now, unless that is happening.
///
/// # Errors
/// When the database fails.
pub async fn run_soon(connection: &mut Connection, id: Uuid, now: i64) -> Result<()> {
    sqlx::query(RUN_SOON)
        .bind(id.to_string())
        .bind(now)
        .execute(connection)
        .await?;
    Ok(())
}

/// Whether a target may run and has something to write.
///
/// # Errors
/// When the database fails.
pub async fn any_due(connection: &mut Connection, now: i64) -> Result<bool> {
    let row = sqlx::query(ANY_DUE)
        .bind(now)
        .fetch_optional(connection)
        .await?;
    Ok(row.is_some())
}

/// Leases the target that has been due for longest until `until` (Unix milliseconds), except those of
/// accounts of which one is leased already.
///
/// # Errors
/// A row that cannot be read.
pub async fn claim(
    connection: &mut Connection,
    lease: &str,
    now: i64,
    until: i64,
) -> Result<Option<Target>> {
    let row = sqlx::query(CLAIM)
        .bind(now)
        .bind(lease)
        .bind(until)
        .fetch_optional(connection)
        .await?;
    row.as_ref().map(read).transpose()
}

/// Extends a lease until `until` (Unix milliseconds). `false` if it is lost.
///
/// # Errors
/// When the database fails.
pub async fn renew(connection: &mut Connection, target: &Target, until: i64) -> Result<bool> {
    let done = sqlx::query(RENEW)
        .bind(target.id.to_string())
        .bind(target.lease_id.as_deref())
        .bind(until)
        .execute(connection)
        .await?;
    Ok(done.rows_affected() > 0)
}

/// [`renew`] for a target that has not been changed since it was leased. It cannot be changed before
/// the transaction ends.
///
/// # Errors
/// When the database fails.
pub async fn hold(connection: &mut Connection, target: &Target, until: i64) -> Result<bool> {
    let done = sqlx::query(HOLD)
        .bind(target.id.to_string())
        .bind(target.lease_id.as_deref())
        .bind(until)
        .bind(target.updated_at)
        .execute(connection)
        .await?;
    Ok(done.rows_affected() > 0)
}

/// Stores that a run has succeeded, or why it failed, and when the next one may begin.
///
/// # Errors
/// When the database fails.
pub async fn finish(
    connection: &mut Connection,
    target: &Target,
    outcome: Result<(), &Problem>,
    (now, next): (i64, i64),
) -> Result<()> {
    let query = match outcome {
        Ok(()) => sqlx::query(SUCCEED),
        Err(_) => sqlx::query(FAIL),
    };
    let mut query = query
        .bind(target.id.to_string())
        .bind(target.lease_id.as_deref())
        .bind(now)
        .bind(next);
    if let Err(problem) = outcome {
        query = query.bind(json(problem));
    }
    query.execute(connection).await?;
    Ok(())
}

/// Gives a lease back without a result.
///
/// # Errors
/// When the database fails.
pub async fn release(connection: &mut Connection, target: &Target, next: i64) -> Result<()> {
    sqlx::query(RELEASE)
        .bind(target.id.to_string())
        .bind(target.lease_id.as_deref())
        .bind(next)
        .execute(connection)
        .await?;
    Ok(())
}
