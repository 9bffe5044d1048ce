//! Times of a transcript's lines, without their text.

use std::collections::BTreeMap;

use slovo_rules::edit::Place;
use uuid::Uuid;

use crate::core::fields::Fields;
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

/// The existing lines of a transcript, by place.
///
/// # Errors
/// A row that cannot be read.
pub async fn lines(connection: &mut Connection, job: Uuid, version: i64) -> Result<Vec<Line>> {
    let mut lines: BTreeMap<Place, Option<Line>> = BTreeMap::new();
    let edited = sqlx::query(
        "SELECT segment_id, base, part, removed, start_time FROM edited_segments \
         WHERE my_job_id = $1 AND version = $2",
    )
    .bind(job.to_string())
    .bind(version)
    .fetch_all(&mut *connection)
    .await?;
    for row in &edited {
        let fields = Fields::new(row, "edited_segments", "segment_id")?;
        let base = fields.integer("base")?;
        let place = Place {
            base: u32::try_from(base).map_err(|error| fields.error("base", error))?,
            part: fields.integer("part")?,
        };
        let line = Line {
            id: fields.text("segment_id")?,
            place,
            start: fields.number("start_time")?,
        };
        let stands = fields.integer("removed")? == 0;
        lines.insert(place, stands.then_some(line));
    }
    let recognised = sqlx::query(
        "SELECT my_job_id, segment_index, start_time FROM synced_segments \
         WHERE my_job_id = $1 AND version = $2",
    )
    .bind(job.to_string())
    .bind(version)
    .fetch_all(connection)
    .await?;
    for row in &recognised {
        let fields = Fields::new(row, "synced_segments", "my_job_id")?;
        let index = fields.integer("segment_index")?;
        let base = u32::try_from(index).map_err(|error| fields.error("segment_index", error))?;
        let place = Place { base, part: 0 };
        let line = Line {
            id: base.to_string(),
            place,
            start: fields.number("start_time")?,
        };
        lines.entry(place).or_insert(Some(line));
    }
    Ok(lines.into_values().flatten().collect())
}

/// The end of a recording in seconds, at least the end of its last line; infinite if its length is
/// unknown.
///
/// # Errors
/// A row that cannot be read.
pub async fn recording_end(connection: &mut Connection, job: Uuid, version: i64) -> Result<f64> {
    let row = sqlx::query(
        "SELECT my_job_id, audio_duration, \
         (SELECT MAX(s.end_time) FROM synced_segments s \
         WHERE s.my_job_id = $1 AND s.version = $2) AS recognised, \
         (SELECT MAX(e.end_time) FROM edited_segments e \
         WHERE e.my_job_id = $1 AND e.version = $2) AS edited \
         FROM synced_output WHERE my_job_id = $1 AND version = $2",
    )
    .bind(job.to_string())
    .bind(version)
    .fetch_optional(connection)
    .await?;
    let Some(row) = row else {
        return Ok(f64::INFINITY);
    };
    let fields = Fields::new(&row, "synced_output", "my_job_id")?;
    let duration = fields.number("audio_duration")?;
    if duration <= 0.0 {
        return Ok(f64::INFINITY);
    }
    let ends = [
        fields.number_or_none("recognised")?,
        fields.number_or_none("edited")?,
    ];
    Ok(ends.into_iter().flatten().fold(duration, f64::max))
}
