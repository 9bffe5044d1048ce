//! How speakers are called in a file.

use std::collections::HashMap;

use slovo_rules::edit::{EditedSegment, EditedTranscript};
use slovo_rules::subtitles::speaker_name;

use super::text::clean;

/// The names of a transcript's speakers; empty where they are not shown.
pub struct Names<'a> {
    given: HashMap<&'a str, String>,
    shown: bool,
}

impl<'a> Names<'a> {
    /// The names that were given.
    pub fn of(transcript: &'a EditedTranscript, shown: bool) -> Self {
        let named = transcript.speakers.iter().filter_map(|speaker| {
            let name = clean(speaker.name.as_deref()?);
            (!name.is_empty()).then_some((speaker.id.as_str(), name))
        });
        Self {
            given: named.collect(),
            shown,
        }
    }

    /// The name of who speaks, or the short label where nobody gave one.
    pub fn speaker(&self, segment: &EditedSegment) -> Option<String> {
        segment
            .speaker
            .as_deref()
            .filter(|_| self.shown)
            .map(|id| self.name(id))
    }

    /// How a speaker is called, where names are shown.
    pub fn shown(&self, id: &str) -> Option<String> {
        self.shown.then(|| self.name(id))
    }

    /// The names of all that speak, by first appearance.
    pub fn all(&self, transcript: &EditedTranscript) -> Vec<String> {
        let speakers = transcript.speakers.iter().filter(|_| self.shown);
        speakers.map(|speaker| self.name(&speaker.id)).collect()
    }

    fn name(&self, id: &str) -> String {
        let given = self.given.get(id);
        given
            .cloned()
            .unwrap_or_else(|| clean(&speaker_name(id, None)))
    }
}
