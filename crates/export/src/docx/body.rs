//! What stands in the document, in each layout.

use std::io::{self, Write};

use slovo_rules::export::ExportLayout;

use super::{escaped, parts};
use crate::annotations::{Annotations, entries};
use crate::columns::{Column, columns, rows};
use crate::markdown::{BETWEEN, facts};
use crate::names::Names;
use crate::numbered::{Kind, passages};
use crate::paragraphs::paragraphs;
use crate::questions::Roles;
use crate::text::clean;
use crate::time::clock;
use crate::{Options, Source, script};

/// Between the name of who speaks and the time.
const APART: &str = "   ";

/// Writes the document's part of the package.
pub fn write(
    source: Source<'_>,
    names: &Names<'_>,
    options: Options,
    roles: &Roles<'_>,
    marks: Annotations<'_>,
    out: &mut impl Write,
) -> io::Result<()> {
    out.write_all(parts::BODY_BEGINS.as_bytes())?;
    match options.layout {
        ExportLayout::Paragraphs => {
            head(source, &names.all(source.transcript), out)?;
            turns(source, names, options, out)?;
        }
        ExportLayout::Questions => {
            head(source, &roles.who(source.transcript, names), out)?;
            questions(source, names, options, roles, out)?;
        }
        ExportLayout::Numbered => numbered(source, names, options, out)?,
        ExportLayout::Table => {
            head(source, &names.all(source.transcript), out)?;
            table(source, names, options, out)?;
        }
    }
    annotations(source, names, marks, out)?;
    out.write_all(parts::body_ends(options.layout).as_bytes())
}

/// The bookmarks and highlights, each with its note.
fn annotations(
    source: Source<'_>,
    names: &Names<'_>,
    marks: Annotations<'_>,
    out: &mut impl Write,
) -> io::Result<()> {
    let Some((heading, entries)) = entries(marks, source.transcript, names) else {
        return Ok(());
    };
    paragraph(out, "Title", &[("", &heading)])?;
    for entry in entries {
        let speaker = entry.speaker.unwrap_or_default();
        let apart = if speaker.is_empty() { "" } else { APART };
        let runs = [
            ("Speaker", speaker.as_str()),
            ("", apart),
            ("", &entry.time),
        ];
        paragraph(out, "Turn", &runs)?;
        paragraph(out, "", &[("", &entry.quote)])?;
        for line in entry.note {
            paragraph(out, "Facts", &[("", &line)])?;
        }
    }
    Ok(())
}

/// What the recording is called, and what is known of it.
fn head(source: Source<'_>, who: &[String], out: &mut impl Write) -> io::Result<()> {
    let title = clean(source.title);
    if !title.is_empty() {
        paragraph(out, "Title", &[("", &title)])?;
    }
    let facts = facts(source, who).join(BETWEEN);
    paragraph(out, "Facts", &[("", &facts)])
}

fn turns(
    source: Source<'_>,
    names: &Names<'_>,
    options: Options,
    out: &mut impl Write,
) -> io::Result<()> {
    for said in paragraphs(source.transcript, names) {
        let is_told = options.timestamps || said.speaker_changes;
        let speaker = said.speaker.filter(|_| is_told).unwrap_or_default();
        let time = if options.timestamps {
            clock(said.start)
        } else {
            String::new()
        };
        let apart = if speaker.is_empty() || time.is_empty() {
            ""
        } else {
            APART
        };
        if !(speaker.is_empty() && time.is_empty()) {
            let runs = [("Speaker", speaker.as_str()), ("", apart), ("", &time)];
            paragraph(out, "Turn", &runs)?;
        }
        paragraph(out, "", &[("", &said.text)])?;
    }
    Ok(())
}

fn questions(
    source: Source<'_>,
    names: &Names<'_>,
    options: Options,
    roles: &Roles<'_>,
    out: &mut impl Write,
) -> io::Result<()> {
    for turn in roles.turns(source.transcript, names) {
        let mark = turn.mark.map(|mark| format!("{mark} ")).unwrap_or_default();
        let time = if options.timestamps {
            format!("[{}] ", clock(turn.said.start))
        } else {
            String::new()
        };
        let runs = [
            ("Speaker", mark.as_str()),
            ("", &time),
            ("", &turn.said.text),
        ];
        paragraph(out, "", &runs)?;
    }
    Ok(())
}

/// Lines that are broken here and numbered by the program that shows them.
fn numbered(
    source: Source<'_>,
    names: &Names<'_>,
    options: Options,
    out: &mut impl Write,
) -> io::Result<()> {
    for passage in passages(source, names, options) {
        let style = match passage.kind {
            Kind::Title => "Title",
            Kind::Facts => "Facts",
            Kind::Said => "Lines",
        };
        // An empty line is a paragraph of its own: at the end of one, not every program counts it.
        for lines in passage
            .lines
            .chunk_by(|line, next| line.is_empty() == next.is_empty())
        {
            opened(out, style, &lines.concat())?;
            for (number, line) in lines.iter().enumerate() {
                let ends = if number == 0 { "" } else { "<w:br/>" };
                let is_right_to_left = script::is_right_to_left(line);
                run(out, "", ends, line, is_right_to_left)?;
            }
            out.write_all(b"</w:p>")?;
        }
    }
    Ok(())
}

