//! A table with a row per segment or per word, as in RFC 4180.
//!
//! It begins with a byte order mark; without it Excel assumes a legacy code page and garbles
//! Cyrillic.

use std::io::{self, Write};

use slovo_rules::edit::{EditedSegment, EditedTranscript};
use slovo_rules::transcript::rounded;

use super::Options;
use super::names::Names;
use super::text::clean;
use super::time::stamp;

/// The byte order mark.
pub const BYTE_ORDER_MARK: &str = "\u{feff}";

/// Characters that begin a formula in spreadsheets, including full-width forms; some spreadsheets
/// ignore white space before them.
const FORMULAS: [char; 8] = ['=', '+', '-', '@', '＝', '＋', '－', '＠'];

/// Writes the table.
///
/// A row per segment: `start,end` if requested, `speaker` if requested, `text`, `language`. If word
/// times are requested, a row per word, which statistics and alignment tools can use directly:
/// `segment` (numbered from 0), `segment_start,segment_end` if requested, `start,end` of the word,
/// `speaker` if requested, `word`, `confidence` (0 to 1), `language`. A segment without words is one
/// row without word times and without confidence.
pub fn write(
    transcript: &EditedTranscript,
    names: &Names<'_>,
    options: Options,
    out: &mut impl Write,
) -> io::Result<()> {
    out.write_all(BYTE_ORDER_MARK.as_bytes())?;
    if options.words {
        return write_words(transcript, names, options, out);
    }
    let times = if options.timestamps { "start,end," } else { "" };
    let speaker = if options.speakers { "speaker," } else { "" };
    write!(out, "{times}{speaker}text,language\r\n")?;
    for segment in &transcript.segments {
        if options.timestamps {
            write!(out, "{},", span(segment.start, segment.end))?;
        }
        let speaker = speaker_cell(segment, names, options);
        let (text, language) = (
            cell(&clean(&segment.text)),
            language_cell(segment, transcript),
        );
        write!(out, "{speaker}{text},{language}\r\n")?;
    }
    Ok(())
}

fn write_words(
    transcript: &EditedTranscript,
    names: &Names<'_>,
    options: Options,
    out: &mut impl Write,
) -> io::Result<()> {
    let times = if options.timestamps {
        "segment_start,segment_end,"
    } else {
        ""
    };
    let speaker = if options.speakers { "speaker," } else { "" };
    write!(
        out,
        "segment,{times}start,end,{speaker}word,confidence,language\r\n"
    )?;
    for (number, segment) in transcript.segments.iter().enumerate() {
        let times = if options.timestamps {
            format!("{},", span(segment.start, segment.end))
        } else {
            String::new()
        };
        let speaker = speaker_cell(segment, names, options);
        let language = language_cell(segment, transcript);
        if segment.words.is_empty() {
            let text = cell(&clean(&segment.text));
            write!(out, "{number},{times},,{speaker}{text},,{language}\r\n")?;
        }
        for word in &segment.words {
            let (word_times, text) = (span(word.start, word.end), cell(&clean(&word.text)));
            let confidence = rounded(word.confidence);
            write!(
                out,
                "{number},{times}{word_times},{speaker}{text},{confidence},{language}\r\n"
            )?;
        }
    }
    Ok(())
}

fn span(start: f64, end: f64) -> String {
    format!("{},{}", stamp(start, '.'), stamp(end, '.'))
}

/// The speaker cell with the comma after it; empty if speakers are not requested.
fn speaker_cell(segment: &EditedSegment, names: &Names<'_>, options: Options) -> String {
    if options.speakers {
        let speaker = names.speaker(segment).unwrap_or_default();
        format!("{},", cell(&speaker))
    } else {
        String::new()
    }
}

/// The language of a segment as a cell.
fn language_cell(segment: &EditedSegment, transcript: &EditedTranscript) -> String {
    cell(&clean(segment.language_or(&transcript.language)))
}

/// A quoted cell. Text that a spreadsheet would evaluate as a formula gets an apostrophe in front,
/// which makes it text.
#[must_use]
pub fn cell(text: &str) -> String {
    let guard = if text.trim_start().starts_with(FORMULAS) {
        "'"
    } else {
        ""
    };
    format!("\"{guard}{}\"", text.replace('"', "\"\""))
}
