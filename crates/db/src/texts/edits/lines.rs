//! Times of a transcript's lines, without their text.

use std::collections::BTreeMap;

use slovo_rules::edit::Place;
use uuid::Uuid;

use crate::core::statement::{row_columns, statements};
use crate::{Connection, Result};

/// A line of a transcript.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// The segment's id.
    pub id: String,
    /// Its place in the transcript.
    pub place: Place,
    /// Start in seconds.
    pub start: f64,
}

/// The line of an edited segment.
struct EditedLine {
    segment_id: String,
    base: u32,
    part: i64,
    removed: i64,
    start: f64,
}

row_columns! {
    fn read_edited() -> EditedLine from "edited_segments" by "segment_id" {
        segment_id: text,
        base: index,
        part: integer,
        removed: integer,
        start: number in "start_time",
    }
}

/// The line of a recognised segment.
struct RecognisedLine {
    base: u32,
    start: f64,
}

row_columns! {
    fn read_recognised() -> RecognisedLine from "synced_segments" by "my_job_id" {
        base: index in "segment_index",
        start: number in "start_time",
    }
}

statements! {
    const SELECT_EDITED_LINES: BOTH -> EditedLine =
        "SELECT segment_id, base, part, removed, start_time FROM edited_segments \
         WHERE my_job_id = $1 AND version = $2";
    const SELECT_RECOGNISED_LINES: BOTH -> RecognisedLine =
        "SELECT my_job_id, segment_index, start_time FROM synced_segments \
         WHERE my_job_id = $1 AND version = $2";
}

/// The existing lines of a transcript, by place.
///
/// # Errors
/// A row that cannot be read.
pub async fn lines(connection: &mut Connection, job: Uuid, version: i64) -> Result<Vec<Line>> {
    let mut lines: BTreeMap<Place, Option<Line>> = BTreeMap::new();
    let edited = sqlx::query(SELECT_EDITED_LINES)
        .bind(job.to_string())
        .bind(version)
        .fetch_all(&mut *connection)
        .await?;
    for row in &edited {
        let edited = read_edited(row)?;
        let place = Place {
            base: edited.base,
            part: edited.part,
        };
        let line = Line {
            id: edited.segment_id,
            place,
            start: edited.start,
        };
        let is_present = edited.removed == 0;
        lines.insert(place, is_present.then_some(line));
    }
    let recognised = sqlx::query(SELECT_RECOGNISED_LINES)
        .bind(job.to_string())
        .bind(version)
        .fetch_all(connection)
        .await?;
    for row in &recognised {
        let RecognisedLine { base, start } = read_recognised(row)?;
        let place = Place { base, part: 0 };
        let line = Line {
            id: base.to_string(),
            place,
            start,
        };
        lines.entry(place).or_insert(Some(line));
    }
    Ok(lines.into_values().flatten().collect())
}

/// The length of a recording and the ends of its last segments, in seconds.
struct EndTimes {
    duration: f64,
    recognised: Option<f64>,
    edited: Option<f64>,
}

row_columns! {
    fn read_ends() -> EndTimes from "synced_output" by "my_job_id" {
        duration: number in "audio_duration",
        recognised: number_or_none,
        edited: number_or_none,
    }
}

statements! {
    const SELECT_RECORDING_END: BOTH -> EndTimes =
        "SELECT my_job_id, audio_duration, \
         (SELECT MAX(s.end_time) FROM synced_segments s \
         WHERE s.my_job_id = $1 AND s.version = $2) AS recognised, \
         (SELECT MAX(e.end_time) FROM edited_segments e \
         WHERE e.my_job_id = $1 AND e.version = $2) AS edited \
         FROM synced_output WHERE my_job_id = $1 AND version = $2";
}

/// The end of a recording in seconds, at least the end of its last line; infinite if its length is
/// unknown.
///
/// # Errors
/// A row that cannot be read.
pub async fn recording_end(connection: &mut Connection, job: Uuid, version: i64) -> Result<f64> {
    let row = sqlx::query(SELECT_RECORDING_END)
        .bind(job.to_string())
        .bind(version)
        .fetch_optional(connection)
        .await?;
    let Some(row) = row else {
        return Ok(f64::INFINITY);
    };
    let ends = read_ends(&row)?;
    if ends.duration <= 0.0 {
        return Ok(f64::INFINITY);
    }
    let last = [ends.recognised, ends.edited];
    Ok(last.into_iter().flatten().fold(ends.duration, f64::max))
}
