//! New edits.

use slovo_db::Connection;
use slovo_db::texts::edits::{self, Change};
use slovo_rules::Valid;
use slovo_rules::edit::{self, Edit, EditOp, NewText, SegmentRef};
use slovo_rules::share::MAX_SPEAKERS;
use slovo_rules::transcript::speaker_number;
use slovo_rules::violation::Code;
use uuid::Uuid;

use super::locked_transcript::{Changes, LockedTranscript, changed, created, invalid, next};
use super::timed::MissingLine;
use super::{Author, EditError, EditKind, SavedEdits};

/// Applies edits in order: all of them or, on an error, none, since the caller must not commit
/// then. Edits that are already stored are not applied again.
///
/// # Errors
/// [`EditError`].
pub async fn save(
    connection: &mut Connection,
    author: &Author,
    edits: &Valid<Vec<Edit>>,
) -> Result<SavedEdits, EditError> {
    let mut transcript = LockedTranscript::open(connection, author).await?;
    let ids: Vec<Uuid> = edits
        .iter()
        .enumerate()
        .map(|(position, edit)| {
            let id = edit.edit_id.parse();
            id.map_err(|_| invalid(&format!("edits.{position}.edit_id"), Code::IdInvalid))
        })
        .collect::<Result<_, _>>()?;
    let (job, version) = (author.job, author.version);
    let mut stored = edits::stored(&mut *transcript.connection, job, version, &ids).await?;
    for (position, (edit, id)) in edits.iter().zip(&ids).enumerate() {
        if let Some(entry) = stored.remove(id) {
            transcript.repeat(entry)?;
            continue;
        }
        let done = transcript.changes_of(&edit.op).await;
        let (kind, changes) = done.map_err(|error| at_position(error, position))?;
        transcript.record(*id, kind, None, changes).await?;
    }
    transcript.finish().await
}

/// Adds the index of the edit to the violations' fields.
fn at_position(error: EditError, position: usize) -> EditError {
    let EditError::Invalid(violations) = error else {
        return error;
    };
    let path = format!("edits.{position}.op");
    EditError::Invalid(violations.under(&path))
}

