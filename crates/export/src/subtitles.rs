//! SubRip and WebVTT.

use std::io::{self, Write};

use slovo_rules::edit::EditedTranscript;
use slovo_rules::subtitles::cues::{Cue, Said};
use slovo_rules::subtitles::{cues, lines};

use super::names::Names;
use super::time::stamp;

/// SubRip. It has no escapes: an arrow in the text is replaced, because players
/// take a line with one for the next cue's times.
pub fn write_srt(
    transcript: &EditedTranscript,
    names: &Names<'_>,
    out: &mut impl Write,
) -> io::Result<()> {
    for (number, cue) in (1..).zip(made(transcript, names)) {
        if number > 1 {
            writeln!(out)?;
        }
        writeln!(out, "{number}")?;
        writeln!(out, "{} --> {}", stamp(cue.start, ','), stamp(cue.end, ','))?;
        writeln!(out, "{}", lines::broken(&spoken(&cue).replace("-->", "→")))?;
    }
    Ok(())
}

fn made(transcript: &EditedTranscript, names: &Names<'_>) -> Vec<Cue> {
    let said = transcript.segments.iter().map(|segment| Said {
        speaker: names.speaker(segment),
        ..Said::from(segment)
    });
    cues::cues(said, transcript.duration)
}

/// The cue's text, with the speaker in front where the speaker changes.
fn spoken(cue: &Cue) -> String {
    match &cue.speaker {
        Some(speaker) if cue.speaker_changes => format!("{speaker}: {}", cue.text),
        _ => cue.text.clone(),
    }
}

/// WebVTT, with speakers as voice spans.
pub fn write_vtt(
    transcript: &EditedTranscript,
    names: &Names<'_>,
    out: &mut impl Write,
) -> io::Result<()> {
    writeln!(out, "WEBVTT")?;
    for cue in made(transcript, names) {
        writeln!(out)?;
        writeln!(out, "{} --> {}", stamp(cue.start, '.'), stamp(cue.end, '.'))?;
        let text = escaped(&lines::broken(&cue.text));
        match &cue.speaker {
            Some(speaker) => writeln!(out, "<v {}>{text}", escaped(speaker))?,
            None => writeln!(out, "{text}")?,
        }
    }
    Ok(())
}

/// WebVTT's character references. With `>` escaped no arrow is left.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
