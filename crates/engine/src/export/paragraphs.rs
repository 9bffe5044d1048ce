//! Plain text: one paragraph per turn of a speaker or train of thought.

use std::io::{self, Write};

use slovo_rules::transcript::{Segment, Transcript, speaker_label};

use super::cues::clean;
use super::lines;

/// A pause of this many seconds starts a paragraph.
const PAUSE_SECONDS: f64 = 2.0;
/// After this many characters the next sentence starts a paragraph.
const FULL_CHARACTERS: usize = 700;

/// Writes the paragraphs with an empty line between them.
pub fn write(transcript: &Transcript, out: &mut impl Write) -> io::Result<()> {
    let mut previous: Option<&Segment> = None;
    let mut length = 0;
    for segment in &transcript.segments {
        let text = clean(&segment.text);
        if text.is_empty() {
            continue;
        }
        match previous {
            Some(last) if length < FULL_CHARACTERS && continues(last, segment) => {
                let gap = gap(&last.text, &text);
                write!(out, "{gap}{text}")?;
                length += gap.len() + text.chars().count();
            }
            _ => {
                if previous.is_some() {
                    out.write_all(b"\n\n")?;
                }
                if let Some(speaker) = &segment.speaker {
                    write!(out, "{}: ", clean(&speaker_label(speaker)))?;
                }
                write!(out, "{text}")?;
                length = text.chars().count();
            }
        }
        previous = Some(segment);
    }
    if previous.is_some() {
        out.write_all(b"\n")?;
    }
    Ok(())
}

/// Whether `next` belongs to the paragraph of `last`: the same speaker, no pause.
#[must_use]
pub fn continues(last: &Segment, next: &Segment) -> bool {
    last.speaker == next.speaker && next.start - last.end < PAUSE_SECONDS
}

/// What stands between two sentences: nothing where neither script has spaces.
fn gap(last: &str, next: &str) -> &'static str {
    let unspaced = |c: Option<char>| c.is_some_and(lines::breaks_freely);
    if unspaced(last.trim_end().chars().next_back()) && unspaced(next.chars().next()) {
        ""
    } else {
        " "
    }
}
