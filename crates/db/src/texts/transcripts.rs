//! Recognised text: tables `synced_output` (one row per completed version) and `synced_segments`.
//! Rows of a completed version never change.

use slovo_rules::transcript::{Segment, Transcript};
use sqlx::{Row, any::AnyRow};
use uuid::Uuid;

use crate::core::fields::{Fields, json, placeholders, word};
use crate::{Connection, Result};

/// Values per row of a segment.
const COLUMNS: usize = 8;
/// Segments per INSERT: at eight values each, well below SQLite's limit of 32,766 parameters and
/// PostgreSQL's of 65,535.
const SEGMENTS_PER_STATEMENT: usize = 500;

/// Whether the version is completed.
///
/// # Errors
/// When the database fails.
pub async fn exists(connection: &mut Connection, job_id: Uuid, version: i64) -> Result<bool> {
    let row =
        sqlx::query("SELECT 1 AS found FROM synced_output WHERE my_job_id = $1 AND version = $2")
            .bind(job_id.to_string())
            .bind(version)
            .fetch_optional(connection)
            .await?;
    Ok(row.is_some())
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
    sqlx::query(
        "INSERT INTO synced_output (my_job_id, version, full_text, language, mode, model, \
         audio_duration, warnings, removed, created_at, words, settings, is_sample) \
         SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, j.input_settings, j.is_sample \
         FROM synced_jobs j WHERE j.my_job_id = $1",
    )
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

/// Stores segments; existing ones stay unchanged.
pub(super) async fn insert_segments(
    connection: &mut Connection,
    job_id: Uuid,
    version: i64,
    segments: &[Segment],
) -> Result<()> {
    for some in segments.chunks(SEGMENTS_PER_STATEMENT) {
        // Formatted by hand, because sqlx's query builder writes `?` for `Any`, which PostgreSQL
        // does not accept.
        let rows: Vec<String> = (0..some.len())
            .map(|row| placeholders(row * COLUMNS, COLUMNS))
            .collect();
        let statement = format!(
            "INSERT INTO synced_segments (my_job_id, version, segment_index, speaker, text, \
             start_time, end_time, words) VALUES {} \
             ON CONFLICT (my_job_id, version, segment_index) DO NOTHING",
            rows.join(", ")
        );
        // Only parameter numbers are formatted into the SQL.
        let mut insert = sqlx::query(sqlx::AssertSqlSafe(statement)).persistent(false);
        for segment in some {
            insert = insert
                .bind(job_id.to_string())
                .bind(version)
                .bind(i64::from(segment.index))
                .bind(segment.speaker.clone())
                .bind(segment.text.clone())
                .bind(segment.start)
                .bind(segment.end)
                .bind(json(&segment.words));
        }
        insert.execute(&mut *connection).await?;
    }
    Ok(())
}

/// Deletes the segments of an unfinished version.
pub(super) async fn remove_segments(
    connection: &mut Connection,
    job_id: Uuid,
    version: i64,
) -> Result<()> {
    sqlx::query("DELETE FROM synced_segments WHERE my_job_id = $1 AND version = $2")
        .bind(job_id.to_string())
        .bind(version)
        .execute(connection)
        .await?;
    Ok(())
}

pub(super) fn read_segment(row: &AnyRow) -> Result<Segment> {
    let fields = Fields::new(row, "synced_segments", "my_job_id")?;
    Ok(Segment {
        index: u32::try_from(fields.count("segment_index")?).unwrap_or(u32::MAX),
        start: fields.number("start_time")?,
        end: fields.number("end_time")?,
        speaker: fields.text_or_none("speaker")?,
        text: fields.text("text")?,
        words: fields.json("words")?,
    })
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
    sqlx::query(
        "SELECT * FROM synced_segments WHERE my_job_id = $1 AND version = $2 \
         AND segment_index >= $3 ORDER BY segment_index",
    )
    .bind(job_id.to_string())
    .bind(version)
    .bind(i64::from(from))
    .fetch_all(connection)
    .await?
    .iter()
    .map(read_segment)
    .collect()
}

/// The transcript of the newest completed version.
///
/// # Errors
/// A row that cannot be read.
pub async fn latest(connection: &mut Connection, job_id: Uuid) -> Result<Option<Transcript>> {
    let row = sqlx::query(
        "SELECT * FROM synced_output WHERE my_job_id = $1 ORDER BY version DESC LIMIT 1",
    )
    .bind(job_id.to_string())
    .fetch_optional(&mut *connection)
    .await?;
    let Some(row) = row else {
        return Ok(None);
    };
    let fields = Fields::new(&row, "synced_output", "my_job_id")?;
    let version = fields.integer("version")?;
    Ok(Some(Transcript {
        language: fields.text("language")?,
        duration: fields.number("audio_duration")?,
        mode: fields.word("mode")?,
        model: fields.text("model")?,
        segments: segments(connection, job_id, version, 0).await?,
        warnings: fields.json("warnings")?,
        removed: fields.json_or_none("removed")?.unwrap_or_default(),
    }))
}

/// The completed versions, oldest first.
///
/// # Errors
/// When the database fails.
pub async fn versions(connection: &mut Connection, job_id: Uuid) -> Result<Vec<i64>> {
    let rows =
        sqlx::query("SELECT version FROM synced_output WHERE my_job_id = $1 ORDER BY version")
            .bind(job_id.to_string())
            .fetch_all(connection)
            .await?;
    Ok(rows
        .iter()
        .map(|row| row.try_get("version"))
        .collect::<Result<_, sqlx::Error>>()?)
}
