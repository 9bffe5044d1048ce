//! Undo, redo, and restoring an earlier state.

use slovo_db::Connection;
use slovo_db::texts::edits::{self, Change, SegmentState, SpeakerState, Standing};
use uuid::Uuid;

use super::locked_transcript::{Changes, LockedTranscript, same_content};
use super::{Author, EditError, EditKind, SavedEdits};

/// The direction of a step through a page's edits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// Back.
    Undo,
    /// Forward again.
    Redo,
}

impl Direction {
    /// The contents before and after the step of a change.
    fn ordered<T>(self, change: Change<T>) -> (T, T) {
        match self {
            Self::Undo => (change.after, change.before),
            Self::Redo => (change.before, change.after),
        }
    }
}

/// Undoes the page's newest edit that is not undone, or redoes its last undone one.
///
/// # Errors
/// What [`EditError`] says; then the transaction must not be committed.
pub async fn step(
    connection: &mut Connection,
    author: &Author,
    edit_id: Uuid,
    direction: Direction,
) -> Result<SavedEdits, EditError> {
    let mut transcript = LockedTranscript::open(connection, author).await?;
    if transcript.is_stored(edit_id).await? {
        return transcript.finish().await;
    }
    let (job, version) = (author.job, author.version);
    let steps = edits::steps(&mut *transcript.connection, job, version, author.client).await?;
    let (target, kind, nothing, standing) = match direction {
        Direction::Undo => (
            steps.undo,
            EditKind::Undo,
            EditError::NothingToUndo,
            Standing::Undone,
        ),
        Direction::Redo => (
            steps.redo,
            EditKind::Redo,
            EditError::NothingToRedo,
            Standing::Applied,
        ),
    };
    let Some(target) = target else {
        return Err(nothing);
    };
    let entry = edits::find(&mut *transcript.connection, job, version, target).await?;
    let Some(entry) = entry else {
        return Err(nothing);
    };
    let segments = entry.segments.into_iter();
    let segments = segments.map(|change| direction.ordered(change));
    let speakers = entry.speakers.into_iter();
    let speakers = speakers.map(|change| direction.ordered(change));
    let changes = Changes {
        segments: transcript.segments_back(segments.collect()).await?,
        speakers: transcript.speakers_back(speakers.collect())?,
    };
    transcript
        .record(edit_id, kind, Some(target), changes)
        .await?;
    edits::set_standing(&mut *transcript.connection, job, version, target, standing).await?;
    transcript.finish().await
}

/// Restores all segments and names to their state after the edit `at`, as an ordinary edit.
///
/// # Errors
/// What [`EditError`] says; then the transaction must not be committed.
pub async fn restore(
    connection: &mut Connection,
    author: &Author,
    edit_id: Uuid,
    at: u32,
) -> Result<SavedEdits, EditError> {
    let mut transcript = LockedTranscript::open(connection, author).await?;
    if transcript.is_stored(edit_id).await? {
        return transcript.finish().await;
    }
    let (job, version) = (author.job, author.version);
    let before = edits::states_at(&mut *transcript.connection, job, version, at).await?;
    let ids: Vec<String> = before.segments.keys().cloned().collect();
    let mut current = transcript.current(&ids).await?;
    let mut changes = Changes::default();
    for (id, state) in before.segments {
        let Some(now) = current.remove(&id) else {
            continue;
        };
        if !same_content(&now, &state) {
            changes.segments.push(with_content(now, state));
        }
    }
    changes
        .segments
        .sort_by_key(|change| change.after.segment.place);
    for after in before.speakers {
        if let Some(now) = transcript.speakers.find(&after.id)
            && *now != after
        {
            let before = now.clone();
            changes.speakers.push(Change { before, after });
        }
    }
    let after: Vec<SpeakerState> = changes
        .speakers
        .iter()
        .map(|change| change.after.clone())
        .collect();
    transcript.speakers.set(&after);
    // Unchanged segments need no edit.
    if !changes.segments.is_empty() || !changes.speakers.is_empty() {
        transcript
            .record(edit_id, EditKind::Restore, None, changes)
            .await?;
    }
    transcript.finish().await
}

/// `now` with the content of `content` and the next revision.
fn with_content(now: SegmentState, mut content: SegmentState) -> Change<SegmentState> {
    content.segment.revision = now.segment.revision + 1;
    Change {
        before: now,
        after: content,
    }
}

impl LockedTranscript<'_> {
    /// Whether this step was stored before; then it returns its original response.
    pub(super) async fn is_stored(&mut self, edit_id: Uuid) -> Result<bool, EditError> {
        let (job, version) = (self.author.job, self.author.version);
        let stored = edits::stored(&mut *self.connection, job, version, &[edit_id]).await?;
        let entry = stored.into_values().next();
        Ok(entry.map(|entry| self.repeat(entry)).transpose()?.is_some())
    }

    /// Changes segments from one content to another, if they still have the former.
    async fn segments_back(
        &mut self,
        steps: Vec<(SegmentState, SegmentState)>,
    ) -> Result<Vec<Change<SegmentState>>, EditError> {
        let ids: Vec<String> = steps
            .iter()
            .map(|(from, _)| from.segment.id.clone())
            .collect();
        let mut current = self.current(&ids).await?;
        let mut conflicts = Vec::new();
        let mut changes = Vec::with_capacity(steps.len());
        for (from, to) in steps {
            match current.remove(&from.segment.id) {
                Some(now) if same_content(&now, &from) => changes.push(with_content(now, to)),
                now => conflicts.push(self.as_change(&from.segment.id, now)),
            }
        }
        if conflicts.is_empty() {
            Ok(changes)
        } else {
            Err(EditError::Conflict(conflicts))
        }
    }

    /// The same for speakers. Merged speakers must not form a cycle.
    fn speakers_back(
        &mut self,
        steps: Vec<(SpeakerState, SpeakerState)>,
    ) -> Result<Vec<Change<SpeakerState>>, EditError> {
        let mut changes = Vec::with_capacity(steps.len());
        for (from, after) in steps {
            let before = self.speakers.find(&from.id).cloned();
            let Some(before) = before.filter(|now| *now == from) else {
                return Err(EditError::Conflict(Vec::new()));
            };
            self.speakers.set(std::slice::from_ref(&after));
            changes.push(Change { before, after });
        }
        if self.speakers.is_acyclic() {
            Ok(changes)
        } else {
            Err(EditError::Conflict(Vec::new()))
        }
    }
}
