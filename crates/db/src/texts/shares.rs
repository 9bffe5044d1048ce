//! Share links: reading a transcript without an account.

use slovo_rules::share::ShareRights;
use uuid::Uuid;

use crate::core::fields::word;
use crate::core::statement::{columns, row_columns, statements};
use crate::jobs::{self, Job};
use crate::{Connection, Result};

/// A link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Share {
    /// Its id, from which its token is derived.
    pub id: Uuid,
    /// The shared job.
    pub job_id: Uuid,
    /// Whether visitors can play the recording.
    pub with_media: bool,
    /// Whether visitors see the recognition confidence of words.
    pub with_confidence: bool,
    /// What visitors may do.
    pub rights: ShareRights,
    /// Hash of its password, if it has one.
    pub password_hash: Option<String>,
    /// Incremented whenever the password is set, changed or removed.
    pub password_version: i64,
    /// Unix milliseconds.
    pub created_at: i64,
    /// Unix milliseconds; `None`: until revoked.
    pub expires_at: Option<i64>,
    /// Number of openings.
    pub opened: u64,
    /// Unix milliseconds.
    pub last_opened_at: Option<i64>,
}

row_columns! {
    fn read_share() -> Share from "shares" by "id" {
        id: uuid,
        job_id: uuid in "my_job_id",
        with_media: flag,
        with_confidence: flag,
        rights: word,
        password_hash: text_or_none,
        password_version: integer,
        created_at: integer,
        expires_at: integer_or_none,
        opened: count,
        last_opened_at: integer_or_none,
    }
}

/// The columns of [`Share`], of a row `s`.
macro_rules! share_columns {
    () => {
        columns!(
            "s.": id, my_job_id, with_media, with_confidence, rights, password_hash,
            password_version, created_at, expires_at, opened, last_opened_at
        )
    };
}

statements! {
    const INSERT_SHARE: BOTH =
        "INSERT INTO shares (id, my_job_id, with_media, created_at, expires_at, with_confidence, \
         rights, password_hash, password_version) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";
}

/// Stores a new link.
///
/// # Errors
/// When the database fails, or the job was deleted.
pub async fn insert(connection: &mut Connection, share: &Share) -> Result<()> {
    sqlx::query(INSERT_SHARE)
        .bind(share.id.to_string())
        .bind(share.job_id.to_string())
        .bind(i64::from(share.with_media))
        .bind(share.created_at)
        .bind(share.expires_at)
        .bind(i64::from(share.with_confidence))
        .bind(word(&share.rights))
        .bind(share.password_hash.as_deref())
        .bind(share.password_version)
        .execute(connection)
        .await?;
    Ok(())
}

statements! {
    const SELECT_SHARE: BOTH -> Share = concat!(
        "SELECT ",
        share_columns!(),
        " FROM shares s WHERE s.id = $1 AND s.my_job_id = $2"
    );
}

/// A link of a job.
///
/// # Errors
/// A row that cannot be read.
pub async fn find(connection: &mut Connection, job_id: Uuid, id: Uuid) -> Result<Option<Share>> {
    sqlx::query(SELECT_SHARE)
        .bind(id.to_string())
        .bind(job_id.to_string())
        .fetch_optional(connection)
        .await?
        .as_ref()
        .map(read_share)
        .transpose()
}

statements! {
    const LOCK_SHARE: BOTH = "UPDATE shares SET rights = rights WHERE id = $1 AND my_job_id = $2";
}

/// A link of a job, locked until the transaction ends.
///
/// # Errors
/// A row that cannot be read.
pub async fn lock(connection: &mut Connection, job_id: Uuid, id: Uuid) -> Result<Option<Share>> {
    // PostgreSQL locks a written row; SQLite has already locked the whole database.
    sqlx::query(LOCK_SHARE)
        .bind(id.to_string())
        .bind(job_id.to_string())
        .execute(&mut *connection)
        .await?;
    find(connection, job_id, id).await
}

statements! {
    const SELECT_SHARES: BOTH -> Share = concat!(
        "SELECT ",
        share_columns!(),
        " FROM shares s WHERE s.my_job_id = $1 ORDER BY s.created_at DESC, s.id DESC"
    );
}

