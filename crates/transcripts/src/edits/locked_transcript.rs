//! A locked text, with the changes made to it so far in this transaction.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use slovo_db::texts::edits::{
    self, Change, Entry, NewEntry, SegmentState, SpeakerState, Speakers, Visitor,
};
use slovo_db::texts::projection::{self, HistoryPoint};
use slovo_db::texts::{search, transcripts};
use slovo_db::{Connection, jobs};
use slovo_rules::edit::{EditedSegment, EditedTranscript, SegmentChange, SegmentRef};
use slovo_rules::transcript::{fill_languages, rounded};
use slovo_rules::violation::{Code, Violation, Violations};
use uuid::Uuid;

use super::{Author, EditError, EditKind, SAME_SECONDS, SavedEdits};

/// A locked text and the changes so far.
pub(super) struct LockedTranscript<'a> {
    pub(super) connection: &'a mut Connection,
    pub(super) author: &'a Author,
    pub(super) speakers: Speakers,
    /// The language of the text.
    pub(super) language: String,
    /// The last edit of the text.
    pub(super) newest: u32,
    /// The last edit of this request.
    seq: u32,
    changes: BTreeMap<String, SegmentState>,
    /// Speakers who were merged or separated: their segments have changed as well.
    moved: BTreeSet<String>,
}

/// The changes of one edit.
#[derive(Debug, Default)]
pub(super) struct Changes {
    pub(super) segments: Vec<Change<SegmentState>>,
    pub(super) speakers: Vec<Change<SpeakerState>>,
}

impl<'a> LockedTranscript<'a> {
    /// Locks the text.
    pub(super) async fn open(
        connection: &'a mut Connection,
        author: &'a Author,
    ) -> Result<Self, EditError> {
        let newest = edits::lock(&mut *connection, author.job, author.version).await?;
        let newest = newest.ok_or(EditError::NotReady)?;
        let speakers = edits::read_speakers(&mut *connection, author.job, author.version).await?;
        let language = transcripts::language(&mut *connection, author.job, author.version).await?;
        Ok(Self {
            connection,
            author,
            speakers,
            language: language.unwrap_or_default(),
            newest,
            seq: newest,
            changes: BTreeMap::new(),
            moved: BTreeSet::new(),
        })
    }

    /// The text as it is now.
    pub(super) async fn text(&mut self) -> Result<EditedTranscript, EditError> {
        let point = HistoryPoint {
            version: Some(self.author.version),
            at: None,
        };
        let text = projection::read(&mut *self.connection, self.author.job, point).await?;
        text.ok_or(EditError::NotReady)
    }

    /// These segments as they are now, by id.
    pub(super) async fn current(
        &mut self,
        ids: &[String],
    ) -> Result<HashMap<String, SegmentState>, EditError> {
        let (job, version) = (self.author.job, self.author.version);
        Ok(edits::current(&mut *self.connection, job, version, ids).await?)
    }

    /// The segments that an edit names, in its order, if their revisions are those that its author
    /// saw.
    pub(super) async fn checked_states(
        &mut self,
        refs: &[&SegmentRef],
    ) -> Result<Vec<SegmentState>, EditError> {
        let ids: Vec<String> = refs.iter().map(|segment| segment.id.clone()).collect();
        let mut current = self.current(&ids).await?;
        let mut conflicts = Vec::new();
        let mut states = Vec::with_capacity(refs.len());
        for reference in refs {
            match current.remove(&reference.id) {
                Some(state) if !state.removed && state.segment.revision == reference.revision => {
                    states.push(state);
                }
                state => conflicts.push(self.as_change(&reference.id, state)),
            }
        }
        if conflicts.is_empty() {
            Ok(states)
        } else {
            Err(EditError::Conflict(conflicts))
        }
    }

    /// A segment as sent to readers.
    pub(super) fn as_change(&self, id: &str, state: Option<SegmentState>) -> SegmentChange {
        as_change(&self.speakers, &self.language, id, state)
    }

    /// Applies an edit: stores its changes and appends it to the journal.
    pub(super) async fn record(
        &mut self,
        edit_id: Uuid,
        kind: EditKind,
        target: Option<u32>,
        mut changes: Changes,
    ) -> Result<(), EditError> {
        let (job, version) = (self.author.job, self.author.version);
        for change in &mut changes.segments {
            round_times(&mut change.after);
        }
        let segments: Vec<_> = changes
            .segments
            .iter()
            .map(|change| &change.after)
            .collect();
        edits::write(&mut *self.connection, job, version, &segments).await?;
        let speakers: Vec<_> = changes
            .speakers
            .iter()
            .map(|change| &change.after)
            .collect();
        edits::write_speakers(&mut *self.connection, job, version, &speakers).await?;
        if target.is_none() {
            edits::discard_undone(&mut *self.connection, job, version, self.author.client).await?;
        }
        self.newest += 1;
        let entry = NewEntry {
            seq: self.newest,
            edit_id,
            client: self.author.client,
            author_id: &self.author.user_id,
            visitor: self.author.visitor.as_ref(),
            at: self.author.now,
            kind: kind.word(),
            target,
            segments: &changes.segments,
            speakers: &changes.speakers,
        };
        edits::append(&mut *self.connection, job, version, &entry).await?;
        jobs::record_work(&mut *self.connection, entry.author_id, job, entry.at).await?;
        if entry.affects_search() {
            search::mark_stale(&mut *self.connection, job).await?;
        }
        self.seq = self.newest;
        self.record_changes(changes.segments, &changes.speakers);
        Ok(())
    }