impl LockedTranscript<'_> {
    /// What an edit changes.
    async fn changes_of(&mut self, op: &EditOp) -> Result<(EditKind, Changes), EditError> {
        Ok(match op {
            EditOp::SetText(new) => {
                let changes = self.texts(std::slice::from_ref(new)).await?;
                (EditKind::SetText, changes)
            }
            EditOp::Replace { segments } => (EditKind::Replace, self.texts(segments).await?),
            EditOp::Split {
                segment,
                at,
                new_segment,
            } => (
                EditKind::Split,
                self.split(segment, *at, new_segment).await?,
            ),
            EditOp::Merge { segment, next } => (EditKind::Merge, self.merge(segment, next).await?),
            EditOp::ConfirmWords { segment, words } => (
                EditKind::ConfirmWords,
                self.confirm_words(segment, words).await?,
            ),
            EditOp::Remove { segments } => (EditKind::Remove, self.remove(segments).await?),
            EditOp::PutBack { segments } => (EditKind::PutBack, self.put_back(segments).await?),
            EditOp::SetSpeaker { segments, speaker } => (
                EditKind::SetSpeaker,
                self.set_speaker(segments, speaker.as_deref()).await?,
            ),
            EditOp::RenameSpeaker { speaker, name } => (
                EditKind::RenameSpeaker,
                self.rename_speaker(speaker, name.as_deref())?,
            ),
            EditOp::BringBack { passage } => {
                (EditKind::BringBack, self.restore_passage(*passage).await?)
            }
            EditOp::MergeSpeakers { from, into } => {
                (EditKind::MergeSpeakers, self.merge_speakers(from, into)?)
            }
            EditOp::SetTimes { times } => (EditKind::SetTimes, self.set_times(times).await?),
            EditOp::Insert {
                new_segment,
                after,
                start,
                end,
                text,
                speaker,
            } => {
                let missed = MissingLine {
                    id: new_segment,
                    after: after.as_ref(),
                    time: (*start, *end),
                    text,
                    speaker: speaker.as_deref(),
                };
                (EditKind::Insert, self.insert(missed).await?)
            }
            EditOp::SetCues(new) => (EditKind::SetCues, self.set_cues(new).await?),
            EditOp::CorrectCues { segments } => {
                (EditKind::CorrectCues, self.replace_cues(segments).await?)
            }
        })
    }

    async fn texts(&mut self, texts: &[NewText]) -> Result<Changes, EditError> {
        let refs: Vec<&SegmentRef> = texts.iter().map(|new| &new.segment).collect();
        let states = self.checked_states(&refs).await?;
        let segments = states.into_iter().zip(texts).map(|(before, new)| {
            let segment = edit::retext(&before.segment, &new.text);
            changed(before, segment)
        });
        Ok(Changes {
            segments: segments.collect(),
            ..Changes::default()
        })
    }

    async fn split(
        &mut self,
        segment: &SegmentRef,
        at: u32,
        new_segment: &str,
    ) -> Result<Changes, EditError> {
        let before = self.checked_states(&[segment]).await?.remove(0);
        if !self.current(&[new_segment.to_owned()]).await?.is_empty() {
            return Err(invalid("new_segment", Code::Repeated));
        }
        let (job, version) = (self.author.job, self.author.version);
        let place = before.segment.place;
        let right = edits::next_part(&mut *self.connection, job, version, place).await?;
        let part = edit::part_between(place.part, right).ok_or(EditError::TooDeep)?;
        let halves = edit::split(&before.segment, at, new_segment, part);
        let (first, second) = halves.ok_or_else(|| invalid("at", Code::SplitAtEdge))?;
        Ok(Changes {
            segments: vec![changed(before, first), created(second)],
            ..Changes::default()
        })
    }

    async fn merge(
        &mut self,
        segment: &SegmentRef,
        following: &SegmentRef,
    ) -> Result<Changes, EditError> {
        let mut states = self.checked_states(&[segment, following]).await?;
        let (second, first) = (states.pop(), states.pop());
        let (Some(first), Some(second)) = (first, second) else {
            return Err(invalid("next", Code::IdInvalid));
        };
        let (job, version) = (self.author.job, self.author.version);
        let place = first.segment.place;
        let neighbour = edits::following(&mut *self.connection, job, version, place).await?;
        if neighbour.as_deref() != Some(second.segment.id.as_str()) {
            return Err(invalid("next", Code::SegmentsNotAdjacent));
        }
        let joined = edit::merge(&first.segment, &second.segment);
        let mut removed = next(&second);
        removed.removed = true;
        Ok(Changes {
            segments: vec![
                changed(first, joined),
                Change {
                    before: second,
                    after: removed,
                },
            ],
            ..Changes::default()
        })
    }

    async fn confirm_words(
        &mut self,
        segment: &SegmentRef,
        words: &[u32],
    ) -> Result<Changes, EditError> {
        let before = self.checked_states(&[segment]).await?.remove(0);
        let mut after = next(&before);
        let confirmed = edit::confirm(&before.segment, words);
        after.segment.words = confirmed.ok_or_else(|| invalid("words", Code::IdInvalid))?;
        Ok(Changes {
            segments: vec![Change { before, after }],
            ..Changes::default()
        })
    }

    async fn set_speaker(
        &mut self,
        segments: &[SegmentRef],
        speaker: Option<&str>,
    ) -> Result<Changes, EditError> {
        let refs: Vec<&SegmentRef> = segments.iter().collect();
        let states = self.checked_states(&refs).await?;
        if let Some(speaker) = speaker {
            self.admit(speaker).await?;
        }
        let changed = states.into_iter().map(|before| {
            let mut after = next(&before);
            after.segment.speaker = speaker.map(str::to_owned);
            Change { before, after }
        });
        Ok(Changes {
            segments: changed.collect(),
            ..Changes::default()
        })
    }

    /// Adds the next speaker. The speaker remains without segments if the edit is undone.
    pub(super) async fn admit(&mut self, speaker: &str) -> Result<(), EditError> {
        if self.speakers.is_unmerged(speaker) {
            return Ok(());
        }
        let known = self.speakers.0.iter();
        let next = known
            .filter_map(|speaker| speaker_number(&speaker.id))
            .max();
        let next = next.map_or(0, |number| number.saturating_add(1));
        if speaker_number(speaker) != Some(next) {
            return Err(invalid("speaker", Code::SpeakerInvalid));
        }
        if self.author.visitor.is_some() && !self.visitors_may_add().await? {
            return Err(invalid("speaker", Code::SpeakerInvalid));
        }
        let (job, version) = (self.author.job, self.author.version);
        edits::add_speaker(&mut *self.connection, job, version, speaker).await?;
        self.speakers = edits::read_speakers(&mut *self.connection, job, version).await?;
        Ok(())
    }

    /// Whether a visitor may add a speaker. Speakers are never removed, so their number is limited,
    /// and none is added while the newest has no line.
    async fn visitors_may_add(&mut self) -> Result<bool, EditError> {
        let known = &self.speakers.0;
        if known.len() >= MAX_SPEAKERS {
            return Ok(false);
        }
        let last = known
            .iter()
            .max_by_key(|speaker| speaker_number(&speaker.id));
        // A speaker who was merged into another cannot be chosen any more.
        let Some(last) = last.filter(|speaker| speaker.merged_into.is_none()) else {
            return Ok(true);
        };
        let last = [last.id.clone()];
        let (job, version) = (self.author.job, self.author.version);
        let lines = edits::of_speakers(&mut *self.connection, job, version, &last).await?;
        Ok(!lines.is_empty())
    }

    fn rename_speaker(&mut self, speaker: &str, name: Option<&str>) -> Result<Changes, EditError> {
        let known = self.speakers.find(speaker);
        let before = known
            .filter(|candidate| candidate.merged_into.is_none())
            .ok_or_else(|| invalid("speaker", Code::SpeakerInvalid))?
            .clone();
        let mut after = before.clone();
        after.name = name.map(str::to_owned);
        self.speakers.set(std::slice::from_ref(&after));
        Ok(Changes {
            speakers: vec![Change { before, after }],
            ..Changes::default()
        })
    }

    fn merge_speakers(&mut self, from: &str, into: &str) -> Result<Changes, EditError> {
        if !self.speakers.is_unmerged(into) {
            return Err(invalid("into", Code::SpeakerInvalid));
        }
        let known = self.speakers.find(from);
        let before = known
            .filter(|speaker| speaker.merged_into.is_none())
            .ok_or_else(|| invalid("from", Code::SpeakerInvalid))?
            .clone();
        let mut after = before.clone();
        after.merged_into = Some(into.to_owned());
        self.speakers.set(std::slice::from_ref(&after));
        Ok(Changes {
            speakers: vec![Change { before, after }],
            ..Changes::default()
        })
    }
}
