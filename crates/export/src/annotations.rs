//! Bookmarks and highlights at the end of a file: time, speaker, text and note.

use std::io::{self, Write};

use serde::Serialize;
use slovo_rules::annotation::{AnnotationColour, AnnotationKind};
use slovo_rules::edit::{EditedSegment, EditedTranscript};
use slovo_rules::transcript::rounded;

use super::markdown::escaped;
use super::names::Names;
use super::text::clean;
use super::time::clock;

/// A bookmark or a highlight.
#[derive(Clone, Debug, PartialEq)]
pub struct Annotation {
    /// Bookmark or highlight.
    pub kind: AnnotationKind,
    /// Its colour.
    pub colour: AnnotationColour,
    /// The id of its segment in the exported run; `None` if it belongs to another run.
    pub segment: Option<String>,
    /// Start of the marked words, in seconds.
    pub start: f64,
    /// The marked words.
    pub quote: String,
    /// The user's note; may be empty.
    pub note: String,
}

/// The annotations of a file; may be empty.
#[derive(Clone, Copy, Debug, Default)]
pub struct Annotations<'a> {
    /// The heading above them.
    pub heading: &'a str,
    /// In the order of the recording.
    pub list: &'a [Annotation],
}

/// An annotation as readers see it. Its texts are cleaned; the note has no empty lines.
pub struct Entry {
    pub time: String,
    pub speaker: Option<String>,
    pub quote: String,
    pub note: Vec<String>,
}

/// The heading and the entries; `None` if there are none.
pub fn entries(
    annotations: Annotations<'_>,
    transcript: &EditedTranscript,
    names: &Names<'_>,
) -> Option<(String, Vec<Entry>)> {
    let entry = |annotation: &Annotation| {
        let line = line(annotation, transcript);
        Entry {
            time: clock(annotation.start),
            speaker: line.and_then(|line| names.speaker(line)),
            quote: clean(quote(annotation, line)),
            note: note(&annotation.note),
        }
    };
    let entries: Vec<_> = annotations.list.iter().map(entry).collect();
    (!entries.is_empty()).then(|| (clean(annotations.heading), entries))
}

fn note(note: &str) -> Vec<String> {
    let lines = note.lines().map(clean);
    lines.filter(|line| !line.is_empty()).collect()
}

/// The segment of an annotation; if the text does not contain it, the last one that begins before
/// it.
fn line<'a>(
    annotation: &Annotation,
    transcript: &'a EditedTranscript,
) -> Option<&'a EditedSegment> {
    let segments = &transcript.segments;
    let by_id = annotation.segment.as_ref();
    let by_id = by_id.and_then(|id| segments.iter().find(|segment| segment.id == *id));
    let last_before = || {
        let last_before = segments
            .iter()
            .filter(|segment| segment.start <= annotation.start);
        last_before.max_by(|a, b| a.start.total_cmp(&b.start))
    };
    by_id.or_else(last_before).or_else(|| segments.first())
}

/// The text to show. A highlight shows the words as they were marked. A bookmark marks a place, so
/// it shows the current text of its segment, even if that has been edited.
fn quote<'a>(annotation: &'a Annotation, line: Option<&'a EditedSegment>) -> &'a str {
    match line {
        Some(line)
            if annotation.kind == AnnotationKind::Bookmark
                && !line.text.contains(annotation.quote.as_str()) =>
        {
            &line.text
        }
        _ => &annotation.quote,
    }
}

/// Writes them as plain text, after an empty line if there is text before.
pub fn write_text(
    annotations: Annotations<'_>,
    transcript: &EditedTranscript,
    names: &Names<'_>,
    out: &mut impl Write,
) -> io::Result<()> {
    let Some((heading, entries)) = entries(annotations, transcript, names) else {
        return Ok(());
    };
    if !transcript.segments.is_empty() {
        writeln!(out)?;
    }
    writeln!(out, "{heading}")?;
    for entry in entries {
        write!(out, "\n[{}] ", entry.time)?;
        if let Some(speaker) = entry.speaker {
            write!(out, "{speaker}: ")?;
        }
        writeln!(out, "{}", entry.quote)?;
        for line in entry.note {
            writeln!(out, "    {line}")?;
        }
    }
    Ok(())
}

/// Writes them as a list in Markdown.
pub fn write_markdown(
    annotations: Annotations<'_>,
    transcript: &EditedTranscript,
    names: &Names<'_>,
    out: &mut impl Write,
) -> io::Result<()> {
    let Some((heading, entries)) = entries(annotations, transcript, names) else {
        return Ok(());
    };
    writeln!(out, "\n## {}", escaped(&heading))?;
    for entry in entries {
        write!(out, "\n- `{}` ", entry.time)?;
        if let Some(speaker) = entry.speaker {
            write!(out, "**{}:** ", escaped(&speaker))?;
        }
        writeln!(out, "{}", escaped(&entry.quote))?;
        if !entry.note.is_empty() {
            let lines: Vec<_> = entry.note.iter().map(|line| escaped(line)).collect();
            // A backslash at the end of a line is a line break.
            writeln!(out, "\n  {}", lines.join("\\\n  "))?;
        }
    }
    Ok(())
}

/// An annotation in JSON.
#[derive(Serialize)]
pub struct Data<'a> {
    kind: AnnotationKind,
    colour: AnnotationColour,
    start: f64,
    speaker: Option<&'a str>,
    quote: &'a str,
    note: &'a str,
}

/// All annotations for JSON, with the speakers' ids if wanted.
pub fn data<'a>(
    annotations: Annotations<'a>,
    transcript: &'a EditedTranscript,
    speakers: bool,
) -> Vec<Data<'a>> {
    let data = |annotation: &'a Annotation| {
        let line = line(annotation, transcript);
        let speaker = line.and_then(|line| line.speaker.as_deref());
        Data {
            kind: annotation.kind,
            colour: annotation.colour,
            start: rounded(annotation.start),
            speaker: speaker.filter(|_| speakers),
            quote: quote(annotation, line),
            note: &annotation.note,
        }
    };
    annotations.list.iter().map(data).collect()
}
