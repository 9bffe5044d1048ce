//! Recognised text: tables `synced_output` (one row per completed version) and `synced_segments`.
//! Rows of a completed version never change.

use slovo_rules::removed::Removed;
use slovo_rules::settings::TranscriptionType;
use slovo_rules::transcript::{Segment, Transcript, Warning};
use sqlx::Row;
use uuid::Uuid;

use crate::core::fields::{ROWS_PER_STATEMENT, json, placeholders, word};
use crate::core::statement::{built_statements, row_columns, statements};
use crate::{Connection, Result};

/// Values per row of a segment.
const COLUMNS: usize = 9;

statements! {
    const SELECT_EXISTS: BOTH =
        "SELECT 1 AS found FROM synced_output WHERE my_job_id = $1 AND version = $2";
}

/// Whether the version is completed.
///
/// # Errors
/// When the database fails.
pub async fn exists(connection: &mut Connection, job_id: Uuid, version: i64) -> Result<bool> {
    let row = sqlx::query(SELECT_EXISTS)
        .bind(job_id.to_string())
        .bind(version)
        .fetch_optional(connection)
        .await?;
    Ok(row.is_some())
}

statements! {
    const INSERT_OUTPUT: BOTH =
        "INSERT INTO synced_output (my_job_id, version, full_text, language, mode, model, \
         audio_duration, warnings, removed, created_at, words, settings, is_sample) \
         SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, j.input_settings, j.is_sample \
         FROM synced_jobs j WHERE j.my_job_id = $1";
}

/// Stores the row of a completed version.
///
/// # Errors
/// The constraint `synced_output_my_job_id_version_key` (SQLite) or `synced_output_pkey`
/// (PostgreSQL) if the version has a row: it cannot be overwritten.
pub(super) async fn insert_output(
    connection: &mut Connection,
    job_id: Uuid,
    version: i64,
    transcript: &Transcript,
    now: i64,
) -> Result<()> {
    let text: Vec<&str> = transcript
        .segments
        .iter()
        .map(|segment| segment.text.as_str())
        .collect();
    let text = text.join(" ");
    let words = slovo_rules::text::words(&text);
    sqlx::query(INSERT_OUTPUT)
        .bind(job_id.to_string())
        .bind(version)
        .bind(text)
        .bind(&transcript.language)
        .bind(word(&transcript.mode))
        .bind(&transcript.model)
        .bind(transcript.duration)
        .bind(json(&transcript.warnings))
        .bind(json(&transcript.removed))
        .bind(now)
        .bind(i64::try_from(words).unwrap_or(i64::MAX))
        .execute(connection)
        .await?;
    Ok(())
}

built_statements! {
    insert_segments_statement: BOTH = |_| {
        vec![insert_segments_statement(1), insert_segments_statement(3)]
    };
}

/// The SQL that stores `count` segments. Formatted by hand, because sqlx's query builder writes `?`
/// for `Any`, which PostgreSQL does not accept.
fn insert_segments_statement(count: usize) -> String {
    let rows: Vec<String> = (0..count)
        .map(|row| placeholders(row * COLUMNS, COLUMNS))
        .collect();
    format!(
        "INSERT INTO synced_segments (my_job_id, version, segment_index, speaker, text, \
         start_time, end_time, words, language) VALUES {} \
         ON CONFLICT (my_job_id, version, segment_index) DO NOTHING",
        rows.join(", ")
    )
}

/// Stores segments; existing ones stay unchanged.
pub(super) async fn insert_segments(
    connection: &mut Connection,
    job_id: Uuid,
    version: i64,
    segments: &[Segment],
) -> Result<()> {
    for some in segments.chunks(ROWS_PER_STATEMENT) {
        // Only parameter numbers are formatted into the SQL.
        let statement = sqlx::AssertSqlSafe(insert_segments_statement(some.len()));
        let mut insert = sqlx::query(statement).persistent(false);
        for segment in some {
            insert = insert
                .bind(job_id.to_string())
                .bind(version)
                .bind(i64::from(segment.index))
                .bind(segment.speaker.clone())
                .bind(segment.text.clone())
                .bind(segment.start)
                .bind(segment.end)
                .bind(json(&segment.words))
                .bind(segment.language.clone());
        }
        insert.execute(&mut *connection).await?;
    }
    Ok(())
}

statements! {
    const DELETE_SEGMENTS: BOTH =
        "DELETE FROM synced_segments WHERE my_job_id = $1 AND version = $2";
}

/// Deletes the segments of an unfinished version.
pub(super) async fn remove_segments(
    connection: &mut Connection,
    job_id: Uuid,
    version: i64,
) -> Result<()> {
    sqlx::query(DELETE_SEGMENTS)
        .bind(job_id.to_string())
        .bind(version)
        .execute(connection)
        .await?;
    Ok(())
}

