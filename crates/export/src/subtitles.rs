//! SubRip and WebVTT, and the cues of all subtitle formats.

use std::io::{self, Write};

use slovo_rules::analysis::TranslatedCue;
use slovo_rules::edit::EditedTranscript;
use slovo_rules::subtitles::SubtitleLimits;
use slovo_rules::subtitles::cues::{self, Cue, SpokenSegment, WordStart};
use slovo_rules::transcript::language_or;

use super::Options;
use super::bilingual::translated_lines;
use super::names::Names;
use super::text::printed;
use super::time::{milliseconds, stamp};

/// A cue as written to a file.
pub struct WrittenCue {
    /// The cue, with the file's times.
    pub cue: Cue,
    /// The language of its segment.
    pub language: String,
    /// The translation under its lines.
    pub below: Vec<String>,
}

/// The cues of a transcript within the requested limits.
pub fn written_cues(
    transcript: &EditedTranscript,
    names: &Names<'_>,
    options: Options,
    translation: &[TranslatedCue],
) -> Vec<WrittenCue> {
    let limits = options.subtitles.limits(&transcript.language);
    let segments = transcript.segments.iter().map(|segment| SpokenSegment {
        speaker: names.speaker(segment),
        ..SpokenSegment::from(segment)
    });
    let placed = cues::placed_within(segments, transcript.duration, &limits);
    let (languages, cues): (Vec<&str>, Vec<Cue>) = placed
        .into_iter()
        .map(|placed| {
            let segment = transcript.segments.get(placed.segment);
            let own = segment.and_then(|segment| segment.language.as_deref());
            (language_or(own, &transcript.language), placed.cue)
        })
        .unzip();
    // A translation has the times of the recording, so it is assigned before cues are moved.
    let translated = translated_lines(&cues, translation);
    cues.into_iter()
        .zip(translated)
        .zip(languages)
        .filter_map(|((cue, below), language)| {
            Some(WrittenCue {
                cue: cue.moved(limits.offset)?,
                language: language.to_owned(),
                below,
            })
        })
        .filter(|placed| !printed(&placed.cue.text).trim().is_empty())
        .collect()
}

/// SubRip. The format has no escapes: an arrow in the text is replaced, because players take a line
/// with an arrow for the times of the next cue.
pub fn write_srt(
    cues: &[WrittenCue],
    limits: &SubtitleLimits,
    out: &mut impl Write,
) -> io::Result<()> {
    for (number, WrittenCue { cue, below, .. }) in (1..).zip(cues) {
        if number > 1 {
            writeln!(out)?;
        }
        writeln!(out, "{number}")?;
        writeln!(out, "{} --> {}", stamp(cue.start, ','), stamp(cue.end, ','))?;
        let spoken = cue.spoken_lines(limits);
        for line in spoken.lines().chain(below.iter().map(String::as_str)) {
            writeln!(out, "{}", printed(line).replace("-->", "→"))?;
        }
    }
    Ok(())
}

/// WebVTT, with speakers as voice spans and, if requested, the time of every word.
pub fn write_vtt(
    cues: &[WrittenCue],
    limits: &SubtitleLimits,
    words: bool,
    out: &mut impl Write,
) -> io::Result<()> {
    writeln!(out, "WEBVTT")?;
    for WrittenCue { cue, below, .. } in cues {
        writeln!(out)?;
        writeln!(out, "{} --> {}", stamp(cue.start, '.'), stamp(cue.end, '.'))?;
        let broken = cue.lines(limits);
        let text = if words {
            timed(cue, &broken)
        } else {
            escaped(&broken)
        };
        match &cue.speaker {
            Some(speaker) => writeln!(out, "<v {}>{text}", escaped(speaker))?,
            None => writeln!(out, "{text}")?,
        }
        for line in below {
            writeln!(out, "{}", escaped(line))?;
        }
    }
    Ok(())
}

/// The lines of a cue with a time in front of each word. Players accept only increasing times
/// within the cue; the first word begins with the cue and needs none.
fn timed(cue: &Cue, broken: &str) -> String {
    // A line break replaces a space or is inserted.
    let mut inserted = Vec::new();
    for (at, _) in broken.match_indices('\n') {
        let before = at - inserted.len();
        if cue.text.as_bytes().get(before) != Some(&b' ') {
            inserted.push(before);
        }
    }
    let mut text = String::new();
    let mut written = 0;
    let mut last = milliseconds(cue.start);
    for &WordStart { at, start } in &cue.words {
        let at = at + inserted.partition_point(|before| *before <= at);
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

/// WebVTT's character references. Because `>` is escaped, no arrow remains.
fn escaped(text: &str) -> String {
    printed(text)
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
