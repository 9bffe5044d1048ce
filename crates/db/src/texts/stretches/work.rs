//! The worker's side of the queue of stretches.

use slovo_rules::stretch::StretchStatus;
use sqlx::Row;
use uuid::Uuid;

use super::{Stretch, read, stretch_columns};
use crate::core::fields::word;
use crate::core::lease::{Claim, UNREADABLE_ROW};
use crate::core::statement::{row_columns, statements};
use crate::{Backend, Connection, Error, Result};

/// A lease on a stretch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StretchLease {
    /// The stretch.
    pub stretch: Uuid,
    /// Unique id of this lease.
    pub id: String,
}

/// The stretches `s` that may run at $1.
macro_rules! may_run {
    () => {
        "((s.status = 'waiting' AND s.run_after <= $1) \
        OR (s.status = 'running' AND s.lease_until <= $1))"
    };
}
/// Users with fewer running stretches come first, then those whose last one ended the longest ago.
macro_rules! next {
    ($lock:literal) => {
        concat!(
            "SELECT s.id FROM stretches s WHERE ",
            may_run!(),
            " ORDER BY (SELECT COUNT(*) FROM stretches r WHERE r.user_id = s.user_id \
            AND r.status = 'running' AND r.id <> s.id), \
            (SELECT COALESCE(MAX(f.finished_at), 0) FROM stretches f \
            WHERE f.user_id = s.user_id), s.created_at, s.id LIMIT 1",
            $lock
        )
    };
}

statements! {
    const SELECT_NEXT_SQLITE: SQLITE = next!("");
    const SELECT_NEXT_POSTGRES: POSTGRES = next!(" FOR UPDATE OF s SKIP LOCKED");
    const TAKE_STRETCH: BOTH -> Stretch = concat!(
        "UPDATE stretches SET status = $2, percent = 0, attempts = attempts + 1, lease_id = $3, \
         lease_owner = $4, lease_until = $5 WHERE id = $1 RETURNING ",
        stretch_columns!()
    );
    const FAIL_UNREADABLE: BOTH =
        "UPDATE stretches SET status = $2, error = $3, finished_at = $4, lease_id = NULL, \
         lease_owner = NULL, lease_until = NULL WHERE id = $1";
}

/// Takes the next stretch that may run, if there is one. Must run in a write transaction; the claim
/// takes effect when it is committed. A stretch with an unreadable row fails in the same
/// transaction, and the next one is taken.
///
/// # Errors
/// When the database fails.
pub async fn claim(
    connection: &mut Connection,
    backend: Backend,
    claim: &Claim<'_>,
) -> Result<Option<(StretchLease, Stretch)>> {
    let next = match backend {
        Backend::Sqlite => SELECT_NEXT_SQLITE,
        Backend::Postgres => SELECT_NEXT_POSTGRES,
    };
    loop {
        let found = sqlx::query(next)
            .bind(claim.now)
            .fetch_optional(&mut *connection)
            .await?;
        let Some(found) = found else {
            return Ok(None);
        };
        let key: String = found.try_get("id")?;
        let row = sqlx::query(TAKE_STRETCH)
            .bind(&key)
            .bind(word(&StretchStatus::Running))
            .bind(&claim.lease_id)
            .bind(claim.owner)
            .bind(claim.until)
            .fetch_one(&mut *connection)
            .await?;
        match read(&row) {
            Ok(stretch) => {
                let lease = StretchLease {
                    stretch: stretch.id,
                    id: claim.lease_id.clone(),
                };
                return Ok(Some((lease, stretch)));
            }
            Err(error @ Error::Row { .. }) => {
                tracing::error!(stretch = %key, %error, "a stretch fails because of its row");
                sqlx::query(FAIL_UNREADABLE)
                    .bind(&key)
                    .bind(word(&StretchStatus::Failed))
                    .bind(UNREADABLE_ROW)
                    .bind(claim.now)
                    .execute(&mut *connection)
                    .await?;
            }
            Err(error) => return Err(error),
        }
    }
}

statements! {
    const SELECT_ANY_WAITING: BOTH = concat!(
        "SELECT 1 AS found FROM stretches s WHERE ",
        may_run!(),
        " LIMIT 1"
    );
}

/// Whether [`claim`] or [`give_up`] would find anything.
///
/// # Errors
/// When the database fails.
pub async fn any_waiting(connection: &mut Connection, now: i64) -> Result<bool> {
    let row = sqlx::query(SELECT_ANY_WAITING)
        .bind(now)
        .fetch_optional(connection)
        .await?;
    Ok(row.is_some())
}

statements! {
    const STORE_PROGRESS: BOTH =
        "UPDATE stretches SET lease_until = $3, \
         percent = CASE WHEN $4 > percent THEN $4 ELSE percent END \
         WHERE id = $1 AND lease_id = $2";
    const SELECT_IS_LEASE_VALID: BOTH =
        "SELECT 1 AS found FROM stretches WHERE id = $1 AND lease_id = $2";
}

/// Renews the lease and stores the progress, 0 to 100, which never decreases; `false` if the lease
/// is lost.
///
/// # Errors
/// When the database fails.
pub async fn store_progress(
    connection: &mut Connection,
    lease: &StretchLease,
    until: i64,
    percent: f64,
) -> Result<bool> {
    let done = sqlx::query(STORE_PROGRESS)
        .bind(lease.stretch.to_string())
        .bind(&lease.id)
        .bind(until)
        .bind(percent)
        .execute(connection)
        .await?;
    Ok(done.rows_affected() > 0)
}