row_columns! {
    pub(super) fn read_segment() -> Segment from "synced_segments" by "my_job_id" {
        index: count in "segment_index" => |index| u32::try_from(index).unwrap_or(u32::MAX),
        start: number in "start_time",
        end: number in "end_time",
        speaker: text_or_none,
        text: text,
        words: json,
        language: text_or_none,
    }
}

/// The columns of [`Segment`], of a row `s`.
macro_rules! segment_columns {
    () => {
        $crate::core::statement::columns!(
            "s.": my_job_id, segment_index, start_time, end_time, speaker, text, words, language
        )
    };
}
pub(super) use segment_columns;

statements! {
    const SELECT_SEGMENTS: BOTH -> Segment = concat!(
        "SELECT ",
        segment_columns!(),
        " FROM synced_segments s WHERE s.my_job_id = $1 AND s.version = $2 \
         AND s.segment_index >= $3 ORDER BY s.segment_index"
    );
}

/// The segments of a version from number `from` on, whether or not it is completed.
///
/// # Errors
/// A row that cannot be read.
pub async fn segments(
    connection: &mut Connection,
    job_id: Uuid,
    version: i64,
    from: u32,
) -> Result<Vec<Segment>> {
    sqlx::query(SELECT_SEGMENTS)
        .bind(job_id.to_string())
        .bind(version)
        .bind(i64::from(from))
        .fetch_all(connection)
        .await?
        .iter()
        .map(read_segment)
        .collect()
}

/// The row of a completed version, without its text.
pub(super) struct Output {
    pub version: i64,
    pub language: String,
    pub duration: f64,
    pub mode: TranscriptionType,
    pub model: String,
    pub warnings: Vec<Warning>,
    pub removed: Option<Vec<Removed>>,
}

row_columns! {
    pub(super) fn read_output() -> Output from "synced_output" by "my_job_id" {
        version: integer,
        language: text,
        duration: number in "audio_duration",
        mode: word,
        model: text,
        warnings: json,
        removed: json_or_none,
    }
}

/// The columns of [`Output`].
macro_rules! output_columns {
    () => {
        $crate::core::statement::columns!(
            "": my_job_id, version, language, audio_duration, mode, model, warnings, removed
        )
    };
}
pub(super) use output_columns;

statements! {
    const SELECT_LATEST_OUTPUT: BOTH -> Output = concat!(
        "SELECT ",
        output_columns!(),
        " FROM synced_output WHERE my_job_id = $1 ORDER BY version DESC LIMIT 1"
    );
}

/// The transcript of the newest completed version.
///
/// # Errors
/// A row that cannot be read.
pub async fn latest(connection: &mut Connection, job_id: Uuid) -> Result<Option<Transcript>> {
    let row = sqlx::query(SELECT_LATEST_OUTPUT)
        .bind(job_id.to_string())
        .fetch_optional(&mut *connection)
        .await?;
    let Some(row) = row else {
        return Ok(None);
    };
    let output = read_output(&row)?;
    Ok(Some(Transcript {
        language: output.language,
        duration: output.duration,
        mode: output.mode,
        model: output.model,
        segments: segments(connection, job_id, output.version, 0).await?,
        warnings: output.warnings,
        removed: output.removed.unwrap_or_default(),
    }))
}

statements! {
    const SELECT_LANGUAGE: BOTH =
        "SELECT language FROM synced_output WHERE my_job_id = $1 AND version = $2";
}

/// The language of a completed version: that of each segment without its own; `None` if there is no
/// such version.
///
/// # Errors
/// When the database fails.
pub async fn language(
    connection: &mut Connection,
    job_id: Uuid,
    version: i64,
) -> Result<Option<String>> {
    let row = sqlx::query(SELECT_LANGUAGE)
        .bind(job_id.to_string())
        .bind(version)
        .fetch_optional(connection)
        .await?;
    Ok(row.map(|row| row.try_get("language")).transpose()?)
}

statements! {
    const SELECT_VERSIONS: BOTH =
        "SELECT version FROM synced_output WHERE my_job_id = $1 ORDER BY version";
}

/// The completed versions, oldest first.
///
/// # Errors
/// When the database fails.
pub async fn versions(connection: &mut Connection, job_id: Uuid) -> Result<Vec<i64>> {
    let rows = sqlx::query(SELECT_VERSIONS)
        .bind(job_id.to_string())
        .fetch_all(connection)
        .await?;
    Ok(rows
        .iter()
        .map(|row| row.try_get("version"))
        .collect::<Result<_, sqlx::Error>>()?)
}