    /// A stored edit returns its original response. A visitor only gets responses of edits made
    /// through their own link.
    pub(super) fn repeat(&mut self, entry: Entry) -> Result<(), EditError> {
        let share_of = |visitor: &Visitor| visitor.share;
        let own_share = self.author.visitor.as_ref().map(share_of);
        if own_share.is_some() && own_share != entry.visitor.as_ref().map(share_of) {
            return Err(invalid("edit_id", Code::IdInvalid));
        }
        self.seq = entry.seq;
        self.record_changes(entry.segments, &entry.speakers);
        Ok(())
    }

    fn record_changes(
        &mut self,
        segments: Vec<Change<SegmentState>>,
        speakers: &[Change<SpeakerState>],
    ) {
        for change in segments {
            let id = change.after.segment.id.clone();
            self.changes.insert(id, change.after);
        }
        for change in speakers {
            if change.before.merged_into != change.after.merged_into {
                self.moved.insert(change.after.id.clone());
            }
        }
    }

    /// The response.
    pub(super) async fn finish(self) -> Result<SavedEdits, EditError> {
        let (job, version) = (self.author.job, self.author.version);
        let mut changes = self.changes;
        let moved = moved_segments(
            &mut *self.connection,
            (job, version),
            &self.speakers,
            &self.moved,
        );
        for state in moved.await? {
            changes.entry(state.segment.id.clone()).or_insert(state);
        }
        let steps = edits::steps(self.connection, job, version, self.author.client).await?;
        Ok(SavedEdits {
            seq: self.seq,
            changes: in_order(&self.speakers, &self.language, changes.into_values()),
            speakers: self.speakers.unmerged(),
            steps,
        })
    }
}

/// The segments whose speaker changes because these speakers were merged or separated.
pub(super) async fn moved_segments(
    connection: &mut Connection,
    (job, version): (Uuid, i64),
    speakers: &Speakers,
    moved: &BTreeSet<String>,
) -> slovo_db::Result<Vec<SegmentState>> {
    let depending: BTreeSet<String> = moved
        .iter()
        .flat_map(|speaker| speakers.depending_on(speaker))
        .collect();
    let depending: Vec<String> = depending.into_iter().collect();
    edits::of_speakers(connection, job, version, &depending).await
}

/// Segments of a text in this language as sent to readers, by position.
pub(super) fn in_order(
    speakers: &Speakers,
    language: &str,
    states: impl Iterator<Item = SegmentState>,
) -> Vec<SegmentChange> {
    let mut states: Vec<SegmentState> = states.collect();
    states.sort_by_key(|state| state.segment.place);
    let changes = states.into_iter().map(|state| {
        let id = state.segment.id.clone();
        as_change(speakers, language, &id, Some(state))
    });
    changes.collect()
}

fn as_change(
    speakers: &Speakers,
    language: &str,
    id: &str,
    state: Option<SegmentState>,
) -> SegmentChange {
    let state = state.filter(|state| !state.removed);
    SegmentChange {
        id: id.to_owned(),
        segment: state.map(|SegmentState { mut segment, .. }| {
            if let Some(speaker) = &mut segment.speaker {
                *speaker = speakers.resolve(speaker).to_owned();
            }
            fill_languages([&mut segment.language], language);
            segment
        }),
    }
}

/// Rounds times to milliseconds, as they are stored.
fn round_times(state: &mut SegmentState) {
    let segment = &mut state.segment;
    segment.start = rounded(segment.start);
    segment.end = rounded(segment.end);
    for word in &mut segment.words {
        word.start = rounded(word.start);
        word.end = rounded(word.end);
        word.confidence = rounded(word.confidence);
    }
    for cue in &mut segment.cues {
        cue.start = rounded(cue.start);
        cue.end = rounded(cue.end);
    }
}

/// Whether two states of a segment have the same content, regardless of revisions.
pub(super) fn same_content(a: &SegmentState, b: &SegmentState) -> bool {
    if a.removed || b.removed {
        return a.removed == b.removed && a.in_bin == b.in_bin;
    }
    let near = |a: f64, b: f64| (a - b).abs() < SAME_SECONDS;
    let (a, b) = (&a.segment, &b.segment);
    a.text == b.text
        && a.speaker == b.speaker
        && a.language == b.language
        && a.place == b.place
        && near(a.start, b.start)
        && near(a.end, b.end)
        && a.words.len() == b.words.len()
        && a.words.iter().zip(&b.words).all(|(a, b)| {
            a.text == b.text
                && near(a.start, b.start)
                && near(a.end, b.end)
                && near(a.confidence, b.confidence)
        })
        && a.cues.len() == b.cues.len()
        && a.cues.iter().zip(&b.cues).all(|(a, b)| {
            a.at == b.at && a.breaks == b.breaks && near(a.start, b.start) && near(a.end, b.end)
        })
}

/// A violation of one field.
pub(super) fn invalid(field: &str, code: Code) -> EditError {
    EditError::Invalid(Violations(vec![Violation::new(field, code)]))
}

/// The same segment with the next revision.
pub(super) fn next(state: &SegmentState) -> SegmentState {
    let mut after = state.clone();
    after.segment.revision += 1;
    after
}

/// The change that gives a segment another content and the next revision.
pub(super) fn changed(before: SegmentState, segment: EditedSegment) -> Change<SegmentState> {
    let after = SegmentState {
        segment: EditedSegment {
            revision: before.segment.revision + 1,
            ..segment
        },
        ..before
    };
    Change { before, after }
}

/// The change that makes a segment. Before it, the segment did not exist; undoing it removes it.
pub(super) fn created(segment: EditedSegment) -> Change<SegmentState> {
    let before = SegmentState {
        segment: EditedSegment {
            revision: 0,
            ..segment
        },
        removed: true,
        in_bin: false,
    };
    let mut after = next(&before);
    after.removed = false;
    Change { before, after }
}
