//! How many words of a text are unsure: kept beside the number of its last edit, so that nobody
//! reads the text for it.

use slovo_rules::transcript::Word;
use uuid::Uuid;

use super::{Change, SegmentState, lock};
use crate::projection::{self, Point};
use crate::{Connection, Result};

/// How many of these words are unsure.
pub(crate) fn unsure(words: &[Word]) -> i64 {
    let count = words.iter().filter(|word| word.is_unsure()).count();
    i64::try_from(count).unwrap_or(i64::MAX)
}

/// By how many the unsure words of a text become more, or fewer.
pub(super) fn change(segments: &[Change<SegmentState>]) -> i64 {
    let shown = |state: &SegmentState| match state.removed {
        true => 0,
        false => unsure(&state.segment.words),
    };
    let changes = segments
        .iter()
        .map(|change| shown(&change.after) - shown(&change.before));
    changes.sum()
}

/// Counts the unsure words of a text that is older than their count, and keeps it; `None` if there
/// is no such text.
///
/// # Errors
/// A row that cannot be read.
pub async fn count_unsure(
    connection: &mut Connection,
    job: Uuid,
    version: i64,
) -> Result<Option<u64>> {
    // Nobody edits it meanwhile: each edit would be counted twice, or never.
    if lock(&mut *connection, job, version).await?.is_none() {
        return Ok(None);
    }
    let point = Point {
        version: Some(version),
        at: None,
    };
    let Some(text) = projection::read(&mut *connection, job, point).await? else {
        return Ok(None);
    };
    let count: i64 = text.segments.iter().map(|one| unsure(&one.words)).sum();
    sqlx::query("UPDATE transcript_heads SET unsure = $3 WHERE my_job_id = $1 AND version = $2")
        .bind(job.to_string())
        .bind(version)
        .bind(count)
        .execute(connection)
        .await?;
    Ok(Some(count.unsigned_abs()))
}
