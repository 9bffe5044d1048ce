//! Stored edits as sent to readers.

use std::collections::{BTreeMap, BTreeSet};

use slovo_db::Connection;
use slovo_db::texts::edits::{self, Entry, SegmentState, WithAuthor};
use slovo_db::texts::transcripts;
use slovo_rules::edit::{SegmentChange, Speaker};
use uuid::Uuid;

use super::locked_transcript::{in_order, moved_segments};

/// An edit with what readers need to apply it.
#[derive(Debug, Clone, PartialEq)]
pub struct ListedEdit {
    /// The edit.
    pub entry: WithAuthor<Entry>,
    /// The segments that it changed, with their current speakers.
    pub changes: Vec<SegmentChange>,
    /// All current speakers, if it changed any.
    pub speakers: Option<Vec<Speaker>>,
}

/// Loads what readers need for stored edits of one text.
///
/// # Errors
/// When the database fails.
pub async fn load(
    connection: &mut Connection,
    job: Uuid,
    version: i64,
    entries: Vec<WithAuthor<Entry>>,
) -> slovo_db::Result<Vec<ListedEdit>> {
    let speakers = edits::read_speakers(&mut *connection, job, version).await?;
    let language = transcripts::language(&mut *connection, job, version).await?;
    let language = language.unwrap_or_default();
    let mut listed = Vec::with_capacity(entries.len());
    for entry in entries {
        let mut states: BTreeMap<String, SegmentState> = BTreeMap::new();
        for change in &entry.of.segments {
            let state = change.after.clone();
            states.insert(state.segment.id.clone(), state);
        }
        let moved: BTreeSet<String> = entry
            .of
            .speakers
            .iter()
            .filter(|change| change.before.merged_into != change.after.merged_into)
            .map(|change| change.after.id.clone())
            .collect();
        if !moved.is_empty() {
            let place = (job, version);
            for state in moved_segments(&mut *connection, place, &speakers, &moved).await? {
                states.entry(state.segment.id.clone()).or_insert(state);
            }
        }
        // A new speaker is sent together with the segments assigned to them.
        let may_bring = ["set_speaker", "insert"].contains(&entry.of.kind.as_str());
        let tells_speakers = !entry.of.speakers.is_empty() || may_bring;
        listed.push(ListedEdit {
            changes: in_order(&speakers, &language, states.into_values()),
            speakers: tells_speakers.then(|| speakers.unmerged()),
            entry,
        });
    }
    Ok(listed)
}