/// Widths of the columns in twentieths of a point: times and names are short.
fn widths(columns: &[Column]) -> Vec<u32> {
    let narrow = |column: &Column| match column {
        Column::Time => 1_200,
        Column::Speaker => 1_900,
        Column::Text => 0,
    };
    let left = parts::TEXT_WIDTH - columns.iter().map(narrow).sum::<u32>();
    let width = |column: &Column| match column {
        Column::Text => left,
        other => narrow(other),
    };
    columns.iter().map(width).collect()
}

const TABLE_BEGINS: &str = r#"<w:tbl><w:tblPr><w:tblW w:w="5000" w:type="pct"/><w:tblBorders><w:top w:val="single" w:sz="4" w:space="0" w:color="8C8C8C"/><w:bottom w:val="single" w:sz="4" w:space="0" w:color="8C8C8C"/><w:insideH w:val="single" w:sz="4" w:space="0" w:color="C8C8C8"/></w:tblBorders><w:tblLayout w:type="fixed"/><w:tblCellMar><w:left w:w="80" w:type="dxa"/><w:right w:w="80" w:type="dxa"/></w:tblCellMar><w:tblLook w:val="0020" w:firstRow="1" w:lastRow="0" w:firstColumn="0" w:lastColumn="0" w:noHBand="1" w:noVBand="1"/></w:tblPr><w:tblGrid>"#;

/// A table whose first row is repeated on every page.
fn table(
    source: Source<'_>,
    names: &Names<'_>,
    options: Options,
    out: &mut impl Write,
) -> io::Result<()> {
    let columns = columns(source.transcript, options);
    let widths = widths(&columns);
    out.write_all(TABLE_BEGINS.as_bytes())?;
    for width in &widths {
        write!(out, "<w:gridCol w:w=\"{width}\"/>")?;
    }
    out.write_all(b"</w:tblGrid><w:tr><w:trPr><w:cantSplit/><w:tblHeader/></w:trPr>")?;
    let language = source.transcript.language.as_str();
    for (column, width) in columns.iter().zip(&widths) {
        cell(out, *width, "Speaker", column.name(language))?;
    }
    out.write_all(b"</w:tr>")?;
    for row in rows(source.transcript, names, &columns) {
        out.write_all(b"<w:tr>")?;
        for (text, width) in row.iter().zip(&widths) {
            cell(out, *width, "", text)?;
        }
        out.write_all(b"</w:tr>")?;
    }
    // A document does not end with a table.
    out.write_all(b"</w:tbl>")?;
    paragraph(out, "Cell", &[])
}

fn cell(out: &mut impl Write, width: u32, style: &str, text: &str) -> io::Result<()> {
    write!(
        out,
        "<w:tc><w:tcPr><w:tcW w:w=\"{width}\" w:type=\"dxa\"/></w:tcPr>"
    )?;
    paragraph(out, "Cell", &[(style, text)])?;
    out.write_all(b"</w:tc>")
}

/// A paragraph of a style, with pieces of text in styles of their own; an empty name is the usual
/// style.
fn paragraph(out: &mut impl Write, style: &str, runs: &[(&str, &str)]) -> io::Result<()> {
    let whole: String = runs.iter().map(|(_, text)| *text).collect();
    opened(out, style, &whole)?;
    let is_right_to_left = script::is_right_to_left(&whole);
    for (style, text) in runs.iter().filter(|(_, text)| !text.is_empty()) {
        run(out, style, "", text, is_right_to_left)?;
    }
    out.write_all(b"</w:p>")
}

/// The beginning of a paragraph of a style that will have this text.
fn opened(out: &mut impl Write, style: &str, whole: &str) -> io::Result<()> {
    out.write_all(b"<w:p><w:pPr>")?;
    if !style.is_empty() {
        write!(out, "<w:pStyle w:val=\"{style}\"/>")?;
    }
    if script::is_right_to_left(whole) {
        out.write_all(b"<w:bidi/>")?;
    }
    out.write_all(b"</w:pPr>")
}

/// A piece of text in a style, with something before it.
fn run(
    out: &mut impl Write,
    style: &str,
    before: &str,
    text: &str,
    is_right_to_left: bool,
) -> io::Result<()> {
    out.write_all(b"<w:r><w:rPr>")?;
    if !style.is_empty() {
        write!(out, "<w:rStyle w:val=\"{style}\"/>")?;
    }
    if is_right_to_left {
        out.write_all(b"<w:rtl/>")?;
    }
    let text = escaped(text);
    write!(
        out,
        "</w:rPr>{before}<w:t xml:space=\"preserve\">{text}</w:t></w:r>"
    )
}
