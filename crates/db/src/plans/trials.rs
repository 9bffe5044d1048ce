//! Plans on trial: table `plan_trials`. Giving a user another plan, or none, ends a trial
//! (`ledger::change_plan`).

use sqlx::Row;

use crate::core::statement::statements;
use crate::{Connection, Result};

statements! {
    const INSERT: BOTH = "INSERT INTO plan_trials (user_id, ends_at) VALUES ($1, $2)";
}

/// Marks a user's plan as a trial.
///
/// # Errors
/// When the database fails.
pub async fn insert(connection: &mut Connection, user_id: &str, ends_at: i64) -> Result<()> {
    sqlx::query(INSERT)
        .bind(user_id)
        .bind(ends_at)
        .execute(connection)
        .await?;
    Ok(())
}

statements! {
    const SELECT_END: BOTH = "SELECT ends_at FROM plan_trials WHERE user_id = $1";
}

/// When the trial of a user's plan ends, Unix milliseconds; `None` if it is not on trial.
///
/// # Errors
/// When the database fails.
pub async fn ends_at(connection: &mut Connection, user_id: &str) -> Result<Option<i64>> {
    let row = sqlx::query(SELECT_END)
        .bind(user_id)
        .fetch_optional(connection)
        .await?;
    Ok(row.map(|row| row.try_get("ends_at")).transpose()?)
}

statements! {
    const SELECT_EXPIRED: BOTH =
        "SELECT user_id FROM plan_trials WHERE ends_at <= $1 ORDER BY ends_at, user_id LIMIT $2";
}

/// At most `limit` users whose trial has ended at `now`, oldest first.
///
/// # Errors
/// When the database fails.
pub async fn expired(connection: &mut Connection, now: i64, limit: i64) -> Result<Vec<String>> {
    let rows = sqlx::query(SELECT_EXPIRED)
        .bind(now)
        .bind(limit)
        .fetch_all(connection)
        .await?;
    let ids = rows.iter().map(|row| row.try_get("user_id"));
    Ok(ids.collect::<Result<_, sqlx::Error>>()?)
}

statements! {
    const REMOVE: BOTH = "DELETE FROM plan_trials WHERE user_id = $1";
}

/// Deletes a user's trial, if any.
///
/// # Errors
/// When the database fails.
pub(crate) async fn remove(connection: &mut Connection, user_id: &str) -> Result<()> {
    sqlx::query(REMOVE)
        .bind(user_id)
        .execute(connection)
        .await?;
    Ok(())
}
