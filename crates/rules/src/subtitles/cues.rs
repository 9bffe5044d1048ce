//! From segments to cues that can be read: two lines, a few seconds, in order.
//!
//! A segment is one or more cues; [`super::parts`] says where it is parted, [`super::timing`] when they
//! come and go.

use crate::edit::EditedSegment;
use crate::transcript::{Segment, Word, speaker_label};

use super::parts::{Setting, parts};
use super::timing::{Bounds, Heard, times};
use super::words::{Atom, atoms};
use super::{LIMITS, SubtitleLimits, lines};

/// Segments whose cues are timed together. What is before and after does not change them, so that the
/// editor makes the cues of what is on the screen only.
const TOGETHER: usize = 24;
/// Seconds after the beginning of a segment at which another may be the first of those that are timed
/// together: a cue has its time.
const APART_SECONDS: f64 = 2.0;

/// One subtitle: text in one line, not yet broken or escaped.
#[derive(Clone, Debug, PartialEq)]
pub struct Cue {
    /// Seconds.
    pub start: f64,
    /// Seconds, after `start`.
    pub end: f64,
    /// How the speaker is called.
    pub speaker: Option<String>,
    /// Whether the speaker differs from the cue before.
    pub speaker_changes: bool,
    /// Clean text without line breaks; never empty.
    pub text: String,
    /// Where its words begin, in order; empty where the recognition has no times of words.
    pub words: Vec<WordStart>,
}

/// Where a word of a cue begins.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WordStart {
    /// Byte of the cue's text.
    pub at: usize,
    /// Seconds.
    pub start: f64,
}

/// What a segment says, for cues.
#[derive(Clone, Debug, PartialEq)]
pub struct Said<'a> {
    /// Seconds.
    pub start: f64,
    /// Seconds.
    pub end: f64,
    /// How the speaker is called.
    pub speaker: Option<String>,
    /// The text.
    pub text: &'a str,
    /// Its words with their times; may be empty.
    pub words: &'a [Word],
}

impl<'a> From<&'a Segment> for Said<'a> {
    /// With the speaker's short label.
    fn from(segment: &'a Segment) -> Self {
        Self {
            start: segment.start,
            end: segment.end,
            speaker: segment.speaker.as_deref().map(speaker_label),
            text: &segment.text,
            words: &segment.words,
        }
    }
}

impl<'a> From<&'a EditedSegment> for Said<'a> {
    /// With the speaker's short label.
    fn from(segment: &'a EditedSegment) -> Self {
        Self {
            start: segment.start,
            end: segment.end,
            speaker: segment.speaker.as_deref().map(speaker_label),
            text: &segment.text,
            words: &segment.words,
        }
    }
}

impl Said<'_> {
    /// The speaker's name, clean.
    fn called(&self) -> Option<String> {
        self.speaker.as_deref().map(clean)
    }

    /// Whether there is anything to read.
    fn says(&self) -> bool {
        self.text.chars().any(seen)
    }
}

impl Cue {
    /// What stands in front of the text where the speaker changes, in formats without a place for it.
    #[must_use]
    pub fn head(&self) -> String {
        match &self.speaker {
            Some(speaker) if self.speaker_changes => head(speaker),
            _ => String::new(),
        }
    }

    /// Its lines, with the speaker in front where the speaker changes.
    #[must_use]
    pub fn spoken_lines(&self, limits: &SubtitleLimits) -> String {
        let head = self.head();
        let text = format!("{head}{}", self.text);
        lines::broken_after(&text, head.len(), limits)
    }

    /// The cue so many seconds later; `None` if all of it would be before the beginning.
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
        lines::broken_after(&self.text, 0, limits)
    }
}

/// A speaker's name as it stands in front of a cue.
fn head(speaker: &str) -> String {
    format!("{speaker}: ")
}

/// A cue and the segment that it is of.
#[derive(Clone, Debug, PartialEq)]
pub struct PlacedCue {
    /// Number of the segment among those that were given, from 0.
    pub segment: usize,
    /// The cue.
    pub cue: Cue,
}

/// What stands around segments whose cues are made together.
#[derive(Clone, Debug, PartialEq)]
pub struct Around {
    /// Whether they are the first of the recording.
    pub first: bool,
    /// Who speaks in the segment before them that says anything.
    pub speaker: Option<String>,
    /// When the segment after them begins, in seconds; infinite where there is none.
    pub next: f64,
    /// Where the recording ends, in seconds; 0: unknown.
    pub duration: f64,
}

impl Around {
    /// Around all that is said in a recording of so many seconds (0: unknown).
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

/// All cues of what is said in a recording of `duration` seconds (0: unknown), in order, by the usual
/// limits.
#[must_use]
pub fn cues<'a>(said: impl IntoIterator<Item = Said<'a>>, duration: f64) -> Vec<Cue> {
    cues_within(said, duration, &LIMITS)
}

/// All cues of what is said in a recording of `duration` seconds (0: unknown), in order: starts rise,
/// and each ends by the gap before the next one. The offset of the limits is a file's: [`Cue::moved`].
#[must_use]
pub fn cues_within<'a>(
    said: impl IntoIterator<Item = Said<'a>>,
    duration: f64,
    limits: &SubtitleLimits,
) -> Vec<Cue> {
    let said: Vec<Said<'a>> = said.into_iter().collect();
    let spans: Vec<(f64, f64)> = said.iter().map(|one| (one.start, one.end)).collect();
    let firsts = firsts(&spans);
    let mut cues: Vec<Cue> = Vec::new();
    for (at, &first) in firsts.iter().enumerate() {
        let end = firsts.get(at + 1).copied().unwrap_or(said.len());
        let around = Around {
            first: first == 0,
            speaker: said[..first]
                .iter()
                .rev()
                .find(|one| one.says())
                .and_then(Said::called),
            next: said.get(end).map_or(f64::INFINITY, |next| next.start),
            duration,
        };
        let placed = placed_cues(&said[first..end], &around, limits);
        cues.extend(placed.into_iter().map(|placed| placed.cue));
    }
    rise(&mut cues);
    cues
}

