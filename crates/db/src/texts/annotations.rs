//! Bookmarks and highlights in transcripts: table `text_marks`.

use slovo_rules::annotation::{AnnotationColour, AnnotationKind};
use sqlx::Row;
use uuid::Uuid;

use crate::core::fields::word;
use crate::core::statement::{columns, row_columns, statements};
use crate::{Connection, Result};

/// A bookmark or a highlight.
#[derive(Clone, Debug, PartialEq)]
pub struct Annotation {
    /// Its id within the job, chosen by the page.
    pub id: Uuid,
    /// The job.
    pub job_id: Uuid,
    /// Bookmark or highlight.
    pub kind: AnnotationKind,
    /// Its colour.
    pub colour: AnnotationColour,
    /// The recognition run of the line.
    pub version: u32,
    /// Id of the line's segment.
    pub segment: String,
    /// Characters in the line before the quote.
    pub offset: u32,
    /// The quoted words.
    pub quote: String,
    /// Start of the quote, in seconds.
    pub start: f64,
    /// End of the quote, in seconds.
    pub end: f64,
    /// Note; empty if there is none.
    pub note: String,
    /// Unix milliseconds.
    pub created_at: i64,
    /// When its note or colour was last changed, in Unix milliseconds.
    pub changed_at: i64,
}

row_columns! {
    fn read() -> Annotation from "text_marks" by "id" {
        id: uuid,
        job_id: uuid in "my_job_id",
        kind: word,
        colour: word,
        version: index,
        segment: text,
        offset: index in "characters_before",
        quote: text,
        start: number in "start_seconds",
        end: number in "end_seconds",
        note: text,
        created_at: integer,
        changed_at: integer,
    }
}

/// The columns of [`Annotation`].
macro_rules! annotation_columns {
    () => {
        columns!(
            "": id, my_job_id, kind, colour, version, segment, characters_before, quote,
            start_seconds, end_seconds, note, created_at, changed_at
        )
    };
}

statements! {
    const INSERT_ANNOTATION: BOTH =
        "INSERT INTO text_marks (my_job_id, id, kind, colour, version, segment, \
         characters_before, quote, start_seconds, end_seconds, note, created_at, changed_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) \
         ON CONFLICT (my_job_id, id) DO NOTHING";
}

/// Stores an annotation; one with an existing id is left unchanged.
///
/// # Errors
/// When the database fails, or the job was deleted.
pub async fn insert(connection: &mut Connection, annotation: &Annotation) -> Result<()> {
    sqlx::query(INSERT_ANNOTATION)
        .bind(annotation.job_id.to_string())
        .bind(annotation.id.to_string())
        .bind(word(&annotation.kind))
        .bind(word(&annotation.colour))
        .bind(i64::from(annotation.version))
        .bind(annotation.segment.clone())
        .bind(i64::from(annotation.offset))
        .bind(annotation.quote.clone())
        .bind(annotation.start)
        .bind(annotation.end)
        .bind(annotation.note.clone())
        .bind(annotation.created_at)
        .bind(annotation.changed_at)
        .execute(connection)
        .await?;
    Ok(())
}

statements! {
    const SELECT_ANNOTATIONS: BOTH -> Annotation = concat!(
        "SELECT ",
        annotation_columns!(),
        " FROM text_marks WHERE my_job_id = $1 ORDER BY start_seconds, created_at, id"
    );
}

/// All annotations of a job, in the order of the recording.
///
/// # Errors
/// A row that cannot be read.
pub async fn list(connection: &mut Connection, job_id: Uuid) -> Result<Vec<Annotation>> {
    sqlx::query(SELECT_ANNOTATIONS)
        .bind(job_id.to_string())
        .fetch_all(connection)
        .await?
        .iter()
        .map(read)
        .collect()
}

statements! {
    const SELECT_ANNOTATION: BOTH -> Annotation = concat!(
        "SELECT ",
        annotation_columns!(),
        " FROM text_marks WHERE my_job_id = $1 AND id = $2"
    );
}

/// An annotation of a job.
///
/// # Errors
/// A row that cannot be read.
pub async fn find(
    connection: &mut Connection,
    job_id: Uuid,
    id: Uuid,
) -> Result<Option<Annotation>> {
    sqlx::query(SELECT_ANNOTATION)
        .bind(job_id.to_string())
        .bind(id.to_string())
        .fetch_optional(connection)
        .await?
        .as_ref()
        .map(read)
        .transpose()
}

statements! {
    const COUNT_ANNOTATIONS: BOTH = "SELECT COUNT(*) AS marks FROM text_marks WHERE my_job_id = $1";
}

/// Number of annotations of the job.
///
/// # Errors
/// When the database fails.
pub async fn count(connection: &mut Connection, job_id: Uuid) -> Result<i64> {
    let row = sqlx::query(COUNT_ANNOTATIONS)
        .bind(job_id.to_string())
        .fetch_one(connection)
        .await?;
    Ok(row.try_get("marks")?)
}

statements! {
    const CHANGE_ANNOTATION: BOTH =
        "UPDATE text_marks SET colour = COALESCE($3, colour), note = COALESCE($4, note), \
         changed_at = $5 WHERE my_job_id = $1 AND id = $2";
}

/// Changes the colour, the note or both of an annotation; returns whether it exists.
///
/// # Errors
/// When the database fails.
pub async fn change(
    connection: &mut Connection,
    (job_id, id): (Uuid, Uuid),
    colour: Option<AnnotationColour>,
    note: Option<&str>,
    now: i64,
) -> Result<bool> {
    let done = sqlx::query(CHANGE_ANNOTATION)
        .bind(job_id.to_string())
        .bind(id.to_string())
        .bind(colour.map(|colour| word(&colour)))
        .bind(note)
        .bind(now)
        .execute(connection)
        .await?;
    Ok(done.rows_affected() > 0)
}

statements! {
    const DELETE_ANNOTATION: BOTH = "DELETE FROM text_marks WHERE my_job_id = $1 AND id = $2";
}

/// Deletes an annotation; returns whether it existed.
///
/// # Errors
/// When the database fails.
pub async fn remove(connection: &mut Connection, job_id: Uuid, id: Uuid) -> Result<bool> {
    let done = sqlx::query(DELETE_ANNOTATION)
        .bind(job_id.to_string())
        .bind(id.to_string())
        .execute(connection)
        .await?;
    Ok(done.rows_affected() > 0)
}
