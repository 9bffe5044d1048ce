//! Comments by visitors of a shared transcript: table `share_comments`.

use uuid::Uuid;

use crate::core::statement::{columns, row_columns, statements};
use crate::{Connection, Result};

/// A comment on a line.
#[derive(Clone, Debug, PartialEq)]
pub struct Comment {
    /// Its id.
    pub id: Uuid,
    /// The job.
    pub job_id: Uuid,
    /// The link it came through; `None` if the link was revoked.
    pub share_id: Option<Uuid>,
    /// The recognition run of the line.
    pub version: u32,
    /// Id of the line's segment.
    pub segment: String,
    /// Start of the line, in seconds.
    pub start: f64,
    /// Text of the line at that time.
    pub line: String,
    /// The visitor's name.
    pub name: String,
    /// Text of the comment.
    pub body: String,
    /// Unix milliseconds.
    pub created_at: i64,
    /// The owner's answer.
    pub answer: Option<String>,
    /// Time of the answer, in Unix milliseconds.
    pub answered_at: Option<i64>,
}

row_columns! {
    fn read() -> Comment from "share_comments" by "id" {
        id: uuid,
        job_id: uuid in "my_job_id",
        share_id: uuid_or_none,
        version: index,
        segment: text,
        start: number in "start_seconds",
        line: text,
        name: text,
        body: text,
        created_at: integer,
        answer: text_or_none,
        answered_at: integer_or_none,
    }
}

/// The columns of [`Comment`].
macro_rules! comment_columns {
    () => {
        columns!(
            "": id, my_job_id, share_id, version, segment, start_seconds, line, name, body,
            created_at, answer, answered_at
        )
    };
}

statements! {
    const INSERT_COMMENT: BOTH =
        "INSERT INTO share_comments (id, my_job_id, share_id, version, segment, start_seconds, \
         line, name, body, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) \
         ON CONFLICT (id) DO NOTHING";
}

/// Stores a comment; one with an existing id is left unchanged.
///
/// # Errors
/// When the database fails, or the job or the link was deleted.
pub async fn insert(connection: &mut Connection, comment: &Comment) -> Result<()> {
    sqlx::query(INSERT_COMMENT)
        .bind(comment.id.to_string())
        .bind(comment.job_id.to_string())
        .bind(comment.share_id.map(|id| id.to_string()))
        .bind(i64::from(comment.version))
        .bind(comment.segment.clone())
        .bind(comment.start)
        .bind(comment.line.clone())
        .bind(comment.name.clone())
        .bind(comment.body.clone())
        .bind(comment.created_at)
        .execute(connection)
        .await?;
    Ok(())
}

statements! {
    const SELECT_COMMENTS_OF_SHARE: BOTH -> Comment = concat!(
        "SELECT ",
        comment_columns!(),
        " FROM share_comments WHERE share_id = $1 ORDER BY created_at, id"
    );
}

/// The comments made through a link, oldest first.
///
/// # Errors
/// A row that cannot be read.
pub async fn of_share(connection: &mut Connection, share_id: Uuid) -> Result<Vec<Comment>> {
    sqlx::query(SELECT_COMMENTS_OF_SHARE)
        .bind(share_id.to_string())
        .fetch_all(connection)
        .await?
        .iter()
        .map(read)
        .collect()
}

statements! {
    const SELECT_COMMENTS_OF_JOB: BOTH -> Comment = concat!(
        "SELECT ",
        comment_columns!(),
        " FROM share_comments WHERE my_job_id = $1 ORDER BY created_at, id"
    );
}

/// All comments on a job's transcript, oldest first.
///
/// # Errors
/// A row that cannot be read.
pub async fn of_job(connection: &mut Connection, job_id: Uuid) -> Result<Vec<Comment>> {
    sqlx::query(SELECT_COMMENTS_OF_JOB)
        .bind(job_id.to_string())
        .fetch_all(connection)
        .await?
        .iter()
        .map(read)
        .collect()
}

/// Numbers of comments.
struct CommentCounts {
    of_share: i64,
    of_job: i64,
}

row_columns! {
    fn read_counts() -> CommentCounts {
        of_share: integer,
        of_job: integer,
    }
}

statements! {
    const COUNT_COMMENTS: BOTH -> CommentCounts =
        "SELECT COUNT(*) AS of_job, COUNT(CASE WHEN share_id = $2 THEN 1 END) AS of_share \
         FROM share_comments WHERE my_job_id = $1";
}

/// Number of comments: through this link, and on the job's transcript through any link.
///
/// # Errors
/// When the database fails.
pub async fn count(connection: &mut Connection, job_id: Uuid, share: Uuid) -> Result<(i64, i64)> {
    let row = sqlx::query(COUNT_COMMENTS)
        .bind(job_id.to_string())
        .bind(share.to_string())
        .fetch_one(connection)
        .await?;
    let counts = read_counts(&row)?;
    Ok((counts.of_share, counts.of_job))
}

statements! {
    const SELECT_COMMENT: BOTH -> Comment = concat!(
        "SELECT ",
        comment_columns!(),
        " FROM share_comments WHERE id = $1 AND my_job_id = $2"
    );
}

/// A comment on a job's transcript.
///
/// # Errors
/// A row that cannot be read.
pub async fn find(connection: &mut Connection, job_id: Uuid, id: Uuid) -> Result<Option<Comment>> {
    sqlx::query(SELECT_COMMENT)
        .bind(id.to_string())
        .bind(job_id.to_string())
        .fetch_optional(connection)
        .await?
        .as_ref()
        .map(read)
        .transpose()
}

statements! {
    const ANSWER_COMMENT: BOTH =
        "UPDATE share_comments SET answer = $3, answered_at = $4 WHERE id = $1 AND my_job_id = $2";
}

/// Sets, replaces or removes the owner's answer; returns whether the comment exists.
///
/// # Errors
/// When the database fails.
pub async fn answer(
    connection: &mut Connection,
    job_id: Uuid,
    id: Uuid,
    answer: Option<&str>,
    now: i64,
) -> Result<bool> {
    let done = sqlx::query(ANSWER_COMMENT)
        .bind(id.to_string())
        .bind(job_id.to_string())
        .bind(answer)
        .bind(answer.map(|_| now))
        .execute(connection)
        .await?;
    Ok(done.rows_affected() > 0)
}

statements! {
    const DELETE_COMMENT: BOTH = "DELETE FROM share_comments WHERE id = $1 AND my_job_id = $2";
}

/// Deletes a comment and its answer; returns whether it existed.
///
/// # Errors
/// When the database fails.
pub async fn remove(connection: &mut Connection, job_id: Uuid, id: Uuid) -> Result<bool> {
    let done = sqlx::query(DELETE_COMMENT)
        .bind(id.to_string())
        .bind(job_id.to_string())
        .execute(connection)
        .await?;
    Ok(done.rows_affected() > 0)
}
