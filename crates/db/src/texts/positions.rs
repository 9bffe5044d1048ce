//! Playback positions of users: table `playback_positions`.

use std::time::Duration;

use uuid::Uuid;

use crate::core::statement::{row_columns, statements};
use crate::{Connection, Result};

/// A position in a recording.
struct Position {
    place: Duration,
}

row_columns! {
    fn read() -> Position from "playback_positions" by "my_job_id" {
        place: count in "place_ms" => Duration::from_millis,
    }
}

statements! {
    const SELECT_POSITION: BOTH -> Position =
        "SELECT my_job_id, place_ms FROM playback_positions \
         WHERE auth_user_id = $1 AND my_job_id = $2";
}

/// The user's position in this job, or `None` at the beginning.
///
/// # Errors
/// A row that cannot be read.
pub async fn find(
    connection: &mut Connection,
    user_id: &str,
    job: Uuid,
) -> Result<Option<Duration>> {
    let row = sqlx::query(SELECT_POSITION)
        .bind(user_id)
        .bind(job.to_string())
        .fetch_optional(connection)
        .await?;
    let found = row.as_ref().map(read).transpose()?;
    Ok(found.map(|found| found.place))
}

statements! {
    const UPSERT_POSITION: BOTH =
        "INSERT INTO playback_positions (auth_user_id, my_job_id, place_ms, kept_at) \
         SELECT j.auth_user_id, j.my_job_id, $3, $4 FROM synced_jobs j \
         WHERE j.my_job_id = $2 AND j.auth_user_id = $1 \
         ON CONFLICT (auth_user_id, my_job_id) DO UPDATE SET place_ms = excluded.place_ms, \
         kept_at = excluded.kept_at";
}

/// Stores the user's position; the beginning deletes it. Jobs of others are ignored.
///
/// # Errors
/// When the database fails.
pub async fn store(
    connection: &mut Connection,
    user_id: &str,
    job: Uuid,
    place: Duration,
    now: i64,
) -> Result<()> {
    let place = i64::try_from(place.as_millis()).unwrap_or(i64::MAX);
    if place == 0 {
        return delete(connection, user_id, job).await;
    }
    sqlx::query(UPSERT_POSITION)
        .bind(user_id)
        .bind(job.to_string())
        .bind(place)
        .bind(now)
        .execute(connection)
        .await?;
    Ok(())
}

statements! {
    const DELETE_POSITION: BOTH =
        "DELETE FROM playback_positions WHERE auth_user_id = $1 AND my_job_id = $2";
}

async fn delete(connection: &mut Connection, user_id: &str, job: Uuid) -> Result<()> {
    sqlx::query(DELETE_POSITION)
        .bind(user_id)
        .bind(job.to_string())
        .execute(connection)
        .await?;
    Ok(())
}
