//! Named versions of a transcript: table `transcript_marks`.

use sqlx::Row;
use sqlx::any::AnyRow;
use uuid::Uuid;

use crate::core::statement::{columns, row_columns, statements};
#[cfg(test)]
use crate::texts::edits::Author;
use crate::texts::edits::{WithAuthor, author_name};
use crate::{Connection, Result};

/// A name for the current state of a transcript.
#[derive(Debug, Clone)]
pub struct NewMark<'a> {
    /// Its id.
    pub id: Uuid,
    /// The job.
    pub job: Uuid,
    /// The run.
    pub version: i64,
    /// The name, validated.
    pub name: &'a str,
    /// The author's account id.
    pub author_id: &'a str,
    /// Unix milliseconds.
    pub now: i64,
}

/// A named state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark {
    /// Its id.
    pub id: Uuid,
    /// The run.
    pub version: u32,
    /// Number of its last edit; 0 if there is none.
    pub seq: u32,
    /// The name.
    pub name: String,
    /// The author's account id.
    pub author_id: String,
    /// Unix milliseconds.
    pub at: i64,
}

row_columns! {
    fn read_mark() -> Mark from "transcript_marks" by "id" {
        id: uuid,
        version: index,
        seq: index,
        name: text,
        author_id: text,
        at: integer,
    }
}

fn read(row: &AnyRow) -> Result<WithAuthor<Mark>> {
    Ok(WithAuthor {
        of: read_mark(row)?,
        author_name: author_name(row)?,
    })
}

/// Selects named states `m` with their authors.
macro_rules! select {
    ($condition:literal) => {
        concat!(
            "SELECT ",
            columns!("m.": id, version, seq, name, author_id, at),
            ", NULLIF(p.fullname, '') AS author_name, a.email AS author_email \
             FROM transcript_marks m LEFT JOIN profiles p ON p.user_id = m.author_id \
             LEFT JOIN accounts a ON a.id = m.author_id ",
            $condition
        )
    };
}

statements! {
    const INSERT_MARK: BOTH =
        "INSERT INTO transcript_marks (id, my_job_id, version, seq, name, author_id, at) \
         SELECT $1, my_job_id, version, seq, $4, $5, $6 FROM transcript_heads \
         WHERE my_job_id = $2 AND version = $3";
}

/// Names the current state of a transcript; `false` if there is no such transcript.
///
/// # Errors
/// When the database fails.
pub async fn insert(connection: &mut Connection, mark: &NewMark<'_>) -> Result<bool> {
    let done = sqlx::query(INSERT_MARK)
        .bind(mark.id.to_string())
        .bind(mark.job.to_string())
        .bind(mark.version)
        .bind(mark.name)
        .bind(mark.author_id)
        .bind(mark.now)
        .execute(connection)
        .await?;
    Ok(done.rows_affected() > 0)
}

statements! {
    const SELECT_MARK: BOTH -> Mark, Author = select!("WHERE m.id = $1 AND m.my_job_id = $2");
}

/// A named state of the job.
///
/// # Errors
/// A row that cannot be read.
pub async fn find(
    connection: &mut Connection,
    job: Uuid,
    id: Uuid,
) -> Result<Option<WithAuthor<Mark>>> {
    sqlx::query(SELECT_MARK)
        .bind(id.to_string())
        .bind(job.to_string())
        .fetch_optional(connection)
        .await?
        .as_ref()
        .map(read)
        .transpose()
}

statements! {
    const SELECT_MARKS: BOTH -> Mark, Author =
        select!("WHERE m.my_job_id = $1 ORDER BY m.at, m.id");
}

/// The job's named states, oldest first.
///
/// # Errors
/// A row that cannot be read.
pub async fn list(connection: &mut Connection, job: Uuid) -> Result<Vec<WithAuthor<Mark>>> {
    sqlx::query(SELECT_MARKS)
        .bind(job.to_string())
        .fetch_all(connection)
        .await?
        .iter()
        .map(read)
        .collect()
}

statements! {
    const COUNT_MARKS: BOTH = "SELECT COUNT(*) AS marks FROM transcript_marks WHERE my_job_id = $1";
}

/// Number of the job's named states.
///
/// # Errors
/// When the database fails.
pub async fn count(connection: &mut Connection, job: Uuid) -> Result<i64> {
    let row = sqlx::query(COUNT_MARKS)
        .bind(job.to_string())
        .fetch_one(connection)
        .await?;
    Ok(row.try_get("marks")?)
}

statements! {
    const DELETE_MARK: BOTH = "DELETE FROM transcript_marks WHERE id = $1 AND my_job_id = $2";
}

/// Deletes a name; `false` if the job has no such one.
///
/// # Errors
/// When the database fails.
pub async fn delete(connection: &mut Connection, job: Uuid, id: Uuid) -> Result<bool> {
    let done = sqlx::query(DELETE_MARK)
        .bind(id.to_string())
        .bind(job.to_string())
        .execute(connection)
        .await?;
    Ok(done.rows_affected() > 0)
}
