//! Current segments: the recognised ones, overlaid with the edited ones.

mod statements;

use std::collections::{BTreeMap, HashMap};

use slovo_rules::edit::{EditedSegment, Place};
use slovo_rules::transcript::Segment;
use sqlx::any::AnyRow;
use sqlx::{AssertSqlSafe, Row};
use uuid::Uuid;

use super::SegmentState;
use crate::core::fields::{ROWS_PER_STATEMENT, json};
use crate::texts::transcripts::read_segment;
use crate::{Connection, Error, Result};

/// `removed` of a segment in the transcript.
const PRESENT: i64 = 0;
/// `removed` of a segment that was removed, but is not in the bin.
const REMOVED: i64 = 1;
/// `removed` of a segment that a person moved to the bin.
const IN_BIN: i64 = 2;

fn removed(state: &SegmentState) -> i64 {
    match (state.removed, state.in_bin) {
        (false, _) => PRESENT,
        (true, false) => REMOVED,
        (true, true) => IN_BIN,
    }
}

impl SegmentState {
    /// The state of a recognised segment without edits.
    pub(crate) fn recognised(segment: Segment) -> Self {
        Self {
            segment: EditedSegment {
                id: segment.index.to_string(),
                revision: 0,
                place: Place {
                    base: segment.index,
                    part: 0,
                },
                start: segment.start,
                end: segment.end,
                speaker: segment.speaker,
                language: segment.language,
                text: segment.text,
                words: segment.words,
                cues: Vec::new(),
            },
            removed: false,
            in_bin: false,
        }
    }
}

fn read(row: &AnyRow) -> Result<SegmentState> {
    let row = statements::read_row(row)?;
    Ok(SegmentState {
        segment: EditedSegment {
            id: row.segment_id,
            revision: row.revision,
            place: Place {
                base: row.base,
                part: row.part,
            },
            start: row.start_time,
            end: row.end_time,
            speaker: row.speaker,
            language: row.language,
            text: row.text,
            words: row.words,
            cues: row.cues.unwrap_or_default(),
        },
        removed: row.removed != PRESENT,
        in_bin: row.removed == IN_BIN,
    })
}

/// The number of a recognised segment, if the id has that form.
fn number(id: &str) -> Option<u32> {
    let number: u32 = id.parse().ok()?;
    (number.to_string() == id).then_some(number)
}

/// The current states of these segments, removed or not; unknown ids are left out.
///
/// # Errors
/// A row that cannot be read.
pub async fn current(
    connection: &mut Connection,
    job: Uuid,
    version: i64,
    ids: &[String],
) -> Result<HashMap<String, SegmentState>> {
    let mut found = HashMap::with_capacity(ids.len());
    for some in ids.chunks(ROWS_PER_STATEMENT) {
        // Here and below, only parameter numbers are formatted into the SQL.
        let statement = AssertSqlSafe(statements::select_edited(some.len()));
        let mut query = sqlx::query(statement).persistent(some.len() == 1);
        query = query.bind(job.to_string()).bind(version);
        for id in some {
            query = query.bind(id.clone());
        }
        for row in query.fetch_all(&mut *connection).await? {
            let state = read(&row)?;
            found.insert(state.segment.id.clone(), state);
        }
        let recognised: Vec<u32> = some
            .iter()
            .filter(|id| !found.contains_key(*id))
            .filter_map(|id| number(id))
            .collect();
        if recognised.is_empty() {
            continue;
        }
        let statement = AssertSqlSafe(statements::select_recognised(recognised.len()));
        let mut query = sqlx::query(statement).persistent(recognised.len() == 1);
        query = query.bind(job.to_string()).bind(version);
        for number in recognised {
            query = query.bind(i64::from(number));
        }
        for row in query.fetch_all(&mut *connection).await? {
            let state = SegmentState::recognised(read_segment(&row)?);
            found.insert(state.segment.id.clone(), state);
        }
    }
    Ok(found)
}

/// The edited segments of a transcript, removed or not, by place.
///
/// # Errors
/// A row that cannot be read.
pub async fn all(
    connection: &mut Connection,
    job: Uuid,
    version: i64,
) -> Result<BTreeMap<Place, SegmentState>> {
    sqlx::query(statements::SELECT_EDITED_SEGMENTS)
        .bind(job.to_string())
        .bind(version)
        .fetch_all(connection)
        .await?
        .iter()
        .map(|row| read(row).map(|state| (state.segment.place, state)))
        .collect()
}

/// The segments in a transcript's bin, by place.
///
/// # Errors
/// A row that cannot be read.
pub async fn bin(
    connection: &mut Connection,
    job: Uuid,
    version: i64,
) -> Result<Vec<SegmentState>> {
    sqlx::query(statements::SELECT_BIN)
        .bind(job.to_string())
        .bind(version)
        .bind(IN_BIN)
        .fetch_all(connection)
        .await?
        .iter()
        .map(read)
        .collect()
}

