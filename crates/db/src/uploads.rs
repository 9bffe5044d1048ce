//! Resumable uploads that no job has taken yet: table `uploads`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use sqlx::{Row, any::AnyRow};
use uuid::Uuid;

use crate::fields::{Fields, json};
use crate::{Connection, Result};

/// What is wrong with a file or a job, as data: the text comes from the locale files by code.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Fault {
    /// Stable `snake_case` code.
    pub code: String,
    /// What the code's text names, by parameter.
    #[serde(default)]
    pub params: BTreeMap<String, Value>,
}

impl Fault {
    /// A fault whose text names nothing.
    #[must_use]
    pub fn new(code: &str) -> Self {
        Self {
            code: code.to_owned(),
            params: BTreeMap::new(),
        }
    }
}

/// What was found in a complete file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Media {
    /// The container, for example `mp4`.
    pub container: String,
    /// The audio codec, for example `aac`.
    pub codec: String,
    /// Seconds, as the file says; `None` where it does not.
    pub duration: Option<f64>,
    /// Audio tracks.
    pub tracks: u32,
    /// Channels of the first track.
    pub channels: u32,
    /// Whether there are pictures to see.
    pub has_video: bool,
}

/// A new upload, before its first byte.
#[derive(Debug, Clone)]
pub struct NewUpload {
    /// Also the name of its file.
    pub id: Uuid,
    /// Whose it is.
    pub user_id: String,
    /// The client's name for it, cleaned for display.
    pub filename: String,
    /// The MIME type the client declared; may be empty.
    pub content_type: String,
    /// Bytes it will have.
    pub size: u64,
    /// Unix milliseconds.
    pub created_at: i64,
    /// Unix milliseconds after which it is removed.
    pub expires_at: i64,
}

/// An upload.
#[derive(Debug, Clone, PartialEq)]
pub struct Upload {
    /// Also the name of its file.
    pub id: Uuid,
    /// Whose it is.
    pub user_id: String,
    /// The client's name for it, cleaned for display.
    pub filename: String,
    /// The MIME type the client declared; may be empty.
    pub content_type: String,
    /// Bytes it will have.
    pub size: u64,
    /// Bytes known to be on the disk.
    pub stored: u64,
    /// What the first bytes show, once there are enough.
    pub container: Option<String>,
    /// What is in the complete file.
    pub media: Option<Media>,
    /// Why it was refused.
    pub problem: Option<Fault>,
    /// Unix milliseconds after which it is removed.
    pub expires_at: i64,
}

/// What a user's unfinished uploads add up to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OpenUploads {
    /// How many there are.
    pub count: u64,
    /// Bytes they have or will have.
    pub bytes: u64,
}

fn read(row: &AnyRow) -> Result<Upload> {
    let fields = Fields::new(row, "uploads", "id")?;
    Ok(Upload {
        id: fields.uuid("id")?,
        user_id: fields.text("user_id")?,
        filename: fields.text("filename")?,
        content_type: fields.text("content_type")?,
        size: fields.count("size")?,
        stored: fields.count("stored")?,
        container: fields.text_or_none("container")?,
        media: fields.json_or_none("media")?,
        problem: fields.json_or_none("problem")?,
        expires_at: fields.integer("expires_at")?,
    })
}

/// Numbers of bytes are checked against `i64` where they enter (tus headers), so none is cut.
fn stored_number(bytes: u64) -> i64 {
    i64::try_from(bytes).unwrap_or(i64::MAX)
}

/// Stores a new upload.
///
/// # Errors
/// A constraint if the account is gone.
pub async fn insert(connection: &mut Connection, upload: &NewUpload) -> Result<()> {
    sqlx::query(
        "INSERT INTO uploads \
         (id, user_id, filename, content_type, size, stored, created_at, expires_at) \
         VALUES ($1, $2, $3, $4, $5, 0, $6, $7)",
    )
    .bind(upload.id.to_string())
    .bind(&upload.user_id)
    .bind(&upload.filename)
    .bind(&upload.content_type)
    .bind(stored_number(upload.size))
    .bind(upload.created_at)
    .bind(upload.expires_at)
    .execute(connection)
    .await?;
    Ok(())
}

/// The user's upload `id`; somebody else's is not found.
///
/// # Errors
/// A row that cannot be read.
pub async fn find(connection: &mut Connection, user_id: &str, id: Uuid) -> Result<Option<Upload>> {
    sqlx::query("SELECT * FROM uploads WHERE id = $1 AND user_id = $2")
        .bind(id.to_string())
        .bind(user_id)
        .fetch_optional(connection)
        .await?
        .as_ref()
        .map(read)
        .transpose()
}

