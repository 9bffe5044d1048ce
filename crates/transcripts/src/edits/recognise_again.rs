//! Replaces the words of a stretch of the recording with those of another recognition.
//!
//! The words of the stretch are removed from its segments and replaced by new segments. It is an
//! ordinary edit, so it can be undone.

use std::collections::BTreeMap;

use slovo_db::Connection;
use slovo_db::texts::edits::{self, Change, SegmentState};
use slovo_rules::edit::{self, EditedSegment, Place, Remainder, SegmentRef};
use slovo_rules::removed::Removed;
use slovo_rules::transcript::Segment;
use uuid::Uuid;

use super::locked_transcript::{Changes, LockedTranscript, changed, created, next};
use super::{Author, EditError, EditKind, SavedEdits};

/// The result of recognising a stretch.
#[derive(Debug, Clone)]
pub struct RecognisedStretch<'a> {
    /// Start and end in seconds.
    pub stretch: (f64, f64),
    /// The new segments, in order of time; those without text are left out.
    pub segments: &'a [Segment],
    /// The segments of the stretch with the revisions that the author saw.
    pub seen: &'a [SegmentRef],
    /// The language of segments without one of their own (ISO 639-1).
    pub language: &'a str,
}

/// A segment with words in the stretch, and what remains of it.
struct Affected {
    state: SegmentState,
    remainder: Remainder,
}

/// The segments with words in a stretch, as references for an edit of it.
///
/// # Errors
/// [`EditError::NotReady`] without a text; [`EditError::Conflict`] if one of them is not among
/// those that were seen, or has another revision.
pub async fn check(
    connection: &mut Connection,
    author: &Author,
    stretch: (f64, f64),
    seen: &[SegmentRef],
) -> Result<Vec<SegmentRef>, EditError> {
    let mut transcript = LockedTranscript::open(connection, author).await?;
    let text = transcript.text().await?.segments;
    let affected = transcript.affected(&text, stretch, Uuid::nil()).await?;
    transcript.refuse_unseen(&affected, seen)?;
    let refs = affected.iter().map(|one| reference(&one.state));
    Ok(refs.collect())
}

/// Replaces the words of the stretch with the new segments. The edit has the id `edit_id`; if it is
/// stored already, nothing changes.
///
/// # Errors
/// [`EditError`]; then the transaction must not be committed.
pub async fn replace(
    connection: &mut Connection,
    author: &Author,
    edit_id: Uuid,
    recognised: &RecognisedStretch<'_>,
) -> Result<SavedEdits, EditError> {
    let mut transcript = LockedTranscript::open(connection, author).await?;
    if transcript.is_stored(edit_id).await? {
        return transcript.finish().await;
    }
    let changes = transcript.replaced_stretch(edit_id, recognised).await?;
    transcript
        .record(edit_id, EditKind::RecogniseAgain, None, changes)
        .await?;
    transcript.finish().await
}

fn reference(state: &SegmentState) -> SegmentRef {
    SegmentRef {
        id: state.segment.id.clone(),
        revision: state.segment.revision,
    }
}

/// Ids of the segments that an edit creates, derived from the edit's own id.
fn new_id(edit_id: Uuid, number: u16) -> String {
    let bits = edit_id.as_u128() ^ (u128::from(number) + 1);
    Uuid::from_u128(bits).to_string()
}

/// New segments have lower numbers for [`new_id`]; the second parts of segments that the stretch
/// splits have numbers from this one on.
const SECOND_PARTS: u16 = 1 << 15;

