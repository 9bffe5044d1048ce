//! The names of speakers in a file.

use std::collections::HashMap;

use slovo_rules::edit::{EditedSegment, EditedTranscript};
use slovo_rules::subtitles::speaker_name;

use super::text::clean;

/// The names of a transcript's speakers; empty if names are not shown.
pub struct Names<'a> {
    by_id: HashMap<&'a str, String>,
    shown: bool,
}

impl<'a> Names<'a> {
    /// The names that users gave.
    pub fn of(transcript: &'a EditedTranscript, shown: bool) -> Self {
        let names = transcript.speakers.iter().filter_map(|speaker| {
            let name = clean(speaker.name.as_deref()?);
            (!name.is_empty()).then_some((speaker.id.as_str(), name))
        });
        Self {
            by_id: names.collect(),
            shown,
        }
    }

    /// The speaker's name, or a short label if there is none.
    pub fn speaker(&self, segment: &EditedSegment) -> Option<String> {
        segment
            .speaker
            .as_deref()
            .filter(|_| self.shown)
            .map(|id| self.name(id))
    }

    /// The name of a speaker by id, if names are shown.
    pub fn shown(&self, id: &str) -> Option<String> {
        self.shown.then(|| self.name(id))
    }

    /// The names of all who speak, by first appearance.
    pub fn all(&self, transcript: &EditedTranscript) -> Vec<String> {
        let speakers = transcript.speakers.iter().filter(|_| self.shown);
        speakers.map(|speaker| self.name(&speaker.id)).collect()
    }

    fn name(&self, id: &str) -> String {
        let name = self.by_id.get(id);
        name.cloned()
            .unwrap_or_else(|| clean(&speaker_name(id, None)))
    }
}