/// What the user's uploads that have not expired and were not refused add up to.
///
/// # Errors
/// When the database fails.
pub async fn open(connection: &mut Connection, user_id: &str, now: i64) -> Result<OpenUploads> {
    let row = sqlx::query(
        "SELECT COUNT(*) AS uploads, CAST(COALESCE(SUM(size), 0) AS BIGINT) AS bytes \
         FROM uploads WHERE user_id = $1 AND expires_at > $2 AND problem IS NULL",
    )
    .bind(user_id)
    .bind(now)
    .fetch_one(connection)
    .await?;
    Ok(OpenUploads {
        count: row.try_get::<i64, _>("uploads")?.unsigned_abs(),
        bytes: row.try_get::<i64, _>("bytes")?.unsigned_abs(),
    })
}

/// Notes that the first `stored` bytes are on the disk, and when the upload now expires.
///
/// # Errors
/// When the database fails.
pub async fn set_stored(
    connection: &mut Connection,
    id: Uuid,
    stored: u64,
    expires_at: i64,
) -> Result<()> {
    sqlx::query("UPDATE uploads SET stored = $2, expires_at = $3 WHERE id = $1")
        .bind(id.to_string())
        .bind(stored_number(stored))
        .bind(expires_at)
        .execute(connection)
        .await?;
    Ok(())
}

/// Notes what the first bytes show.
///
/// # Errors
/// When the database fails.
pub async fn set_container(connection: &mut Connection, id: Uuid, container: &str) -> Result<()> {
    sqlx::query("UPDATE uploads SET container = $2 WHERE id = $1")
        .bind(id.to_string())
        .bind(container)
        .execute(connection)
        .await?;
    Ok(())
}

/// Notes what is in the complete file; `false` if the upload is gone or was refused.
///
/// # Errors
/// When the database fails.
pub async fn set_media(connection: &mut Connection, id: Uuid, media: &Media) -> Result<bool> {
    let done = sqlx::query("UPDATE uploads SET media = $2 WHERE id = $1 AND problem IS NULL")
        .bind(id.to_string())
        .bind(json(media))
        .execute(connection)
        .await?;
    Ok(done.rows_affected() > 0)
}

/// Refuses the upload for good; `false` if it is gone or a recording was found in it, and then
/// its file may belong to a job.
///
/// # Errors
/// When the database fails.
pub async fn set_problem(connection: &mut Connection, id: Uuid, problem: &Fault) -> Result<bool> {
    let done = sqlx::query("UPDATE uploads SET problem = $2 WHERE id = $1 AND media IS NULL")
        .bind(id.to_string())
        .bind(json(problem))
        .execute(connection)
        .await?;
    Ok(done.rows_affected() > 0)
}

/// Removes the row of an upload whose file a job takes; `false` if there is none, or if it was
/// refused.
///
/// # Errors
/// When the database fails.
pub async fn take(connection: &mut Connection, id: Uuid) -> Result<bool> {
    let done = sqlx::query("DELETE FROM uploads WHERE id = $1 AND problem IS NULL")
        .bind(id.to_string())
        .execute(connection)
        .await?;
    Ok(done.rows_affected() > 0)
}

/// The user's uploads without a byte that are open at `now` and expire until `until`, the oldest
/// first.
///
/// # Errors
/// A row that cannot be read.
pub async fn empty_until(
    connection: &mut Connection,
    user_id: &str,
    now: i64,
    until: i64,
) -> Result<Vec<Upload>> {
    sqlx::query(
        "SELECT * FROM uploads WHERE user_id = $1 AND stored = 0 AND problem IS NULL \
         AND expires_at > $2 AND expires_at <= $3 ORDER BY expires_at, id",
    )
    .bind(user_id)
    .bind(now)
    .bind(until)
    .fetch_all(connection)
    .await?
    .iter()
    .map(read)
    .collect()
}

/// Removes the row; `false` if there was none.
///
/// # Errors
/// When the database fails.
pub async fn delete(connection: &mut Connection, id: Uuid) -> Result<bool> {
    let done = sqlx::query("DELETE FROM uploads WHERE id = $1")
        .bind(id.to_string())
        .execute(connection)
        .await?;
    Ok(done.rows_affected() > 0)
}

/// Removes the rows of up to `limit` uploads that have expired, and says which they were.
///
/// # Errors
/// When the database fails.
pub async fn delete_expired(
    connection: &mut Connection,
    now: i64,
    limit: i64,
) -> Result<Vec<Uuid>> {
    let rows = sqlx::query(
        "DELETE FROM uploads WHERE id IN \
         (SELECT id FROM uploads WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2) \
         RETURNING id",
    )
    .bind(now)
    .bind(limit)
    .fetch_all(connection)
    .await?;
    rows.iter()
        .map(|row| Fields::new(row, "uploads", "id")?.uuid("id"))
        .collect()
}

/// Whether the file `id` belongs to an upload or to a job.
///
/// # Errors
/// When the database fails.
pub async fn is_referenced(connection: &mut Connection, id: Uuid) -> Result<bool> {
    let row = sqlx::query(
        "SELECT (SELECT COUNT(*) FROM uploads WHERE id = $1) \
         + (SELECT COUNT(*) FROM synced_jobs WHERE media_id = $1) AS owners",
    )
    .bind(id.to_string())
    .fetch_one(connection)
    .await?;
    Ok(row.try_get::<i64, _>("owners")? > 0)
}
