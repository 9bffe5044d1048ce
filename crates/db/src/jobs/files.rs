//! Files made when a job completes, kept unchanged: table `job_files`. The job's own row lists its
//! formats as well, for lists of jobs.

use serde::{Deserialize, Serialize};
use slovo_rules::settings::MadeFile;
use uuid::Uuid;

use crate::core::fields::json;
use crate::core::statement::{row_columns, statements};
use crate::{Connection, Result};

/// A stored file without its content.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct JobFile {
    /// Its format.
    pub format: MadeFile,
    /// The recognition run it was made from.
    pub version: i64,
    /// Unix milliseconds.
    pub made_at: i64,
    /// Bytes.
    pub size: u64,
}

statements! {
    const DELETE_FILES: BOTH = "DELETE FROM job_files WHERE my_job_id = $1";
    const INSERT_FILE: BOTH =
        "INSERT INTO job_files (my_job_id, format, version, made_at, content) \
         VALUES ($1, $2, $3, $4, $5)";
    const UPDATE_MADE_FILES: BOTH = "UPDATE synced_jobs SET made_files = $2 WHERE my_job_id = $1";
}

/// Replaces the job's files with these files of a run. Call it in the transaction that completes
/// the job.
///
/// # Errors
/// When the database fails.
pub async fn replace(
    connection: &mut Connection,
    job_id: Uuid,
    version: i64,
    files: &[(MadeFile, String)],
    now: i64,
) -> Result<()> {
    sqlx::query(DELETE_FILES)
        .bind(job_id.to_string())
        .execute(&mut *connection)
        .await?;
    let mut stored = Vec::with_capacity(files.len());
    for (format, content) in files {
        sqlx::query(INSERT_FILE)
            .bind(job_id.to_string())
            .bind(format.as_str())
            .bind(version)
            .bind(now)
            .bind(content)
            .execute(&mut *connection)
            .await?;
        stored.push(JobFile {
            format: *format,
            version,
            made_at: now,
            size: content.len() as u64,
        });
    }
    sqlx::query(UPDATE_MADE_FILES)
        .bind(job_id.to_string())
        .bind(json(&stored))
        .execute(connection)
        .await?;
    Ok(())
}

/// The content of a file.
struct FileContent {
    content: String,
}

row_columns! {
    fn read() -> FileContent from "job_files" by "my_job_id" {
        content: text,
    }
}

statements! {
    const SELECT_CONTENT: BOTH -> FileContent =
        "SELECT my_job_id, content FROM job_files WHERE my_job_id = $1 AND format = $2";
}

/// The content of a file, if it exists.
///
/// # Errors
/// A row that cannot be read.
pub async fn content(
    connection: &mut Connection,
    job_id: Uuid,
    format: MadeFile,
) -> Result<Option<String>> {
    let row = sqlx::query(SELECT_CONTENT)
        .bind(job_id.to_string())
        .bind(format.as_str())
        .fetch_optional(connection)
        .await?;
    let found = row.as_ref().map(read).transpose()?;
    Ok(found.map(|found| found.content))
}

statements! {
    const SELECT_LINKED_CONTENT: BOTH -> FileContent =
        "SELECT f.my_job_id, f.content FROM job_files f \
         JOIN synced_jobs j ON j.my_job_id = f.my_job_id \
         LEFT JOIN synced_users u ON u.auth_user_id = j.auth_user_id \
         WHERE f.my_job_id = $1 AND f.format = $2 AND f.made_at = $3 \
         AND j.is_visible_to_user = 1 AND COALESCE(u.status, 'active') = 'active'";
}

/// The content of a linked file made at `made_at`; `None` if a later run replaced it, its owner is
/// blocked or the job is hidden.
///
/// # Errors
/// A row that cannot be read.
pub async fn linked(
    connection: &mut Connection,
    job_id: Uuid,
    format: MadeFile,
    made_at: i64,
) -> Result<Option<String>> {
    let row = sqlx::query(SELECT_LINKED_CONTENT)
        .bind(job_id.to_string())
        .bind(format.as_str())
        .bind(made_at)
        .fetch_optional(connection)
        .await?;
    let found = row.as_ref().map(read).transpose()?;
    Ok(found.map(|found| found.content))
}