/// Whether the lease is still valid.
///
/// # Errors
/// When the database fails.
pub async fn is_lease_valid(connection: &mut Connection, lease: &StretchLease) -> Result<bool> {
    let row = sqlx::query(SELECT_IS_LEASE_VALID)
        .bind(lease.stretch.to_string())
        .bind(&lease.id)
        .fetch_optional(connection)
        .await?;
    Ok(row.is_some())
}

statements! {
    const END_STRETCH: BOTH =
        "UPDATE stretches SET status = $3, seq = $4, found_language = $5, error = $6, \
         finished_at = $7, percent = CASE WHEN CAST($6 AS TEXT) IS NULL THEN 100 ELSE percent END, \
         lease_id = NULL, lease_owner = NULL, lease_until = NULL WHERE id = $1 AND lease_id = $2";
}

/// Records the edit with this number as the result, and the language of its words, and ends the
/// claim; `false` if the lease is lost. Runs in the transaction of the edit.
///
/// # Errors
/// When the database fails.
pub async fn complete(
    connection: &mut Connection,
    lease: &StretchLease,
    edit: (u32, &str),
    now: i64,
) -> Result<bool> {
    end(connection, lease, Ok(edit), now).await
}

/// Marks a stretch as failed, with a code, and ends the claim; `false` if the lease is lost.
///
/// # Errors
/// When the database fails.
pub async fn fail(
    connection: &mut Connection,
    lease: &StretchLease,
    code: &str,
    now: i64,
) -> Result<bool> {
    end(connection, lease, Err(code), now).await
}

async fn end(
    connection: &mut Connection,
    lease: &StretchLease,
    result: Result<(u32, &str), &str>,
    now: i64,
) -> Result<bool> {
    let status = match result {
        Ok(_) => StretchStatus::Done,
        Err(_) => StretchStatus::Failed,
    };
    let done = sqlx::query(END_STRETCH)
        .bind(lease.stretch.to_string())
        .bind(&lease.id)
        .bind(word(&status))
        .bind(result.ok().map(|(seq, _)| i64::from(seq)))
        .bind(result.ok().map(|(_, language)| language))
        .bind(result.err())
        .bind(now)
        .execute(connection)
        .await?;
    Ok(done.rows_affected() > 0)
}

statements! {
    const REQUEUE_STRETCH: BOTH =
        "UPDATE stretches SET status = $3, run_after = $4, percent = 0, attempts = attempts - $5, \
         lease_id = NULL, lease_owner = NULL, lease_until = NULL WHERE id = $1 AND lease_id = $2";
}

/// Ends the claim, for a retry from `run_after` (Unix milliseconds) on; with `forgive` the claim
/// does not count. `false` if the lease is lost.
///
/// # Errors
/// When the database fails.
pub async fn retry_later(
    connection: &mut Connection,
    lease: &StretchLease,
    run_after: i64,
    forgive: bool,
) -> Result<bool> {
    let done = sqlx::query(REQUEUE_STRETCH)
        .bind(lease.stretch.to_string())
        .bind(&lease.id)
        .bind(word(&StretchStatus::Waiting))
        .bind(run_after)
        .bind(i64::from(forgive))
        .execute(connection)
        .await?;
    Ok(done.rows_affected() > 0)
}

/// A stretch that was given up.
struct GivenUp {
    my_job_id: Uuid,
}

row_columns! {
    fn read_given_up() -> GivenUp from "stretches" by "id" {
        my_job_id: uuid,
    }
}

statements! {
    const EXPIRE_LEASES_OF_OWNER: BOTH =
        "UPDATE stretches SET lease_until = $2 WHERE lease_owner = $1 AND lease_until > $2";
    const GIVE_UP_STRETCHES: BOTH -> GivenUp =
        "UPDATE stretches SET status = $1, error = $2, finished_at = $3, lease_id = NULL, \
         lease_owner = NULL, lease_until = NULL \
         WHERE status = $4 AND lease_until <= $3 AND attempts >= $5 RETURNING id, my_job_id";
}

/// Ends the leases of a dead worker process. Returns the number of stretches.
///
/// # Errors
/// When the database fails.
pub async fn expire_leases(connection: &mut Connection, owner: &str, now: i64) -> Result<u64> {
    let done = sqlx::query(EXPIRE_LEASES_OF_OWNER)
        .bind(owner)
        .bind(now)
        .execute(connection)
        .await?;
    Ok(done.rows_affected())
}

/// Gives up stretches that were claimed `attempts` times and whose lease has expired. Returns the
/// ids of their jobs.
///
/// # Errors
/// When the database fails.
pub async fn give_up(
    connection: &mut Connection,
    attempts: i64,
    code: &str,
    now: i64,
) -> Result<Vec<Uuid>> {
    let rows = sqlx::query(GIVE_UP_STRETCHES)
        .bind(word(&StretchStatus::Failed))
        .bind(code)
        .bind(now)
        .bind(word(&StretchStatus::Running))
        .bind(attempts)
        .fetch_all(connection)
        .await?;
    // A malformed id cannot be reported; its stretch is given up all the same.
    let given_up = rows.iter().filter_map(|row| read_given_up(row).ok());
    Ok(given_up.map(|stretch| stretch.my_job_id).collect())
}
