//! From segments to cues that can be read: two lines, a few seconds, in order.
//!
//! A segment that is too long is split between words. Where it carries its
//! words, their times are the cues' times; otherwise time is shared out by the
//! number of characters.

use crate::edit::EditedSegment;
use crate::transcript::{Segment, Word, speaker_label};

use super::lines;

/// Longest time one cue stands, in seconds (broadcasters' usual bound).
pub const MAX_SECONDS: f64 = 7.0;
/// Shortest time a cue stands where the next one leaves room, in seconds: 5/6, as Netflix's Timed
/// Text Style Guides have it.
pub const MIN_SECONDS: f64 = 5.0 / 6.0;
/// A pause of this many seconds inside a segment starts a new cue.
const PAUSE_SECONDS: f64 = 1.5;

/// Most bytes of a cue: characters without width take no columns, but work.
const MAX_BYTES: usize = 2048;

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

/// What stands around cues, in seconds: how long short ones may be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Around {
    /// Where the cue before them ends.
    pub from: f64,
    /// Where the cue after them starts; infinite where there is none.
    pub next: f64,
    /// Where the recording ends; 0: unknown.
    pub duration: f64,
}

impl Around {
    /// Around all that is said in a recording of so many seconds (0: unknown).
    #[must_use]
    pub const fn recording(duration: f64) -> Self {
        Self {
            from: 0.0,
            next: f64::INFINITY,
            duration,
        }
    }
}

/// All cues of what is said in a recording of `duration` seconds (0: unknown), in order; starts
/// never fall and ends come after them.
#[must_use]
pub fn cues<'a>(said: impl IntoIterator<Item = Said<'a>>, duration: f64) -> Vec<Cue> {
    cues_between(said, Around::recording(duration))
}

/// The cues of a part of what is said, with other cues around it.
#[must_use]
pub fn cues_between<'a>(said: impl IntoIterator<Item = Said<'a>>, around: Around) -> Vec<Cue> {
    let mut cues: Vec<Cue> = Vec::new();
    for segment in said {
        let speaker = segment.speaker.as_deref().map(clean);
        for piece in pieces(atoms(&segment)) {
            let speaker_changes = cues.last().is_none_or(|last| last.speaker != speaker);
            cues.push(Cue {
                start: piece.start,
                end: piece.end,
                speaker: speaker.clone(),
                speaker_changes,
                text: piece.text.trim().to_owned(),
                words: piece.words_of_trimmed(),
            });
        }
    }
    in_order(&mut cues, around);
    cues
}

/// A piece of text with its time: a word with the space after it, to begin with.
#[derive(Clone, Debug)]
struct Atom {
    start: f64,
    end: f64,
    text: String,
    /// Where the words in it begin, if their times are known.
    words: Vec<WordStart>,
}

