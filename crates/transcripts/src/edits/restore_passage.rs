//! Restoring passages that the engine removed from a text.

use slovo_db::texts::edits::SegmentState;
use slovo_rules::edit::{self, EditedSegment, Place};
use slovo_rules::removed;
use slovo_rules::violation::Code;

use super::EditError;
use super::locked_transcript::{Changes, LockedTranscript, changed, invalid};

impl LockedTranscript<'_> {
    /// Inserts a removed passage at its time. Does nothing if it is there already: two pages may
    /// request it at once.
    pub(super) async fn restore_passage(&mut self, passage: u32) -> Result<Changes, EditError> {
        let text = self.text().await?;
        let found = text.removed.get(passage as usize);
        // Speech for which nothing was written has no words that could be restored.
        let found = found.filter(|found| !edit::clean(&found.text).is_empty());
        let found = found.ok_or_else(|| invalid("passage", Code::IdInvalid))?;
        let id = removed::segment_id(passage);
        let current = self.current(std::slice::from_ref(&id)).await?.remove(&id);
        let before = match current {
            Some(state) if !state.removed => return Ok(Changes::default()),
            current => current,
        };
        let place = match &before {
            // It was restored before and undone: its position stays the same.
            Some(state) => state.segment.place,
            None => self.place_at(found.start, &text.segments).await?,
        };
        let with_words = text
            .segments
            .iter()
            .any(|segment| !segment.words.is_empty());
        let earlier = earlier(&text.segments, found.start).map(|segment| segment.id.clone());
        let restored = edit::restored_segment(passage, found, place, with_words);
        let speaker = restored.speaker.clone();
        let segment = EditedSegment {
            language: match earlier {
                Some(id) => self.language_of(&id).await?,
                None => None,
            },
            speaker: speaker.filter(|speaker| self.speakers.is_unmerged(speaker)),
            ..restored
        };
        let before = before.unwrap_or_else(|| SegmentState {
            segment: segment.clone(),
            removed: true,
            in_bin: false,
        });
        let mut change = changed(before, segment);
        change.after.removed = false;
        change.after.in_bin = false;
        Ok(Changes {
            segments: vec![change],
            ..Changes::default()
        })
    }

    /// A position for a passage that begins at this time: after the last segment that begins before
    /// it, or before all of them.
    async fn place_at(
        &mut self,
        start: f64,
        segments: &[EditedSegment],
    ) -> Result<Place, EditError> {
        let earlier = earlier(segments, start).map(|segment| segment.place);
        let first = segments.first().map(|segment| segment.place);
        self.place_after(earlier, first).await
    }
}

/// The last segment that begins before this time, in seconds.
fn earlier(segments: &[EditedSegment], start: f64) -> Option<&EditedSegment> {
    segments.iter().rfind(|segment| segment.start <= start)
}
