//! SubRip and WebVTT.

use std::io::{self, Write};

use slovo_rules::transcript::Transcript;

use super::cues::{Cue, cues};
use super::lines;
use super::time::stamp;

/// SubRip. It has no escapes: an arrow in the text is replaced, because players
/// take a line with one for the next cue's times.
pub fn write_srt(transcript: &Transcript, out: &mut impl Write) -> io::Result<()> {
    for (number, cue) in (1..).zip(cues(transcript)) {
        if number > 1 {
            writeln!(out)?;
        }
        writeln!(out, "{number}")?;
        writeln!(out, "{} --> {}", stamp(cue.start, ','), stamp(cue.end, ','))?;
        writeln!(out, "{}", lines::broken(&spoken(&cue).replace("-->", "→")))?;
    }
    Ok(())
}

/// The cue's text, with the speaker in front where the speaker changes.
fn spoken(cue: &Cue) -> String {
    match &cue.speaker {
        Some(speaker) if cue.speaker_changes => format!("{speaker}: {}", cue.text),
        _ => cue.text.clone(),
    }
}

/// WebVTT, with speakers as voice spans.
pub fn write_vtt(transcript: &Transcript, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "WEBVTT")?;
    for cue in cues(transcript) {
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