/// The links of a job, including expired ones, newest first.
///
/// # Errors
/// A row that cannot be read.
pub async fn list(connection: &mut Connection, job_id: Uuid) -> Result<Vec<Share>> {
    sqlx::query(SELECT_SHARES)
        .bind(job_id.to_string())
        .fetch_all(connection)
        .await?
        .iter()
        .map(read_share)
        .collect()
}

statements! {
    const SELECT_VALID_SHARE: BOTH -> Share = concat!(
        "SELECT ",
        share_columns!(),
        " FROM shares s JOIN synced_jobs j ON j.my_job_id = s.my_job_id \
         LEFT JOIN synced_users u ON u.auth_user_id = j.auth_user_id \
         WHERE s.id = $1 AND (s.expires_at IS NULL OR s.expires_at > $2) \
         AND j.is_visible_to_user = 1 AND COALESCE(u.status, 'active') = 'active'"
    );
}

/// The link and its job, if the link is valid at `now`: neither revoked nor expired, the job
/// visible and its owner not blocked.
///
/// # Errors
/// A row that cannot be read.
pub async fn find_valid(
    connection: &mut Connection,
    id: Uuid,
    now: i64,
) -> Result<Option<(Share, Job)>> {
    let row = sqlx::query(SELECT_VALID_SHARE)
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

/// What visitors of a link can see and do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SharePermissions {
    /// Whether visitors can play the recording.
    pub with_media: bool,
    /// Whether visitors see the recognition confidence of words.
    pub with_confidence: bool,
    /// What visitors may do.
    pub rights: ShareRights,
}

statements! {
    const CHANGE_SHARE: BOTH =
        "UPDATE shares SET with_media = $3, with_confidence = $4, rights = $5 \
         WHERE id = $1 AND my_job_id = $2";
}

/// Changes what visitors of a job's link can see and do; returns whether the link exists.
///
/// # Errors
/// When the database fails.
pub async fn change(
    connection: &mut Connection,
    job_id: Uuid,
    id: Uuid,
    displayed: SharePermissions,
) -> Result<bool> {
    let done = sqlx::query(CHANGE_SHARE)
        .bind(id.to_string())
        .bind(job_id.to_string())
        .bind(i64::from(displayed.with_media))
        .bind(i64::from(displayed.with_confidence))
        .bind(word(&displayed.rights))
        .execute(connection)
        .await?;
    Ok(done.rows_affected() > 0)
}

statements! {
    const UPDATE_PASSWORD: BOTH =
        "UPDATE shares SET password_hash = $3, password_version = password_version + 1 \
         WHERE id = $1 AND my_job_id = $2";
}

/// Sets, changes or removes the password of a job's link; returns whether the link exists. Access
/// granted earlier becomes invalid.
///
/// # Errors
/// When the database fails.
pub async fn set_password(
    connection: &mut Connection,
    job_id: Uuid,
    id: Uuid,
    hash: Option<&str>,
) -> Result<bool> {
    let done = sqlx::query(UPDATE_PASSWORD)
        .bind(id.to_string())
        .bind(job_id.to_string())
        .bind(hash)
        .execute(connection)
        .await?;
    Ok(done.rows_affected() > 0)
}

statements! {
    const UPDATE_PASSWORD_HASH: BOTH =
        "UPDATE shares SET password_hash = $3 WHERE id = $1 AND password_hash = $2";
}

/// Stores a new hash of the same password, unless the password was changed meanwhile.
///
/// # Errors
/// When the database fails.
pub async fn rehash(connection: &mut Connection, id: Uuid, old: &str, new: &str) -> Result<()> {
    sqlx::query(UPDATE_PASSWORD_HASH)
        .bind(id.to_string())
        .bind(old)
        .bind(new)
        .execute(connection)
        .await?;
    Ok(())
}

statements! {
    const DELETE_SHARE: BOTH = "DELETE FROM shares WHERE id = $1 AND my_job_id = $2";
}

/// Revokes a link of a job; returns whether it existed.
///
/// # Errors
/// When the database fails.
pub async fn remove(connection: &mut Connection, job_id: Uuid, id: Uuid) -> Result<bool> {
    let done = sqlx::query(DELETE_SHARE)
        .bind(id.to_string())
        .bind(job_id.to_string())
        .execute(connection)
        .await?;
    Ok(done.rows_affected() > 0)
}
