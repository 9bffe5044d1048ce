//! Input and output of the subtitle layout.

use crate::edit::{EditedSegment, HandCue, located};
use crate::seconds::finite;
use crate::text::is_visible;
use crate::transcript::{Segment, Word, speaker_label};

use super::{SubtitleLimits, lines};

/// Seconds before and after a hand-made cue in which no new group of segments begins.
const REACH_SECONDS: f64 = 3.0;

/// A subtitle: text in one line, not yet broken or escaped.
#[derive(Clone, Debug, PartialEq)]
pub struct Cue {
    /// Seconds.
    pub start: f64,
    /// Seconds, after `start`.
    pub end: f64,
    /// The speaker's name.
    pub speaker: Option<String>,
    /// Whether the speaker differs from the cue before.
    pub speaker_changes: bool,
    /// Clean text without line breaks; never empty.
    pub text: String,
    /// Where its words begin, in order; empty where the recognition has no times of words.
    pub words: Vec<WordStart>,
    /// Byte positions of its line breaks if it is hand-made; `None`: automatic breaks.
    pub by_hand: Option<Vec<usize>>,
}

/// The start of a word in a cue.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WordStart {
    /// Byte position in the cue's text.
    pub at: usize,
    /// Seconds.
    pub start: f64,
}

/// The content of a segment, for cues.
#[derive(Clone, Debug, PartialEq)]
pub struct SpokenSegment<'a> {
    /// Seconds.
    pub start: f64,
    /// Seconds.
    pub end: f64,
    /// The speaker's name.
    pub speaker: Option<String>,
    /// The text.
    pub text: &'a str,
    /// Its words with times; may be empty.
    pub words: &'a [Word],
    /// Its hand-made cues, if any.
    pub cues: &'a [HandCue],
}

impl<'a> From<&'a Segment> for SpokenSegment<'a> {
    /// With the speaker's short label.
    fn from(segment: &'a Segment) -> Self {
        Self {
            start: segment.start,
            end: segment.end,
            speaker: segment.speaker.as_deref().map(speaker_label),
            text: &segment.text,
            words: &segment.words,
            cues: &[],
        }
    }
}

impl<'a> From<&'a EditedSegment> for SpokenSegment<'a> {
    /// With the speaker's short label.
    fn from(segment: &'a EditedSegment) -> Self {
        Self {
            start: segment.start,
            end: segment.end,
            speaker: segment.speaker.as_deref().map(speaker_label),
            text: &segment.text,
            words: &segment.words,
            cues: &segment.cues,
        }
    }
}

impl SpokenSegment<'_> {
    /// The speaker's name, cleaned.
    pub(super) fn speaker_name(&self) -> Option<String> {
        self.speaker.as_deref().map(clean)
    }

    /// Whether there is visible text.
    pub(super) fn has_text(&self) -> bool {
        self.text.chars().any(is_visible)
    }

    /// The start of its speech or of its first cue, in seconds.
    pub(super) fn earliest_start(&self) -> f64 {
        let cue = self.cues.first();
        cue.map_or(self.start, |cue| cue.start.min(self.start))
    }

    /// The interval in which its speech or cues occur, in seconds, including what others must
    /// avoid.
    pub(super) fn span(&self) -> (f64, f64) {
        match self.cues {
            [first, .., last] | [first @ last] => {
                claimed_interval((self.start, self.end), (first.start, last.end))
            }
            [] => (self.start, self.end),
        }
    }

    /// Its hand-made cues, if any.
    pub(super) fn by_hand(&self) -> Vec<Cue> {
        let bytes: Vec<usize> = self.text.char_indices().map(|(at, _)| at).collect();
        let byte = |at: u32| {
            let at = usize::try_from(at).ok().and_then(|at| bytes.get(at));
            at.copied().unwrap_or(self.text.len())
        };
        let ranges = located(self.text, self.words).unwrap_or_default();
        let mut words = self.words.iter().zip(ranges).peekable();
        let cues = self.cues.iter().enumerate().map(|(position, cue)| {
            let next = self.cues.get(position + 1);
            let end = next.map_or(self.text.len(), |next| byte(next.at));
            let from = if position == 0 {
                0
            } else {
                byte(cue.at).min(end)
            };
            let (text, places) = clean_with_places(self.text.get(from..end).unwrap_or_default());
            let clean = |at: usize| {
                let next = places.partition_point(|(old, _)| *old < at.saturating_sub(from));
                places.get(next).map_or(text.len(), |(_, new)| *new)
            };
            let breaks = cue.breaks.iter().map(|&at| clean(byte(at)));
            let breaks = breaks.collect();
            let mut starts = Vec::new();
            while let Some((word, range)) = words.next_if(|(_, range)| range.start < end) {
                if range.start >= from {
                    starts.push(WordStart {
                        at: clean(range.start),
                        start: word.start,
                    });
                }
            }
            let start = finite(cue.start).unwrap_or(0.0).max(0.0);
            Cue {
                start,
                end: finite(cue.end).unwrap_or(start).max(start + 0.001),
                speaker: self.speaker_name(),
                speaker_changes: false,
                by_hand: Some(breaks),
                words: starts,
                text,
            }
        });
        cues.filter(|cue| !cue.text.is_empty()).collect()
    }
}

