//! Resumable uploads without a job: table `uploads`.

mod statements;
#[cfg(test)]
mod tests;

use slovo_rules::media::{Fault, Media};
use slovo_rules::upload::UploadKind;
use sqlx::{Row, any::AnyRow};
use uuid::Uuid;

use crate::core::fields::{Fields, json, word};
use crate::core::file_removals::{self, Removal};
use crate::{Connection, Error, Result};

/// What is known of an upload's length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Length {
    /// Given in bytes at the start.
    Announced(u64),
    /// Not yet known.
    Open,
    /// Given in bytes after the start.
    Declared(u64),
}

impl Length {
    /// The length in bytes, once known.
    #[must_use]
    pub const fn bytes(self) -> Option<u64> {
        match self {
            Self::Announced(bytes) | Self::Declared(bytes) => Some(bytes),
            Self::Open => None,
        }
    }

    const fn word(self) -> &'static str {
        match self {
            Self::Announced(_) => "announced",
            Self::Open => "open",
            Self::Declared(_) => "declared",
        }
    }
}

/// A new upload, before its first byte.
#[derive(Debug, Clone)]
pub struct NewUpload {
    /// Also the file's name in the storage.
    pub id: Uuid,
    /// The owner's account id.
    pub user_id: String,
    /// File name from the client, cleaned for display.
    pub filename: String,
    /// MIME type from the client; may be empty.
    pub content_type: String,
    /// Source of its bytes.
    pub kind: UploadKind,
    /// Length in bytes; `None` if given later.
    pub size: Option<u64>,
    /// Unix milliseconds.
    pub created_at: i64,
    /// When it is deleted, Unix milliseconds.
    pub expires_at: i64,
}

/// An upload.
#[derive(Debug, Clone, PartialEq)]
pub struct Upload {
    /// Also the file's name in the storage.
    pub id: Uuid,
    /// The owner's account id.
    pub user_id: String,
    /// File name from the client, cleaned for display.
    pub filename: String,
    /// MIME type from the client; may be empty.
    pub content_type: String,
    /// Source of its bytes.
    pub kind: UploadKind,
    /// Its length.
    pub length: Length,
    /// Bytes stored on the disk.
    pub stored: u64,
    /// Container detected from the first bytes, once there are enough.
    pub container: Option<String>,
    /// Contents of the complete file.
    pub media: Option<Media>,
    /// Why it was rejected.
    pub problem: Option<Fault>,
    /// Unix milliseconds.
    pub created_at: i64,
    /// When it is deleted, Unix milliseconds.
    pub expires_at: i64,
}

impl Upload {
    /// Whether all bytes are stored; `false` while the length is unknown.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.length.bytes() == Some(self.stored)
    }

    /// The bytes that count towards the user's limit: the length, or what is stored.
    #[must_use]
    pub fn counted(&self) -> u64 {
        self.length.bytes().unwrap_or(self.stored)
    }
}

/// The total of a user's unfinished uploads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OpenUploads {
    /// Number of uploads.
    pub count: u64,
    /// Total length in bytes; for an unknown length, the bytes stored.
    pub bytes: u64,
}

fn read(row: &AnyRow) -> Result<Upload> {
    let row = statements::read_row(row)?;
    let length = match row.length.as_str() {
        "announced" => Length::Announced(row.size),
        "open" => Length::Open,
        "declared" => Length::Declared(row.size),
        other => {
            let reason = format!("length: what is {other}?");
            return Err(Error::row("uploads", row.id.to_string(), reason));
        }
    };
    Ok(Upload {
        id: row.id,
        user_id: row.user_id,
        filename: row.filename,
        content_type: row.content_type,
        kind: row.kind,
        length,
        stored: row.stored,
        container: row.container,
        media: row.media,
        problem: row.problem,
        created_at: row.created_at,
        expires_at: row.expires_at,
    })
}

