//! Links by which somebody without an account reads a transcript.

use sqlx::any::AnyRow;
use uuid::Uuid;

use crate::fields::Fields;
use crate::jobs::{self, Job};
use crate::{Connection, Result};

/// One link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Share {
    /// Its id, of which its token is made.
    pub id: Uuid,
    /// What it shows.
    pub job_id: Uuid,
    /// Whether the recording can be heard.
    pub with_media: bool,
    /// Unix milliseconds.
    pub created_at: i64,
    /// Unix milliseconds; none: until it is withdrawn.
    pub expires_at: Option<i64>,
    /// How often it was opened.
    pub opened: u64,
    /// Unix milliseconds.
    pub last_opened_at: Option<i64>,
}

fn read_share(row: &AnyRow) -> Result<Share> {
    let fields = Fields::new(row, "shares", "id")?;
    Ok(Share {
        id: fields.uuid("id")?,
        job_id: fields.uuid("my_job_id")?,
        with_media: fields.integer("with_media")? != 0,
        created_at: fields.integer("created_at")?,
        expires_at: fields.integer_or_none("expires_at")?,
        opened: fields.count("opened")?,
        last_opened_at: fields.integer_or_none("last_opened_at")?,
    })
}

/// Stores a new link.
///
/// # Errors
/// When the database fails, or the job is gone.
pub async fn insert(connection: &mut Connection, share: &Share) -> Result<()> {
    sqlx::query(
        "INSERT INTO shares (id, my_job_id, with_media, created_at, expires_at) \
         VALUES ($1, $2, $3, $4, $5)",
    )
    .bind(share.id.to_string())
    .bind(share.job_id.to_string())
    .bind(i64::from(share.with_media))
    .bind(share.created_at)
    .bind(share.expires_at)
    .execute(connection)
    .await?;
    Ok(())
}

/// The links of a job, those that have expired among them, the newest first.
///
/// # Errors
/// A row that cannot be read.
pub async fn list(connection: &mut Connection, job_id: Uuid) -> Result<Vec<Share>> {
    sqlx::query("SELECT * FROM shares WHERE my_job_id = $1 ORDER BY created_at DESC, id DESC")
        .bind(job_id.to_string())
        .fetch_all(connection)
        .await?
        .iter()
        .map(read_share)
        .collect()
}

/// The link and the job that it shows, if it opens anything at `now`: it is neither withdrawn nor
/// expired, its job is to be seen and its owner may use the server.
///
/// # Errors
/// A row that cannot be read.
pub async fn in_force(
    connection: &mut Connection,
    id: Uuid,
    now: i64,
) -> Result<Option<(Share, Job)>> {
    let row = sqlx::query(
        "SELECT s.* FROM shares s JOIN synced_jobs j ON j.my_job_id = s.my_job_id \
         LEFT JOIN synced_users u ON u.auth_user_id = j.auth_user_id \
         WHERE s.id = $1 AND (s.expires_at IS NULL OR s.expires_at > $2) \
         AND j.is_visible_to_user = 1 AND COALESCE(u.status, 'active') = 'active'",
    )
    .bind(id.to_string())
    .bind(now)
    .fetch_optional(&mut *connection)
    .await?;
    let Some(share) = row.as_ref().map(read_share).transpose()? else {
        return Ok(None);
    };
    let job = jobs::find_any(connection, share.job_id).await?;
    Ok(job.map(|job| (share, job)))
}

/// Counts that a link was opened.
///
/// # Errors
/// When the database fails.
pub async fn count_opening(connection: &mut Connection, id: Uuid, now: i64) -> Result<()> {
    sqlx::query("UPDATE shares SET opened = opened + 1, last_opened_at = $2 WHERE id = $1")
        .bind(id.to_string())
        .bind(now)
        .execute(connection)
        .await?;
    Ok(())
}

/// Withdraws a link of a job; whether there was one.
///
/// # Errors
/// When the database fails.
pub async fn remove(connection: &mut Connection, job_id: Uuid, id: Uuid) -> Result<bool> {
    let done = sqlx::query("DELETE FROM shares WHERE id = $1 AND my_job_id = $2")
        .bind(id.to_string())
        .bind(job_id.to_string())
        .execute(connection)
        .await?;
    Ok(done.rows_affected() > 0)
}
