//! Finding jobs by name, tag or transcript.
//!
//! It has three parts, each with its own file: the jobs whose index entry is out of date
//! ([`mark_stale`], [`stale`]); the index, with one document per job ([`write`], [`find`]); and the
//! passages that show the words found in a job ([`passages`]). `slovo_rules::search` splits and
//! lower-cases words, and `slovo_stems` maps them to keys shared by their inflected forms, so that
//! both databases find the same: PostgreSQL's own configurations do not include Ukrainian, and
//! SQLite has none.

mod document;
mod finding;
mod passage;
mod schema;
mod terms;

use uuid::Uuid;

pub use document::{Document, write};
pub use finding::find;
pub use passage::{Passage, passages};
pub(crate) use schema::SCHEMA;
pub use terms::{Term, Terms};

use crate::core::statement::{row_columns, statements};
use crate::targets::files;
use crate::{Connection, Result};

statements! {
    const MARK_JOB_STALE: BOTH =
        "INSERT INTO search_documents (my_job_id, changed, indexed) \
         SELECT j.my_job_id, 1, 0 FROM synced_jobs j WHERE j.my_job_id = $1 \
         ON CONFLICT (my_job_id) DO UPDATE SET changed = search_documents.changed + 1";
}

/// Marks the index entry of a job as stale, and its files at targets. Call it in the transaction that
/// changes the job's name, tags or displayed transcript. Does nothing if the job was deleted.
///
/// # Errors
/// When the database fails.
pub async fn mark_stale(connection: &mut Connection, job_id: Uuid) -> Result<()> {
    sqlx::query(MARK_JOB_STALE)
        .bind(job_id.to_string())
        .execute(&mut *connection)
        .await?;
    files::mark(connection, job_id).await
}

statements! {
    const LOCK_ACCOUNT: BOTH = "UPDATE accounts SET id = id WHERE id = $1";
    const MARK_TAGGED_JOBS_STALE: BOTH =
        "UPDATE search_documents SET changed = changed + 1 WHERE my_job_id IN \
         (SELECT o.my_job_id FROM grouped_jobs o JOIN job_groups g ON g.id = o.group_id \
         WHERE g.id = $1 AND g.user_id = $2 AND g.kind = 'tag')";
}

/// Marks the jobs of a tag as stale. Call it in the transaction that renames or deletes the tag.
/// Does nothing for a folder or for another user's tag.
///
/// # Errors
/// When the database fails.
pub async fn mark_tagged_jobs_stale(
    connection: &mut Connection,
    user_id: &str,
    id: Uuid,
) -> Result<()> {
    // Serialises these updates per account; in PostgreSQL two of them could otherwise deadlock.
    sqlx::query(LOCK_ACCOUNT)
        .bind(user_id)
        .execute(&mut *connection)
        .await?;
    sqlx::query(MARK_TAGGED_JOBS_STALE)
        .bind(id.to_string())
        .bind(user_id)
        .execute(&mut *connection)
        .await?;
    files::mark_tagged(connection, user_id, id).await
}

/// A job whose index entry is out of date.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stale {
    /// The job.
    pub job_id: Uuid,
    /// Its change counter; passed to [`write`] with the data read after this.
    pub changed: i64,
    /// Whether it was never indexed.
    pub new: bool,
}

row_columns! {
    fn read_stale() -> Stale from "search_documents" by "my_job_id" {
        job_id: uuid in "my_job_id",
        changed: integer,
        new: integer in "indexed" => |indexed| indexed == 0,
    }
}

statements! {
    const SELECT_STALE_JOBS: BOTH -> Stale =
        "SELECT d.my_job_id, d.changed, d.indexed FROM search_documents d \
         JOIN synced_jobs j ON j.my_job_id = d.my_job_id \
         WHERE d.changed <> d.indexed ORDER BY j.created_at, d.my_job_id LIMIT $1";
}

/// At most `limit` jobs to be indexed.
///
/// # Errors
/// When the database fails.
pub async fn stale(connection: &mut Connection, limit: u32) -> Result<Vec<Stale>> {
    sqlx::query(SELECT_STALE_JOBS)
        .bind(i64::from(limit))
        .fetch_all(connection)
        .await?
        .iter()
        .map(read_stale)
        .collect()
}

statements! {
    const GIVE_UP_INDEXING: BOTH =
        "UPDATE search_documents SET indexed = $2 WHERE my_job_id = $1 AND indexed < $2";
}

/// Marks a job that cannot be read as indexed, until it changes again.
///
/// # Errors
/// When the database fails.
pub async fn give_up(connection: &mut Connection, stale: &Stale) -> Result<()> {
    sqlx::query(GIVE_UP_INDEXING)
        .bind(stale.job_id.to_string())
        .bind(stale.changed)
        .execute(connection)
        .await?;
    Ok(())
}

#[cfg(test)]
mod tests;