/// Byte counts are checked against `i64` on input (tus headers), so none is truncated.
fn stored_number(bytes: u64) -> i64 {
    i64::try_from(bytes).unwrap_or(i64::MAX)
}

/// Stores a new upload.
///
/// # Errors
/// A constraint if the account was deleted.
pub async fn insert(connection: &mut Connection, upload: &NewUpload) -> Result<()> {
    let length = upload.size.map_or(Length::Open, Length::Announced);
    sqlx::query(statements::INSERT_UPLOAD)
        .bind(upload.id.to_string())
        .bind(&upload.user_id)
        .bind(&upload.filename)
        .bind(&upload.content_type)
        .bind(word(&upload.kind))
        .bind(length.word())
        .bind(stored_number(upload.size.unwrap_or_default()))
        .bind(upload.created_at)
        .bind(upload.expires_at)
        .execute(connection)
        .await?;
    Ok(())
}

/// The user's upload `id`; another user's is not found.
///
/// # Errors
/// A row that cannot be read.
pub async fn find(connection: &mut Connection, user_id: &str, id: Uuid) -> Result<Option<Upload>> {
    sqlx::query(statements::SELECT_UPLOAD)
        .bind(id.to_string())
        .bind(user_id)
        .fetch_optional(connection)
        .await?
        .as_ref()
        .map(read)
        .transpose()
}

/// At most `limit` of the user's uploads that have neither expired nor been rejected, newest first.
///
/// # Errors
/// A row that cannot be read.
pub async fn list(
    connection: &mut Connection,
    user_id: &str,
    now: i64,
    limit: i64,
) -> Result<Vec<Upload>> {
    sqlx::query(statements::SELECT_UPLOADS)
        .bind(user_id)
        .bind(now)
        .bind(limit)
        .fetch_all(connection)
        .await?
        .iter()
        .map(read)
        .collect()
}

/// The total of the user's uploads that have neither expired nor been rejected.
///
/// # Errors
/// When the database fails.
pub async fn open(connection: &mut Connection, user_id: &str, now: i64) -> Result<OpenUploads> {
    let row = sqlx::query(statements::SELECT_OPEN_UPLOADS)
        .bind(user_id)
        .bind(now)
        .fetch_one(connection)
        .await?;
    statements::read_open(&row)
}

/// Stores that the first `stored` bytes are on the disk, and the new expiry time.
///
/// # Errors
/// When the database fails.
pub async fn set_stored(
    connection: &mut Connection,
    id: Uuid,
    stored: u64,
    expires_at: i64,
) -> Result<()> {
    sqlx::query(statements::UPDATE_STORED)
        .bind(id.to_string())
        .bind(stored_number(stored))
        .bind(expires_at)
        .execute(connection)
        .await?;
    Ok(())
}

/// Records that more bytes are stored. `false`, without a change, if it was deleted, or another writer
/// has recorded other bytes than `from`.
///
/// # Errors
/// When the database fails.
pub async fn advance(
    connection: &mut Connection,
    id: Uuid,
    from: u64,
    to: u64,
    expires_at: i64,
) -> Result<bool> {
    let done = sqlx::query(statements::ADVANCE_STORED)
        .bind(id.to_string())
        .bind(stored_number(to))
        .bind(expires_at)
        .bind(stored_number(from))
        .execute(connection)
        .await?;
    Ok(done.rows_affected() == 1)
}

/// Sets the length in bytes of an upload that started without one. `false`, without a change, if it
/// was deleted or rejected, has a length, or has more bytes than that.
///
/// # Errors
/// When the database fails.
pub async fn declare_length(connection: &mut Connection, id: Uuid, bytes: u64) -> Result<bool> {
    let done = sqlx::query(statements::DECLARE_LENGTH)
        .bind(id.to_string())
        .bind(stored_number(bytes))
        .execute(connection)
        .await?;
    Ok(done.rows_affected() > 0)
}

