//! Finding jobs by their names, by their tags and by what was said in them.
//!
//! Three things, each with its own file: which jobs the index does not know as they are now
//! ([`mark_stale`], [`stale`]); the index, one document for each job ([`write`], [`find`]); and the
//! passages in which the words of a found job are shown ([`passages`]). Words are cut and folded by
//! `slovo_rules::search` and brought to their other forms by `slovo_stems` for both databases, so
//! that they find the same: PostgreSQL's own configurations know no Ukrainian, and SQLite has none.

mod document;
mod finding;
mod passage;
mod schema;
mod terms;

use sqlx::Row;
use uuid::Uuid;

pub use document::{Document, write};
pub use finding::find;
pub use passage::{Passage, passages};
pub(crate) use schema::SCHEMA;
pub use terms::{Term, Terms};

use crate::core::fields::Fields;
use crate::{Connection, Result};

/// Notes that a job's name, tags or shown text have changed, in the transaction that changes it: the index
/// follows. Nothing happens if the job is gone.
///
/// # Errors
/// When the database fails.
pub async fn mark_stale(connection: &mut Connection, job_id: Uuid) -> Result<()> {
    sqlx::query(
        "INSERT INTO search_documents (my_job_id, changed, indexed) \
         SELECT j.my_job_id, 1, 0 FROM synced_jobs j WHERE j.my_job_id = $1 \
         ON CONFLICT (my_job_id) DO UPDATE SET changed = search_documents.changed + 1",
    )
    .bind(job_id.to_string())
    .execute(connection)
    .await?;
    Ok(())
}

/// Notes that the index has to learn of a tag that has another name, or is about to go, in the
/// transaction that changes it. Nothing happens with a folder, or with another's.
///
/// # Errors
/// When the database fails.
pub async fn mark_tagged(connection: &mut Connection, user_id: &str, id: Uuid) -> Result<()> {
    // Of an account one after the other: in PostgreSQL two would wait for each other's rows for good.
    sqlx::query("UPDATE accounts SET id = id WHERE id = $1")
        .bind(user_id)
        .execute(&mut *connection)
        .await?;
    sqlx::query(
        "UPDATE search_documents SET changed = changed + 1 WHERE my_job_id IN \
         (SELECT o.my_job_id FROM grouped_jobs o JOIN job_groups g ON g.id = o.group_id \
         WHERE g.id = $1 AND g.user_id = $2 AND g.kind = 'tag')",
    )
    .bind(id.to_string())
    .bind(user_id)
    .execute(connection)
    .await?;
    Ok(())
}

/// A job that the index does not know as it is now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stale {
    /// The job.
    pub job_id: Uuid,
    /// How often it has changed; given back to [`write`] with what was read after this.
    pub changed: i64,
    /// Whether it was never indexed.
    pub new: bool,
}

/// Jobs that wait to be indexed, at most `limit`.
///
/// # Errors
/// When the database fails.
pub async fn stale(connection: &mut Connection, limit: u32) -> Result<Vec<Stale>> {
    sqlx::query(
        "SELECT d.my_job_id, d.changed, d.indexed FROM search_documents d \
         JOIN synced_jobs j ON j.my_job_id = d.my_job_id \
         WHERE d.changed <> d.indexed ORDER BY j.created_at, d.my_job_id LIMIT $1",
    )
    .bind(i64::from(limit))
    .fetch_all(connection)
    .await?
    .iter()
    .map(|row| {
        Ok(Stale {
            job_id: Fields::new(row, "search_documents", "my_job_id")?.uuid("my_job_id")?,
            changed: row.try_get("changed")?,
            new: row.try_get::<i64, _>("indexed")? == 0,
        })
    })
    .collect()
}

/// Takes a job as indexed that cannot be read, until it changes again.
///
/// # Errors
/// When the database fails.
pub async fn give_up(connection: &mut Connection, stale: &Stale) -> Result<()> {
    sqlx::query("UPDATE search_documents SET indexed = $2 WHERE my_job_id = $1 AND indexed < $2")
        .bind(stale.job_id.to_string())
        .bind(stale.changed)
        .execute(connection)
        .await?;
    Ok(())
}

#[cfg(test)]
mod tests;
