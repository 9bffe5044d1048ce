//! SQL of segments, and edited ones as they are stored.

use slovo_rules::edit::HandCue;
#[cfg(test)]
use slovo_rules::transcript::Segment;
use slovo_rules::transcript::Word;

use crate::core::fields::placeholders;
use crate::core::statement::{built_statements, columns, row_columns, statements};
use crate::texts::transcripts::segment_columns;

/// Values per row.
const COLUMNS: usize = 14;

/// An edited segment as it is stored.
pub(super) struct EditedRow {
    pub segment_id: String,
    pub base: u32,
    pub part: i64,
    pub revision: u32,
    pub removed: i64,
    pub start_time: f64,
    pub end_time: f64,
    pub speaker: Option<String>,
    pub text: String,
    pub words: Vec<Word>,
    pub cues: Option<Vec<HandCue>>,
    pub language: Option<String>,
}

row_columns! {
    pub(super) fn read_row() -> EditedRow from "edited_segments" by "segment_id" {
        segment_id: text,
        base: index,
        part: integer,
        revision: index,
        removed: integer,
        start_time: number,
        end_time: number,
        speaker: text_or_none,
        text: text,
        words: json,
        cues: json_or_none,
        language: text_or_none,
    }
}

/// The columns of [`EditedRow`].
macro_rules! edited_columns {
    () => {
        columns!(
            "": segment_id, base, part, revision, removed, start_time, end_time, speaker, text,
            words, cues, language
        )
    };
}

/// Where an edited segment is.
pub(super) struct EditedPlace {
    pub segment_id: String,
    pub base: i64,
}

row_columns! {
    pub(super) fn read_place() -> EditedPlace {
        segment_id: text,
        base: integer,
    }
}

statements! {
    pub(super) const SELECT_EDITED_SEGMENTS: BOTH -> EditedRow = concat!(
        "SELECT ",
        edited_columns!(),
        " FROM edited_segments WHERE my_job_id = $1 AND version = $2"
    );
    pub(super) const SELECT_BIN: BOTH -> EditedRow = concat!(
        "SELECT ",
        edited_columns!(),
        " FROM edited_segments WHERE my_job_id = $1 AND version = $2 AND removed = $3 \
         ORDER BY base, part"
    );
    pub(super) const SELECT_FOLLOWING_EDITED: BOTH -> EditedPlace =
        "SELECT segment_id, base FROM edited_segments \
         WHERE my_job_id = $1 AND version = $2 AND removed = 0 \
         AND (base > $3 OR (base = $3 AND part > $4)) ORDER BY base, part LIMIT 1";
    pub(super) const SELECT_FOLLOWING_RECOGNISED: BOTH =
        "SELECT segment_index FROM synced_segments s \
         WHERE my_job_id = $1 AND version = $2 AND segment_index > $3 \
         AND NOT EXISTS (SELECT 1 FROM edited_segments e WHERE e.my_job_id = $1 \
         AND e.version = $2 AND e.segment_id = CAST(s.segment_index AS TEXT)) \
         ORDER BY segment_index LIMIT 1";
    pub(super) const SELECT_NEXT_PART: BOTH =
        "SELECT part FROM edited_segments WHERE my_job_id = $1 AND version = $2 AND base = $3 \
         AND part > $4 ORDER BY part LIMIT 1";
    pub(super) const SELECT_FIRST_PART: BOTH =
        "SELECT COALESCE(MIN(part), 0) AS part FROM edited_segments \
         WHERE my_job_id = $1 AND version = $2 AND base = $3";
}

built_statements! {
    select_edited: BOTH -> EditedRow = |_| vec![select_edited(1), select_edited(3)];
    select_recognised: BOTH -> Segment = |_| vec![select_recognised(1), select_recognised(3)];
    select_edited_of_speakers: BOTH -> EditedRow = |_| {
        vec![select_edited_of_speakers(1), select_edited_of_speakers(3)]
    };
    select_recognised_of_speakers: BOTH -> Segment = |_| {
        vec![select_recognised_of_speakers(1), select_recognised_of_speakers(3)]
    };
    upsert_segments: BOTH = |_| vec![upsert_segments(1), upsert_segments(3)];
}

/// The SQL for `count` edited segments by id.
pub(super) fn select_edited(count: usize) -> String {
    format!(
        "SELECT {} FROM edited_segments WHERE my_job_id = $1 AND version = $2 \
         AND segment_id IN {}",
        edited_columns!(),
        placeholders(2, count)
    )
}

/// The SQL for `count` recognised segments by number.
pub(super) fn select_recognised(count: usize) -> String {
    format!(
        "SELECT {} FROM synced_segments s WHERE s.my_job_id = $1 AND s.version = $2 \
         AND s.segment_index IN {}",
        segment_columns!(),
        placeholders(2, count)
    )
}

/// The SQL for the edited segments of `count` speakers.
pub(super) fn select_edited_of_speakers(count: usize) -> String {
    format!(
        "SELECT {} FROM edited_segments WHERE my_job_id = $1 AND version = $2 AND removed = 0 \
         AND speaker IN {}",
        edited_columns!(),
        placeholders(2, count)
    )
}

/// The SQL for the segments of `count` speakers without edits.
pub(super) fn select_recognised_of_speakers(count: usize) -> String {
    format!(
        "SELECT {} FROM synced_segments s WHERE s.my_job_id = $1 AND s.version = $2 \
         AND s.speaker IN {} AND NOT EXISTS (SELECT 1 FROM edited_segments e \
         WHERE e.my_job_id = $1 AND e.version = $2 \
         AND e.segment_id = CAST(s.segment_index AS TEXT))",
        segment_columns!(),
        placeholders(2, count)
    )
}

/// The SQL that stores `count` edited segments.
pub(super) fn upsert_segments(count: usize) -> String {
    let rows: Vec<String> = (0..count)
        .map(|row| placeholders(row * COLUMNS, COLUMNS))
        .collect();
    format!(
        "INSERT INTO edited_segments (my_job_id, version, segment_id, base, part, revision, \
         removed, start_time, end_time, speaker, text, words, cues, language) VALUES {} \
         ON CONFLICT (my_job_id, version, segment_id) DO UPDATE SET \
         revision = excluded.revision, removed = excluded.removed, \
         start_time = excluded.start_time, end_time = excluded.end_time, \
         speaker = excluded.speaker, text = excluded.text, words = excluded.words, \
         cues = excluded.cues, language = excluded.language \
         WHERE edited_segments.revision = excluded.revision - 1",
        rows.join(", ")
    )
}
