//! Deleting lines, and restoring them from the text's bin.

use slovo_db::texts::edits::Change;
use slovo_rules::edit::SegmentRef;
use slovo_rules::violation::Code;

use super::EditError;
use super::locked_transcript::{Changes, LockedTranscript, invalid, next};

impl LockedTranscript<'_> {
    /// Moves segments from the text to its bin.
    pub(super) async fn remove(&mut self, segments: &[SegmentRef]) -> Result<Changes, EditError> {
        let refs: Vec<&SegmentRef> = segments.iter().collect();
        let states = self.checked_states(&refs).await?.into_iter();
        let removed = states.map(|before| {
            let mut after = next(&before);
            after.removed = true;
            after.in_bin = true;
            Change { before, after }
        });
        Ok(Changes {
            segments: removed.collect(),
            ..Changes::default()
        })
    }

    /// Restores segments from the bin to their positions. Segments that are in the text already
    /// stay unchanged: two pages may request it at once.
    pub(super) async fn put_back(&mut self, segments: &[SegmentRef]) -> Result<Changes, EditError> {
        let ids: Vec<String> = segments.iter().map(|segment| segment.id.clone()).collect();
        let mut current = self.current(&ids).await?;
        let mut changes = Changes::default();
        for (position, id) in ids.iter().enumerate() {
            let before = match current.remove(id) {
                Some(state) if !state.removed => continue,
                Some(state) if state.in_bin => state,
                // It never existed, or its text has been merged into another segment.
                _ => return Err(invalid(&format!("segments.{position}.id"), Code::IdInvalid)),
            };
            let mut after = next(&before);
            after.removed = false;
            after.in_bin = false;
            changes.segments.push(Change { before, after });
        }
        Ok(changes)
    }
}
