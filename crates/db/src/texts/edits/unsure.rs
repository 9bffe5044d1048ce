//! Number of uncertain words of a transcript, stored with the number of its last edit so that it
//! can be displayed without reading the transcript.

use slovo_rules::transcript::Word;
use uuid::Uuid;

use super::{Change, SegmentState};
use crate::core::statement::statements;
use crate::{Connection, Result};

/// Number of uncertain words among these.
pub(in crate::texts) fn unsure(words: &[Word]) -> i64 {
    let count = words.iter().filter(|word| word.is_unsure()).count();
    i64::try_from(count).unwrap_or(i64::MAX)
}

/// The difference in uncertain words made by these changes.
pub(super) fn change(segments: &[Change<SegmentState>]) -> i64 {
    let count = |state: &SegmentState| match state.removed {
        true => 0,
        false => unsure(&state.segment.words),
    };
    let changes = segments
        .iter()
        .map(|change| count(&change.after) - count(&change.before));
    changes.sum()
}

statements! {
    const UPDATE_UNSURE: BOTH =
        "UPDATE transcript_heads SET unsure = $3 WHERE my_job_id = $1 AND version = $2";
}

/// Stores the number of a transcript's uncertain words.
///
/// # Errors
/// When the database fails.
pub(in crate::texts) async fn store_unsure_count(
    connection: &mut Connection,
    job: Uuid,
    version: i64,
    count: i64,
) -> Result<()> {
    sqlx::query(UPDATE_UNSURE)
        .bind(job.to_string())
        .bind(version)
        .bind(count)
        .execute(connection)
        .await?;
    Ok(())
}