impl Cue {
    /// The prefix at a change of speaker, in formats without a field for speakers.
    #[must_use]
    pub fn head(&self) -> String {
        match &self.speaker {
            Some(speaker) if self.speaker_changes => head(speaker),
            _ => String::new(),
        }
    }

    /// Its lines, with the speaker's name at a change of speaker.
    #[must_use]
    pub fn spoken_lines(&self, limits: &SubtitleLimits) -> String {
        let head = self.head();
        let text = format!("{head}{}", self.text);
        match &self.by_hand {
            Some(breaks) if !breaks.is_empty() => {
                format!("{head}{}", lines::broken_at(&self.text, breaks))
            }
            _ => lines::broken_after(&text, head.len(), limits),
        }
    }

    /// The cue moved by this many seconds; `None` if it would end before the beginning.
    #[must_use]
    pub fn moved(mut self, by: f64) -> Option<Self> {
        if by == 0.0 {
            return Some(self);
        }
        let to = |seconds: f64| ((seconds + by) * 1_000.0).round() / 1_000.0;
        self.start = to(self.start).max(0.0);
        self.end = to(self.end);
        for word in &mut self.words {
            word.start = (word.start + by).max(0.0);
        }
        (self.end > self.start).then_some(self)
    }

    /// Its lines without the speaker.
    #[must_use]
    pub fn lines(&self, limits: &SubtitleLimits) -> String {
        match &self.by_hand {
            Some(breaks) if !breaks.is_empty() => lines::broken_at(&self.text, breaks),
            _ => lines::broken_after(&self.text, 0, limits),
        }
    }
}

/// A speaker's name as a prefix of a cue.
pub(super) fn head(speaker: &str) -> String {
    format!("{speaker}: ")
}

/// A cue with its segment.
#[derive(Clone, Debug, PartialEq)]
pub struct PlacedCue {
    /// Index of the segment in the input, from 0.
    pub segment: usize,
    /// The cue.
    pub cue: Cue,
}

/// The context of segments whose cues are made together.
#[derive(Clone, Debug, PartialEq)]
pub struct SpeechContext {
    /// Whether they are the first of the recording.
    pub first: bool,
    /// The speaker of the last preceding segment with text.
    pub speaker: Option<String>,
    /// When the following segment begins, in seconds; infinite without one.
    pub next: f64,
    /// End of the recording, in seconds; 0: unknown.
    pub duration: f64,
}

impl SpeechContext {
    /// The context of a whole recording of this many seconds (0: unknown).
    #[must_use]
    pub const fn recording(duration: f64) -> Self {
        Self {
            first: true,
            speaker: None,
            next: f64::INFINITY,
            duration,
        }
    }
}

/// Text with each run of white space and control characters as one space.
#[must_use]
pub fn clean(text: &str) -> String {
    let spaced: String = text
        .chars()
        .map(|c| if is_visible(c) { c } else { ' ' })
        .collect();
    spaced.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The interval in which a segment with hand-made cues takes time from others, in seconds, from its
/// speech and its cues, plus a margin for the cues that are displaced.
#[must_use]
pub fn claimed_interval((start, end): (f64, f64), (comes, goes): (f64, f64)) -> (f64, f64) {
    (
        start.min(comes - REACH_SECONDS),
        end.max(goes + REACH_SECONDS),
    )
}

/// The cleaned text, and the position of each visible character in both, in bytes.
fn clean_with_places(text: &str) -> (String, Vec<(usize, usize)>) {
    let (mut clean, mut places) = (String::with_capacity(text.len()), Vec::new());
    let mut spaced = false;
    for (at, character) in text.char_indices() {
        if !is_visible(character) {
            spaced = !clean.is_empty();
            continue;
        }
        if spaced {
            clean.push(' ');
            spaced = false;
        }
        places.push((at, clean.len()));
        clean.push(character);
    }
    (clean, places)
}
