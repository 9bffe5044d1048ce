//! Keys of repeated requests to create a job: table `idempotency_keys`.

use uuid::Uuid;

use crate::core::statement::{row_columns, statements};
use crate::{Connection, Result};

/// What was created with a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownRequest {
    /// The job.
    pub job: Uuid,
    /// SHA-256 of the request, in hexadecimal.
    pub request: String,
}

row_columns! {
    fn read() -> KnownRequest from "idempotency_keys" by "my_job_id" {
        job: uuid in "my_job_id",
        request: text,
    }
}

statements! {
    const FIND: BOTH -> KnownRequest =
        "SELECT my_job_id, request FROM idempotency_keys \
         WHERE user_id = $1 AND idempotency_key = $2 AND created_at >= $3";
    const INSERT: BOTH =
        "INSERT INTO idempotency_keys (user_id, idempotency_key, my_job_id, request, created_at) \
         VALUES ($1, $2, $3, $4, $5) ON CONFLICT (user_id, idempotency_key) DO NOTHING";
    const REMOVE_BEFORE: BOTH = "DELETE FROM idempotency_keys WHERE created_at < $1";
    const REMOVE_OLD: BOTH =
        "DELETE FROM idempotency_keys \
         WHERE user_id = $1 AND idempotency_key = $2 AND created_at < $3";
}

/// What the account created with this key at `since` (Unix milliseconds) or later.
///
/// # Errors
/// A row that cannot be read.
pub async fn find(
    connection: &mut Connection,
    user_id: &str,
    key: &str,
    since: i64,
) -> Result<Option<KnownRequest>> {
    let row = sqlx::query(FIND)
        .bind(user_id)
        .bind(key)
        .bind(since)
        .fetch_optional(connection)
        .await?;
    row.as_ref().map(read).transpose()
}

/// Stores what was created with a key, in the transaction that creates it. `false` if the key has
/// been used at `since` or later; then the transaction must not be committed.
///
/// # Errors
/// When the database fails.
pub async fn insert(
    connection: &mut Connection,
    user_id: &str,
    key: &str,
    known: &KnownRequest,
    (now, since): (i64, i64),
) -> Result<bool> {
    sqlx::query(REMOVE_OLD)
        .bind(user_id)
        .bind(key)
        .bind(since)
        .execute(&mut *connection)
        .await?;
    let done = sqlx::query(INSERT)
        .bind(user_id)
        .bind(key)
        .bind(known.job.to_string())
        .bind(&known.request)
        .bind(now)
        .execute(connection)
        .await?;
    Ok(done.rows_affected() > 0)
}

/// Removes keys that were used before this time (Unix milliseconds); returns how many.
///
/// # Errors
/// When the database fails.
pub async fn remove_before(connection: &mut Connection, before: i64) -> Result<u64> {
    let done = sqlx::query(REMOVE_BEFORE)
        .bind(before)
        .execute(connection)
        .await?;
    Ok(done.rows_affected())
}
