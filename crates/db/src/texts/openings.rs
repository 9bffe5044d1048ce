//! The beginnings of transcripts: what a list shows without reading the whole text.

use slovo_rules::edit::Speaker;
use sqlx::Row;
use uuid::Uuid;

use crate::core::statement::{row_columns, statements};
use crate::texts::edits;
use crate::{Connection, Result};

/// Maximum number of segments to read: enough for a few lines.
const SEGMENTS: i64 = 8;

/// The beginning of a transcript, and its speakers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Opening {
    /// The first words, with an ellipsis if truncated; empty if there is no text.
    pub text: String,
    /// Speakers by first appearance; empty if they are not distinguished.
    pub speakers: Vec<Speaker>,
}

/// A segment without edits.
struct RecognisedText {
    segment_index: i64,
    text: String,
}

row_columns! {
    fn read_recognised() -> RecognisedText {
        segment_index: integer,
        text: text,
    }
}

/// A segment with edits.
struct EditedText {
    base: i64,
    part: i64,
    text: String,
}

row_columns! {
    fn read_edited() -> EditedText {
        base: integer,
        part: integer,
        text: text,
    }
}

statements! {
    const SELECT_RECOGNISED: BOTH -> RecognisedText =
        "SELECT s.segment_index, s.text FROM synced_segments s \
         WHERE s.my_job_id = $1 AND s.version = $2 AND NOT EXISTS (SELECT 1 FROM edited_segments e \
         WHERE e.my_job_id = $1 AND e.version = $2 \
         AND e.segment_id = CAST(s.segment_index AS TEXT)) ORDER BY s.segment_index LIMIT $3";
    const SELECT_EDITED: BOTH -> EditedText =
        "SELECT base, part, text FROM edited_segments \
         WHERE my_job_id = $1 AND version = $2 AND removed = 0 ORDER BY base, part LIMIT $3";
    const SELECT_SHOWN_VERSION: BOTH =
        "SELECT COALESCE(shown_version, version) AS shown FROM synced_jobs WHERE my_job_id = $1";
}

/// The beginning of a job's displayed transcript, at most this many characters; for an unfinished
/// job, of what is recognised so far.
///
/// # Errors
/// A row that cannot be read.
pub async fn read(connection: &mut Connection, job: Uuid, characters: usize) -> Result<Opening> {
    let row = sqlx::query(SELECT_SHOWN_VERSION)
        .bind(job.to_string())
        .fetch_optional(&mut *connection)
        .await?;
    let Some(row) = row else {
        return Ok(Opening::default());
    };
    let version: i64 = row.try_get("shown")?;
    let mut first: Vec<((i64, i64), String)> = Vec::new();
    let recognised = sqlx::query(SELECT_RECOGNISED)
        .bind(job.to_string())
        .bind(version)
        .bind(SEGMENTS)
        .fetch_all(&mut *connection)
        .await?;
    for row in &recognised {
        let segment = read_recognised(row)?;
        first.push(((segment.segment_index, 0), segment.text));
    }
    let edited = sqlx::query(SELECT_EDITED)
        .bind(job.to_string())
        .bind(version)
        .bind(SEGMENTS)
        .fetch_all(&mut *connection)
        .await?;
    for row in &edited {
        let segment = read_edited(row)?;
        first.push(((segment.base, segment.part), segment.text));
    }
    first.sort();
    let words = first
        .iter()
        .take(usize::try_from(SEGMENTS).unwrap_or(usize::MAX))
        .flat_map(|(_, text)| text.split_whitespace());
    Ok(Opening {
        text: excerpt(words, characters),
        speakers: edits::read_speakers(connection, job, version)
            .await?
            .unmerged(),
    })
}

/// As many whole words as fit, or at least a part of the first one.
fn excerpt<'a>(words: impl Iterator<Item = &'a str>, characters: usize) -> String {
    let mut text = String::new();
    let mut length = 0;
    for word in words {
        let space = usize::from(length > 0);
        let longer = length + space + word.chars().count();
        if longer > characters {
            if length == 0 {
                text.extend(word.chars().take(characters));
            }
            text.push('…');
            break;
        }
        if space > 0 {
            text.push(' ');
        }
        text.push_str(word);
        length = longer;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::excerpt;

    #[test]
    fn an_opening_ends_with_a_complete_word_where_possible() {
        let opening = |text: &str, characters| excerpt(text.split_whitespace(), characters);
        assert_eq!(opening("", 5), "");
        assert_eq!(opening("Добрий день", 11), "Добрий день");
        assert_eq!(opening("Добрий день", 10), "Добрий…");
        assert_eq!(opening("Добрий день", 3), "Доб…");
        assert_eq!(opening("今日は晴れです", 3), "今日は…");
    }
}