/// Stores the container detected from the first bytes.
///
/// # Errors
/// When the database fails.
pub async fn set_container(connection: &mut Connection, id: Uuid, container: &str) -> Result<()> {
    sqlx::query(statements::UPDATE_CONTAINER)
        .bind(id.to_string())
        .bind(container)
        .execute(connection)
        .await?;
    Ok(())
}

/// Stores the contents of the complete file; `false` if the upload was deleted or rejected.
///
/// # Errors
/// When the database fails.
pub async fn set_media(connection: &mut Connection, id: Uuid, media: &Media) -> Result<bool> {
    let done = sqlx::query(statements::UPDATE_MEDIA)
        .bind(id.to_string())
        .bind(json(media))
        .execute(connection)
        .await?;
    Ok(done.rows_affected() > 0)
}

/// Rejects the upload; `false` if it was deleted or has already been probed: its file may then
/// belong to a job.
///
/// # Errors
/// When the database fails.
pub async fn set_problem(connection: &mut Connection, id: Uuid, problem: &Fault) -> Result<bool> {
    let done = sqlx::query(statements::UPDATE_PROBLEM)
        .bind(id.to_string())
        .bind(json(problem))
        .execute(connection)
        .await?;
    Ok(done.rows_affected() > 0)
}

/// Deletes the row of an upload whose file a job takes over; `false` if there is none or it was
/// rejected.
///
/// # Errors
/// When the database fails.
pub async fn consume(connection: &mut Connection, id: Uuid) -> Result<bool> {
    let done = sqlx::query(statements::TAKE_UPLOAD)
        .bind(id.to_string())
        .execute(connection)
        .await?;
    Ok(done.rows_affected() > 0)
}

/// The user's uploads that have no bytes and have not expired at `now`, oldest first.
///
/// # Errors
/// A row that cannot be read.
pub async fn empty(connection: &mut Connection, user_id: &str, now: i64) -> Result<Vec<Upload>> {
    sqlx::query(statements::SELECT_EMPTY_UPLOADS)
        .bind(user_id)
        .bind(now)
        .fetch_all(connection)
        .await?
        .iter()
        .map(read)
        .collect()
}

/// Deletes the row and schedules its file for removal; `false` if there was none.
///
/// # Errors
/// When the database fails.
pub async fn delete(connection: &mut Connection, id: Uuid) -> Result<bool> {
    let done = sqlx::query(statements::DELETE_UPLOAD)
        .bind(id.to_string())
        .execute(&mut *connection)
        .await?;
    let is_gone = done.rows_affected() > 0;
    if is_gone {
        file_removals::add(connection, &Removal::Media(id)).await?;
    }
    Ok(is_gone)
}

/// Deletes up to `limit` expired uploads, schedules their files for removal and returns their ids.
///
/// # Errors
/// When the database fails.
pub async fn delete_expired(
    connection: &mut Connection,
    now: i64,
    limit: i64,
) -> Result<Vec<Uuid>> {
    let rows = sqlx::query(statements::DELETE_EXPIRED_UPLOADS)
        .bind(now)
        .bind(limit)
        .fetch_all(&mut *connection)
        .await?;
    let ids = rows
        .iter()
        .map(|row| Fields::new(row, "uploads", "id")?.uuid("id"));
    let ids = ids.collect::<Result<Vec<_>>>()?;
    for id in &ids {
        file_removals::add(connection, &Removal::Media(*id)).await?;
    }
    Ok(ids)
}

/// Whether the file `id` belongs to an upload or to a job.
///
/// # Errors
/// When the database fails.
pub async fn is_referenced(connection: &mut Connection, id: Uuid) -> Result<bool> {
    let row = sqlx::query(statements::COUNT_REFERENCES)
        .bind(id.to_string())
        .fetch_one(connection)
        .await?;
    Ok(row.try_get::<i64, _>("owners")? > 0)
}
