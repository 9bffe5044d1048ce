//! A table with a row per segment, as RFC 4180 has it.
//!
//! It begins with a byte order mark, without which Excel takes the text for one of the system's old
//! code pages and shows Cyrillic as rubbish.

use std::io::{self, Write};

use slovo_rules::edit::EditedTranscript;

use super::Options;
use super::names::Names;
use super::text::clean;
use super::time::stamp;

/// What a table begins with.
pub const BYTE_ORDER_MARK: &str = "\u{feff}";

/// What spreadsheets take for the beginning of a formula, in full width as well; some pass over
/// white space before it.
const FORMULAS: [char; 8] = ['=', '+', '-', '@', '＝', '＋', '－', '＠'];

/// Writes the table: `start,end` if asked for, `speaker` if asked for, `text`.
pub fn write(
    transcript: &EditedTranscript,
    names: &Names<'_>,
    options: Options,
    out: &mut impl Write,
) -> io::Result<()> {
    out.write_all(BYTE_ORDER_MARK.as_bytes())?;
    let times = if options.timestamps { "start,end," } else { "" };
    let speaker = if options.speakers { "speaker," } else { "" };
    write!(out, "{times}{speaker}text\r\n")?;
    for segment in &transcript.segments {
        if options.timestamps {
            let (start, end) = (stamp(segment.start, '.'), stamp(segment.end, '.'));
            write!(out, "{start},{end},")?;
        }
        if options.speakers {
            let speaker = names.speaker(segment).unwrap_or_default();
            write!(out, "{},", cell(&speaker))?;
        }
        write!(out, "{}\r\n", cell(&clean(&segment.text)))?;
    }
    Ok(())
}

/// A cell in quotes. What a spreadsheet would calculate gets an apostrophe in front, which makes
/// it text there.
#[must_use]
pub fn cell(text: &str) -> String {
    let guard = if text.trim_start().starts_with(FORMULAS) {
        "'"
    } else {
        ""
    };
    format!("\"{guard}{}\"", text.replace('"', "\"\""))
}