/// Parts cues that stand over each other: where more is said in two seconds than there are moments, a
/// cue has its millisecond.
fn rise(cues: &mut [Cue]) {
    for at in 1..cues.len() {
        let (before, after) = cues.split_at_mut(at);
        let (Some(last), Some(cue)) = (before.last_mut(), after.first_mut()) else {
            return;
        };
        if cue.start < last.end {
            cue.start = cue.start.max(last.start + 0.002);
            cue.end = cue.end.max(cue.start + 0.001);
            last.end = last.end.min(cue.start);
        }
    }
}

/// Which segments are the first of those that are timed together, by starts and ends in seconds.
#[must_use]
pub fn firsts(spans: &[(f64, f64)]) -> Vec<usize> {
    let mut firsts = Vec::new();
    let (mut count, mut latest, mut begun) = (TOGETHER, f64::NEG_INFINITY, f64::NEG_INFINITY);
    for (at, &(start, end)) in spans.iter().enumerate() {
        // Nothing of those before is said any more.
        let apart = start >= latest && start - begun >= APART_SECONDS;
        if at == 0 || (count >= TOGETHER && apart) {
            firsts.push(at);
            count = 0;
        }
        count += 1;
        latest = latest.max(start).max(end);
        begun = begun.max(start);
    }
    firsts
}

/// The cues of segments that are timed together, in order.
#[must_use]
pub fn placed_cues(said: &[Said<'_>], around: &Around, limits: &SubtitleLimits) -> Vec<PlacedCue> {
    let mut placed: Vec<PlacedCue> = Vec::new();
    let mut ends: Vec<f64> = Vec::new();
    let mut before = around.speaker.clone();
    let mut latest = f64::NEG_INFINITY;
    for (segment, one) in said.iter().enumerate() {
        let next = said.get(segment + 1).map_or(around.next, |next| next.start);
        let speaker = one.called();
        let name = speaker
            .as_deref()
            .map_or(0, |name| lines::columns(&head(name)));
        // Where several speak at once, each of their cues may need its name.
        let at_once = one.end > next || one.start < latest;
        latest = latest.max(one.end);
        let setting = Setting {
            first_head: if speaker == before && !at_once {
                0
            } else {
                name
            },
            head: if at_once { name } else { 0 },
            next: if next > one.start {
                next
            } else {
                f64::INFINITY
            },
        };
        let atoms = atoms(one, limits.max_columns);
        if !atoms.is_empty() {
            before.clone_from(&speaker);
        }
        let mut first = 0;
        for end in parts(&atoms, setting, limits) {
            let cue = joined(&atoms[first..end], speaker.clone());
            ends.push(atoms[end - 1].end);
            placed.push(PlacedCue { segment, cue });
            first = end;
        }
    }
    timed(placed, ends, around, limits)
}

/// The cues in order, with their times and their speakers' changes.
fn timed(
    placed: Vec<PlacedCue>,
    ends: Vec<f64>,
    around: &Around,
    limits: &SubtitleLimits,
) -> Vec<PlacedCue> {
    let mut pairs: Vec<(PlacedCue, f64)> = placed.into_iter().zip(ends).collect();
    pairs.sort_by(|(a, _), (b, _)| a.cue.start.total_cmp(&b.cue.start));
    let mut before = around.speaker.clone();
    let mut heard = Vec::with_capacity(pairs.len());
    for (PlacedCue { cue, .. }, end) in &mut pairs {
        cue.speaker_changes = match (&before, &cue.speaker) {
            _ if heard.is_empty() && around.first => true,
            (before, speaker) => before != speaker,
        };
        before.clone_from(&cue.speaker);
        let characters = cue.head().chars().count() + cue.text.chars().count();
        heard.push(Heard {
            start: cue.start,
            end: *end,
            characters,
        });
    }
    let bounds = Bounds {
        first: around.first,
        next: around.next,
        duration: around.duration,
    };
    let times = times(&heard, bounds, limits);
    let cues = pairs.into_iter().zip(times);
    cues.map(|((mut placed, _), (start, end))| {
        placed.cue.start = start;
        placed.cue.end = end;
        placed
    })
    .collect()
}

fn joined(atoms: &[Atom], speaker: Option<String>) -> Cue {
    let mut words = Vec::new();
    let mut text = String::new();
    for atom in atoms {
        let at = text.len();
        words.extend(atom.words.iter().map(|word| WordStart {
            at: at + word.at,
            ..*word
        }));
        text.push_str(&atom.text);
    }
    text.truncate(text.trim_end().len());
    Cue {
        start: atoms.first().map_or(0.0, |atom| atom.start),
        end: 0.0,
        speaker,
        speaker_changes: false,
        text,
        words,
    }
}

/// Text with every run of white space and control characters as one space.
#[must_use]
pub fn clean(text: &str) -> String {
    let spaced: String = text
        .chars()
        .map(|c| if seen(c) { c } else { ' ' })
        .collect();
    spaced.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether the character is part of the clean text besides its spaces.
pub(super) fn seen(character: char) -> bool {
    !(character.is_whitespace() || character.is_control() || character == '\u{feff}')
}
