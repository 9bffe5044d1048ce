//! SubRip and WebVTT.

use std::io::{self, Write};

use slovo_rules::analysis::TranslatedCue;
use slovo_rules::edit::EditedTranscript;
use slovo_rules::subtitles::cues::{Cue, Said, WordStart};
use slovo_rules::subtitles::{cues, lines};

use super::Options;
use super::bilingual::under;
use super::names::Names;
use super::time::{milliseconds, stamp};

/// SubRip. It has no escapes: an arrow in the text is replaced, because players
/// take a line with one for the next cue's times.
pub fn write_srt(
    transcript: &EditedTranscript,
    names: &Names<'_>,
    translation: &[TranslatedCue],
    out: &mut impl Write,
) -> io::Result<()> {
    let cues = made(transcript, names);
    let translated = under(&cues, translation);
    for ((number, cue), below) in (1..).zip(&cues).zip(translated) {
        if number > 1 {
            writeln!(out)?;
        }
        writeln!(out, "{number}")?;
        writeln!(out, "{} --> {}", stamp(cue.start, ','), stamp(cue.end, ','))?;
        writeln!(out, "{}", lines::broken(&spoken(cue).replace("-->", "→")))?;
        for line in below {
            writeln!(out, "{}", line.replace("-->", "→"))?;
        }
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

/// WebVTT, with speakers as voice spans and, if asked for, the time of every word.
pub fn write_vtt(
    transcript: &EditedTranscript,
    names: &Names<'_>,
    options: Options,
    translation: &[TranslatedCue],
    out: &mut impl Write,
) -> io::Result<()> {
    writeln!(out, "WEBVTT")?;
    let cues = made(transcript, names);
    let translated = under(&cues, translation);
    for (cue, below) in cues.iter().zip(translated) {
        writeln!(out)?;
        writeln!(out, "{} --> {}", stamp(cue.start, '.'), stamp(cue.end, '.'))?;
        let broken = lines::broken(&cue.text);
        let text = if options.words {
            timed(cue, &broken)
        } else {
            escaped(&broken)
        };
        match &cue.speaker {
            Some(speaker) => writeln!(out, "<v {}>{text}", escaped(speaker))?,
            None => writeln!(out, "{text}")?,
        }
        for line in below {
            writeln!(out, "{}", escaped(&line))?;
        }
    }
    Ok(())
}

/// The lines of a cue with a time in front of each word. Players take only times between the cue's
/// own that rise; the first word begins with the cue and needs none.
fn timed(cue: &Cue, broken: &str) -> String {
    // A line break stands in the place of a space, or is one more character.
    let line_break = broken.find('\n').unwrap_or(broken.len());
    let more = broken.len() - cue.text.len();
    let mut text = String::new();
    let mut written = 0;
    let mut last = milliseconds(cue.start);
    for &WordStart { at, start } in &cue.words {
        let at = if at < line_break { at } else { at + more };
        let now = milliseconds(start);
        if now <= last || now >= milliseconds(cue.end) {
            continue;
        }
        text.push_str(&escaped(&broken[written..at]));
        text.push_str(&format!("<{}>", stamp(start, '.')));
        written = at;
        last = now;
    }
    text.push_str(&escaped(&broken[written..]));
    text
}

/// WebVTT's character references. With `>` escaped no arrow is left.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