impl LockedTranscript<'_> {
    async fn affected(
        &mut self,
        text: &[EditedSegment],
        stretch: (f64, f64),
        edit_id: Uuid,
    ) -> Result<Vec<Affected>, EditError> {
        let (start, end) = stretch;
        let near = text
            .iter()
            .filter(|segment| segment.start <= end && segment.end >= start);
        let ids: Vec<String> = near.map(|segment| segment.id.clone()).collect();
        let mut current = self.current(&ids).await?;
        let mut affected = Vec::new();
        for (id, number) in ids.into_iter().zip(SECOND_PARTS..u16::MAX) {
            let Some(state) = current.remove(&id) else {
                continue;
            };
            let new_id = new_id(edit_id, number);
            // `replaced_stretch` sets the position of a second part.
            match edit::remainder(&state.segment, stretch, &new_id, 0) {
                Remainder::All => {}
                remainder => affected.push(Affected { state, remainder }),
            }
        }
        Ok(affected)
    }

    /// Returns a conflict if the author did not see the current revision of a segment.
    fn refuse_unseen(&self, affected: &[Affected], seen: &[SegmentRef]) -> Result<(), EditError> {
        let unseen = affected
            .iter()
            .filter(|one| !seen.contains(&reference(&one.state)));
        let conflicts: Vec<_> = unseen
            .map(|one| self.as_change(&one.state.segment.id, Some(one.state.clone())))
            .collect();
        if conflicts.is_empty() {
            Ok(())
        } else {
            Err(EditError::Conflict(conflicts))
        }
    }

    async fn replaced_stretch(
        &mut self,
        edit_id: Uuid,
        recognised: &RecognisedStretch<'_>,
    ) -> Result<Changes, EditError> {
        let text = self.text().await?;
        let (text, removed) = (text.segments, text.removed);
        let affected = self.affected(&text, recognised.stretch, edit_id).await?;
        self.refuse_unseen(&affected, recognised.seen)?;
        // A segment that the author saw but that is no longer in the stretch was changed meanwhile.
        let gone = recognised.seen.iter().any(|seen| {
            let stands = |one: &Affected| one.state.segment.id == seen.id;
            !affected.iter().any(stands)
        });
        if gone {
            return Err(EditError::Conflict(Vec::new()));
        }
        let spoken: Vec<&Segment> = recognised
            .segments
            .iter()
            .filter(|segment| !segment.text.trim().is_empty())
            .take(usize::from(SECOND_PARTS))
            .collect();
        let parted = affected.iter().filter(|one| has_both_parts(one)).count();
        let count = spoken.len() + parted;
        let places = self
            .places(&text, &affected, recognised.stretch.0, count)
            .await?;
        let (places, behind) = places.split_at(spoken.len().min(places.len()));
        let mut behind = behind.iter();
        let mut news = Vec::with_capacity(count);
        for ((segment, place), number) in spoken.into_iter().zip(places).zip(0..) {
            let speaker = self.speaker_for(segment, &affected, (&text, &removed));
            news.push(EditedSegment {
                id: new_id(edit_id, number),
                revision: 0,
                place: *place,
                start: segment.start,
                end: segment.end.max(segment.start),
                speaker,
                language: self.stored_language(segment, recognised.language),
                text: edit::clean(&segment.text),
                words: segment.words.clone(),
                cues: Vec::new(),
            });
        }
        let mut changes = Changes::default();
        for one in affected {
            let (change, second) = without_stretch(one);
            changes.segments.push(change);
            if let Some(second) = second {
                let place = behind.next().ok_or(EditError::TooDeep)?;
                news.push(EditedSegment {
                    place: *place,
                    ..second
                });
            }
        }
        changes.segments.extend(news.into_iter().map(created));
        Ok(changes)
    }

    /// Free positions for the new segments, in order.
    async fn places(
        &mut self,
        text: &[EditedSegment],
        affected: &[Affected],
        start: f64,
        count: usize,
    ) -> Result<Vec<Place>, EditError> {
        let (job, version) = (self.author.job, self.author.version);
        let stays = affected.iter().rfind(|one| !keeps_only_its_end(one));
        let earlier = match (stays, affected.first()) {
            (Some(last), _) => Some(&last.state.segment),
            // The rest of the segment stays where it is, after the new segments.
            (None, Some(first)) => {
                let place = first.state.segment.place;
                text.iter().rfind(|segment| segment.place < place)
            }
            (None, None) => text.iter().rfind(|segment| segment.start <= start),
        };
        let (base, parts) = match (earlier.map(|segment| segment.place), text.first()) {
            (None, Some(first)) => {
                let base = first.place.base;
                let right = edits::first_part(&mut *self.connection, job, version, base).await?;
                let room = i64::try_from(count).map_err(|_| EditError::TooDeep)?;
                let left = room
                    .checked_add(1)
                    .and_then(|gaps| edit::PART_GAP.checked_mul(gaps))
                    .and_then(|room| right.checked_sub(room));
                let left = left.filter(|left| *left > -edit::PART_END);
                let left = left.ok_or(EditError::TooDeep)?;
                (base, edit::parts_between(left, Some(right), count))
            }
            (earlier, _) => {
                let left = earlier.unwrap_or(Place { base: 0, part: 0 });
                let right = edits::next_part(&mut *self.connection, job, version, left).await?;
                (left.base, edit::parts_between(left.part, right, count))
            }
        };
        let parts = parts.ok_or(EditError::TooDeep)?.into_iter();
        Ok(parts.map(|part| Place { base, part }).collect())
    }

    /// The speaker of a new segment: the one who speaks longest at its time in the replaced
    /// segments, or in a passage that was not recognised, or the one of both neighbours.
    fn speaker_for(
        &self,
        segment: &Segment,
        affected: &[Affected],
        (text, removed): (&[EditedSegment], &[Removed]),
    ) -> Option<String> {
        let own = segment.speaker.as_deref();
        if let Some(own) = own.filter(|own| self.speakers.is_unmerged(own)) {
            return Some(own.to_owned());
        }
        let overlap = |start: f64, end: f64| {
            let shared = end.min(segment.end) - start.max(segment.start);
            shared.max(0.0)
        };
        let mut shares: BTreeMap<&str, f64> = BTreeMap::new();
        for Affected { state, .. } in affected {
            let Some(speaker) = state.segment.speaker.as_deref() else {
                continue;
            };
            *shares.entry(speaker).or_default() += overlap(state.segment.start, state.segment.end);
        }
        if shares.is_empty() {
            for passage in removed {
                let speaker = passage.speaker.as_deref();
                if let Some(speaker) = speaker.filter(|it| self.speakers.is_unmerged(it)) {
                    *shares.entry(speaker).or_default() += overlap(passage.start, passage.end);
                }
            }
        }
        let most = shares.into_iter().max_by(|a, b| a.1.total_cmp(&b.1));
        if let Some((speaker, seconds)) = most
            && seconds > 0.0
        {
            return Some(speaker.to_owned());
        }
        let before = text.iter().rfind(|one| one.start <= segment.start)?;
        let after = text.iter().find(|one| one.start > segment.start)?;
        before
            .speaker
            .clone()
            .filter(|_| before.speaker == after.speaker)
    }

    /// The language of a new segment; `None` if it is that of the text.
    fn stored_language(&self, segment: &Segment, default_language: &str) -> Option<String> {
        let language = segment.language_or(default_language);
        (!language.is_empty() && language != self.language).then(|| language.to_owned())
    }
}

fn has_both_parts(one: &Affected) -> bool {
    matches!(
        one.remainder,
        Remainder::Parts {
            before: Some(_),
            after: Some(_)
        }
    )
}

fn keeps_only_its_end(one: &Affected) -> bool {
    matches!(
        one.remainder,
        Remainder::Parts {
            before: None,
            after: Some(_)
        }
    )
}

/// The change of a segment that loses its words in the stretch, and its second part, if the stretch
/// splits it.
fn without_stretch(
    Affected { state, remainder }: Affected,
) -> (Change<SegmentState>, Option<EditedSegment>) {
    match remainder {
        Remainder::Parts {
            before: Some(before),
            after: second,
        } => (changed(state, before), second),
        Remainder::Parts {
            before: None,
            after: Some(rest),
        } => (changed(state, rest), None),
        Remainder::Parts { .. } | Remainder::Nothing | Remainder::All => {
            let mut after = next(&state);
            after.removed = true;
            let before = state;
            (Change { before, after }, None)
        }
    }
}