/// The id of the next existing segment after a place.
///
/// # Errors
/// When the database fails.
pub async fn following(
    connection: &mut Connection,
    job: Uuid,
    version: i64,
    place: Place,
) -> Result<Option<String>> {
    let edited = sqlx::query(statements::SELECT_FOLLOWING_EDITED)
        .bind(job.to_string())
        .bind(version)
        .bind(i64::from(place.base))
        .bind(place.part)
        .fetch_optional(&mut *connection)
        .await?;
    let recognised = sqlx::query(statements::SELECT_FOLLOWING_RECOGNISED)
        .bind(job.to_string())
        .bind(version)
        .bind(i64::from(place.base))
        .fetch_optional(connection)
        .await?;
    let edited = edited.as_ref().map(statements::read_place).transpose()?;
    let recognised: Option<i64> = recognised
        .map(|row| row.try_get("segment_index"))
        .transpose()?;
    Ok(match (edited, recognised) {
        (Some(edited), Some(index)) if edited.base < index => Some(edited.segment_id),
        (_, Some(index)) => Some(index.to_string()),
        (edited, None) => edited.map(|edited| edited.segment_id),
    })
}

/// The next higher part ever used with the same base; 0 belongs to the recognised segment, which has
/// no row until it is edited.
///
/// # Errors
/// When the database fails.
pub async fn next_part(
    connection: &mut Connection,
    job: Uuid,
    version: i64,
    place: Place,
) -> Result<Option<i64>> {
    let row = sqlx::query(statements::SELECT_NEXT_PART)
        .bind(job.to_string())
        .bind(version)
        .bind(i64::from(place.base))
        .bind(place.part)
        .fetch_optional(connection)
        .await?;
    let next: Option<i64> = row.map(|row| row.try_get("part")).transpose()?;
    Ok(match place.part < 0 {
        true => Some(next.map_or(0, |part| part.min(0))),
        false => next,
    })
}

/// The lowest part ever used with this base; 0 belongs to the recognised segment.
///
/// # Errors
/// When the database fails.
pub async fn first_part(
    connection: &mut Connection,
    job: Uuid,
    version: i64,
    base: u32,
) -> Result<i64> {
    let row = sqlx::query(statements::SELECT_FIRST_PART)
        .bind(job.to_string())
        .bind(version)
        .bind(i64::from(base))
        .fetch_one(connection)
        .await?;
    let part: i64 = row.try_get("part")?;
    Ok(part.min(0))
}

/// The current segments assigned to any of these speakers.
///
/// # Errors
/// A row that cannot be read.
pub async fn of_speakers(
    connection: &mut Connection,
    job: Uuid,
    version: i64,
    speakers: &[String],
) -> Result<Vec<SegmentState>> {
    if speakers.is_empty() {
        return Ok(Vec::new());
    }
    let mut states = Vec::new();
    let edited = AssertSqlSafe(statements::select_edited_of_speakers(speakers.len()));
    let mut query = sqlx::query(edited).persistent(false);
    query = query.bind(job.to_string()).bind(version);
    for speaker in speakers {
        query = query.bind(speaker.clone());
    }
    for row in query.fetch_all(&mut *connection).await? {
        states.push(read(&row)?);
    }
    let recognised = AssertSqlSafe(statements::select_recognised_of_speakers(speakers.len()));
    let mut query = sqlx::query(recognised).persistent(false);
    query = query.bind(job.to_string()).bind(version);
    for speaker in speakers {
        query = query.bind(speaker.clone());
    }
    for row in query.fetch_all(connection).await? {
        states.push(SegmentState::recognised(read_segment(&row)?));
    }
    states.sort_by_key(|state| state.segment.place);
    Ok(states)
}

/// Stores new states of segments. The revision of each must be the stored one plus one.
///
/// # Errors
/// [`Error::Row`] for another revision; then the transaction must not be committed.
pub async fn write(
    connection: &mut Connection,
    job: Uuid,
    version: i64,
    states: &[&SegmentState],
) -> Result<()> {
    for some in states.chunks(ROWS_PER_STATEMENT) {
        let statement = AssertSqlSafe(statements::upsert_segments(some.len()));
        let mut insert = sqlx::query(statement).persistent(some.len() == 1);
        for state in some {
            let segment = &state.segment;
            insert = insert
                .bind(job.to_string())
                .bind(version)
                .bind(segment.id.clone())
                .bind(i64::from(segment.place.base))
                .bind(segment.place.part)
                .bind(i64::from(segment.revision))
                .bind(removed(state))
                .bind(segment.start)
                .bind(segment.end)
                .bind(segment.speaker.clone())
                .bind(segment.text.clone())
                .bind(json(&segment.words))
                .bind((!segment.cues.is_empty()).then(|| json(&segment.cues)))
                .bind(segment.language.clone());
        }
        let done = insert.execute(&mut *connection).await?;
        if done.rows_affected() != some.len() as u64 {
            let reason = "a segment has another revision than was read under the lock";
            return Err(Error::row("edited_segments", job.to_string(), reason));
        }
    }
    Ok(())
}