impl Atom {
    /// Where the words begin in its text without the space around it.
    fn words_of_trimmed(&self) -> Vec<WordStart> {
        let cut = self.text.len() - self.text.trim_start().len();
        let words = self.words.iter();
        let moved = words.map(|word| WordStart {
            at: word.at.saturating_sub(cut),
            ..*word
        });
        moved.collect()
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

/// The segment's words with the text around them, or its text parted at spaces
/// with times shared out by length.
fn atoms(segment: &Said<'_>) -> Vec<Atom> {
    let text = clean(segment.text);
    let atoms = timed_words(segment, &text)
        .unwrap_or_else(|| shared_out(&text, segment.start, segment.end));
    atoms.into_iter().flat_map(parted).collect()
}

/// The words found again in the text, each with what follows it; `None` where
/// there are no words or they are not those of the text.
fn timed_words(segment: &Said<'_>, text: &str) -> Option<Vec<Atom>> {
    let mut atoms: Vec<Atom> = Vec::with_capacity(segment.words.len());
    let mut rest = text;
    for word in segment.words {
        let wanted = clean(&word.text);
        if wanted.is_empty() {
            continue;
        }
        let at = rest.find(&wanted)?;
        let (before, found) = rest.split_at(at);
        if !before.trim().is_empty() {
            return None;
        }
        if let Some(last) = atoms.last_mut() {
            last.text.push_str(before);
        }
        atoms.push(Atom {
            start: word.start,
            end: word.end,
            text: wanted.clone(),
            words: vec![WordStart {
                at: 0,
                start: word.start,
            }],
        });
        rest = &found[wanted.len()..];
    }
    if atoms.is_empty() || !rest.trim().is_empty() {
        return None;
    }
    Some(atoms)
}

/// The text parted after its spaces, each part with its share of the time.
fn shared_out(text: &str, start: f64, end: f64) -> Vec<Atom> {
    let pieces = text.split_inclusive(' ').map(str::to_owned);
    with_shares(pieces.collect(), start, end)
}

fn with_shares(pieces: Vec<String>, start: f64, end: f64) -> Vec<Atom> {
    let total: usize = pieces.iter().map(|piece| piece.chars().count()).sum();
    let length = (end - start).max(0.0);
    let mut done = 0;
    pieces
        .into_iter()
        .map(|text| {
            let from = start + length * ratio(done, total);
            done += text.chars().count();
            Atom {
                start: from,
                end: start + length * ratio(done, total),
                text,
                words: Vec::new(),
            }
        })
        .collect()
}

fn ratio(part: usize, whole: usize) -> f64 {
    let number = |n: usize| f64::from(u32::try_from(n).unwrap_or(u32::MAX));
    number(part) / number(whole.max(1))
}

/// An atom wider than a line is parted further: at every character of a script
/// without spaces, otherwise into pieces that fill a line.
fn parted(atom: Atom) -> Vec<Atom> {
    if lines::columns(&atom.text) <= lines::MAX_COLUMNS {
        return vec![atom];
    }
    let mut pieces: Vec<String> = vec![String::new()];
    for character in atom.text.chars() {
        let last = pieces.last().map_or("", String::as_str);
        let full = lines::columns(last) >= lines::MAX_COLUMNS - 2;
        let free = lines::breaks_freely(character) && !lines::ends_clause(&character.to_string());
        if (full || free) && !last.is_empty() && character != ' ' {
            pieces.push(String::new());
        }
        if let Some(last) = pieces.last_mut() {
            last.push(character);
        }
    }
    let mut parts = with_shares(pieces, atom.start, atom.end);
    // The word begins with its first part; when the others are said is a guess.
    if let Some(first) = parts.first_mut() {
        first.words = atom.words;
    }
    parts
}

/// Joins atoms into cues: as many as fit two lines and the time, ended where a
/// clause ends if that leaves the cue at least half full.
fn pieces(atoms: Vec<Atom>) -> Vec<Atom> {
    let mut cues = Vec::new();
    let mut current: Vec<Atom> = Vec::new();
    for atom in atoms {
        while !current.is_empty() && !goes_on(&current, &atom) {
            let rest = current.split_off(break_after(&current, &atom));
            cues.push(joined(&current));
            current = rest;
        }
        current.push(atom);
    }
    if !current.is_empty() {
        cues.push(joined(&current));
    }
    cues.retain(|cue| !cue.text.trim().is_empty());
    cues
}

fn goes_on(current: &[Atom], next: &Atom) -> bool {
    let text = joined(current).text + next.text.trim_end();
    let paused = current
        .last()
        .is_some_and(|last| next.start - last.end >= PAUSE_SECONDS);
    let long = current
        .first()
        .is_some_and(|first| next.end - first.start > MAX_SECONDS);
    text.len() <= MAX_BYTES && lines::fits(&text) && !paused && !long
}

/// How many of the current atoms the cue takes.
fn break_after(current: &[Atom], next: &Atom) -> usize {
    let paused = current
        .last()
        .is_some_and(|last| next.start - last.end >= PAUSE_SECONDS);
    if paused {
        return current.len();
    }
    (current.len() / 2 + 1..=current.len())
        .rev()
        .find(|&count| lines::ends_clause(current[count - 1].text.trim_end()))
        .unwrap_or(current.len())
}

fn joined(atoms: &[Atom]) -> Atom {
    let mut words = Vec::new();
    let mut before = 0;
    for atom in atoms {
        let of_atom = atom.words.iter();
        words.extend(of_atom.map(|word| WordStart {
            at: before + word.at,
            ..*word
        }));
        before += atom.text.len();
    }
    Atom {
        start: atoms.first().map_or(0.0, |atom| atom.start),
        end: atoms.last().map_or(0.0, |atom| atom.end),
        text: atoms.iter().map(|atom| atom.text.as_str()).collect(),
        words,
    }
}

/// Makes starts rise and ends follow; gives short cues time where there is room: before the next
/// cue and the recording's end, and the last one, which has nothing but that end after it, out of
/// the pause before it.
fn in_order(cues: &mut [Cue], around: Around) {
    let close = if around.duration > 0.0 {
        around.duration
    } else {
        f64::INFINITY
    };
    let mut floor = 0.0_f64;
    for cue in cues.iter_mut() {
        let start = if cue.start.is_finite() {
            cue.start
        } else {
            floor
        };
        cue.start = start.max(floor);
        floor = cue.start;
    }
    let mut before = around.from;
    for i in 0..cues.len() {
        let next = cues.get(i + 1).map_or(around.next, |cue| cue.start);
        let cue = &mut cues[i];
        let end = if cue.end.is_finite() {
            cue.end
        } else {
            cue.start
        };
        let wanted = end.max((cue.start + MIN_SECONDS).min(close));
        // Two cues that start together cannot both be seen; one millisecond
        // keeps the file valid.
        cue.end = wanted.min(next).max(cue.start + 0.001);
        if next == f64::INFINITY {
            cue.start = (cue.end - MIN_SECONDS).max(before).min(cue.start);
        }
        before = cue.end;
    }
}
