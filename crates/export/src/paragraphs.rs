//! Splits a transcript into paragraphs (one per speaker turn or longer pause), and writes plain
//! text.

use std::io::{self, Write};

use slovo_rules::edit::{EditedSegment, EditedTranscript};
use slovo_rules::subtitles::lines;
use slovo_rules::transcript::Segment;

use super::Options;
use super::names::Names;
use super::text::clean;
use super::time::clock;

/// A pause of this many seconds begins a new paragraph.
const PAUSE_SECONDS: f64 = 2.0;
/// After this many characters the next sentence begins a new paragraph.
const FULL_CHARACTERS: usize = 700;

/// A paragraph of one speaker.
#[derive(Clone, Debug, PartialEq)]
pub struct Paragraph<'a> {
    /// Start in seconds.
    pub start: f64,
    /// The speaker's id, if known.
    pub speaker_id: Option<&'a str>,
    /// The speaker's name, if shown.
    pub speaker: Option<String>,
    /// Whether the speaker differs from that of the previous paragraph.
    pub speaker_changes: bool,
    /// Cleaned text without line breaks; never empty.
    pub text: String,
}

/// The paragraphs of a transcript, created lazily.
pub fn paragraphs<'a>(
    transcript: &'a EditedTranscript,
    names: &'a Names<'_>,
) -> impl Iterator<Item = Paragraph<'a>> {
    let mut segments = transcript.segments.iter().filter_map(|segment| {
        let text = clean(&segment.text);
        (!text.is_empty()).then_some((segment, text))
    });
    let mut next = segments.next();
    let mut before: Option<&EditedSegment> = None;
    std::iter::from_fn(move || {
        let (first, mut text) = next.take()?;
        let mut length = text.chars().count();
        let mut last = first;
        for (segment, more) in segments.by_ref() {
            if length >= FULL_CHARACTERS || !follows(last, segment) {
                next = Some((segment, more));
                break;
            }
            let gap = gap(&text, &more);
            length += gap.len() + more.chars().count();
            text.push_str(gap);
            text.push_str(&more);
            last = segment;
        }
        let speaker_changes = before.is_none_or(|before| before.speaker != first.speaker);
        before = Some(last);
        Some(Paragraph {
            start: first.start,
            speaker_id: first.speaker.as_deref(),
            speaker: names.speaker(first),
            speaker_changes,
            text,
        })
    })
}

/// Writes the paragraphs with an empty line between them.
pub fn write(
    transcript: &EditedTranscript,
    names: &Names<'_>,
    options: Options,
    out: &mut impl Write,
) -> io::Result<()> {
    for (number, paragraph) in paragraphs(transcript, names).enumerate() {
        if number > 0 {
            out.write_all(b"\n")?;
        }
        if options.timestamps {
            write!(out, "[{}] ", clock(paragraph.start))?;
        }
        if let Some(speaker) = &paragraph.speaker {
            write!(out, "{speaker}: ")?;
        }
        writeln!(out, "{}", paragraph.text)?;
    }
    Ok(())
}

/// Whether `next` continues the paragraph of `last`: the same speaker, no long pause.
#[must_use]
pub fn continues(last: &Segment, next: &Segment) -> bool {
    last.speaker == next.speaker && is_short(next.start - last.end)
}

/// As [`continues`], for a transcript with its edits.
#[must_use]
pub fn follows(last: &EditedSegment, next: &EditedSegment) -> bool {
    last.speaker == next.speaker && is_short(next.start - last.end)
}

fn is_short(pause: f64) -> bool {
    pause < PAUSE_SECONDS
}

/// The separator of two sentences: empty if neither script uses spaces.
fn gap(last: &str, next: &str) -> &'static str {
    let unspaced = |c: Option<char>| c.is_some_and(lines::breaks_freely);
    if unspaced(last.chars().next_back()) && unspaced(next.chars().next()) {
        ""
    } else {
        " "
    }
}
