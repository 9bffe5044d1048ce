//! The contents of the document, in each layout.

use std::io::{self, Write};

use slovo_rules::export::ExportLayout;

use super::style_ids::StyleIds;
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

/// Between the speaker's name and the time.
const SEPARATOR: &str = "   ";

/// The text to write and its options.
#[derive(Clone, Copy)]
pub struct Text<'a> {
    /// The recording.
    pub source: Source<'a>,
    /// The speakers' names.
    pub names: &'a Names<'a>,
    /// The selected contents.
    pub options: Options,
    /// Who asks and who answers.
    pub roles: &'a Roles<'a>,
    /// Bookmarks and highlights.
    pub marks: Annotations<'a>,
}

impl Text<'_> {
    /// The speakers, as the layout describes them.
    pub fn who(&self) -> Vec<String> {
        match self.options.layout {
            ExportLayout::Questions => self.roles.who(self.source.transcript, self.names),
            _ => self.names.all(self.source.transcript),
        }
    }
}

/// Writes the main document part of the package.
pub fn write(text: &Text<'_>, out: &mut impl Write) -> io::Result<()> {
    out.write_all(parts::BODY_BEGINS.as_bytes())?;
    blocks(text, &StyleIds::own(), out)?;
    out.write_all(parts::body_ends(text.options.layout).as_bytes())
}

/// Writes the contents of the document in the given look. The last block is a paragraph.
pub fn blocks(text: &Text<'_>, look: &StyleIds, out: &mut impl Write) -> io::Result<()> {
    if text.options.layout != ExportLayout::Numbered {
        head(text, look, out)?;
    }
    match text.options.layout {
        ExportLayout::Paragraphs => turns(text, look, out)?,
        ExportLayout::Questions => questions(text, look, out)?,
        ExportLayout::Numbered => numbered(text, look, out)?,
        ExportLayout::Table => table(text, look, out)?,
    }
    annotations(text, look, out)
}

/// The bookmarks and highlights, each with its note.
fn annotations(text: &Text<'_>, look: &StyleIds, out: &mut impl Write) -> io::Result<()> {
    let listed = entries(text.marks, text.source.transcript, text.names);
    let Some((heading, entries)) = listed else {
        return Ok(());
    };
    paragraph(out, &look.title, &[("", &heading)])?;
    for entry in entries {
        let speaker = entry.speaker.unwrap_or_default();
        let apart = if speaker.is_empty() { "" } else { SEPARATOR };
        let runs = [
            (look.speaker.as_str(), speaker.as_str()),
            ("", apart),
            (&look.time, &entry.time),
        ];
        paragraph(out, &look.turn, &runs)?;
        paragraph(out, &look.text, &[("", &entry.quote)])?;
        for line in entry.note {
            paragraph(out, &look.facts, &[("", &line)])?;
        }
    }
    Ok(())
}

/// The title of the recording and the facts about it.
fn head(text: &Text<'_>, look: &StyleIds, out: &mut impl Write) -> io::Result<()> {
    let title = clean(text.source.title);
    if look.has_title && !title.is_empty() {
        paragraph(out, &look.title, &[("", &title)])?;
    }
    if !look.has_facts {
        return Ok(());
    }
    let facts = facts(text.source, &text.who()).join(BETWEEN);
    paragraph(out, &look.facts, &[("", &facts)])
}

fn turns(text: &Text<'_>, look: &StyleIds, out: &mut impl Write) -> io::Result<()> {
    let options = text.options;
    for turn in paragraphs(text.source.transcript, text.names) {
        let has_speaker = options.timestamps || turn.speaker_changes;
        let speaker = turn.speaker.filter(|_| has_speaker).unwrap_or_default();
        let time = if options.timestamps {
            clock(turn.start)
        } else {
            String::new()
        };
        let apart = if speaker.is_empty() || time.is_empty() {
            ""
        } else {
            SEPARATOR
        };
        if !(speaker.is_empty() && time.is_empty()) {
            let runs = [
                (look.speaker.as_str(), speaker.as_str()),
                ("", apart),
                (&look.time, &time),
            ];
            paragraph(out, &look.turn, &runs)?;
        }
        paragraph(out, &look.text, &[("", &turn.text)])?;
    }
    Ok(())
}

fn questions(text: &Text<'_>, look: &StyleIds, out: &mut impl Write) -> io::Result<()> {
    for turn in text.roles.turns(text.source.transcript, text.names) {
        let mark = turn.mark.map(|mark| format!("{mark} ")).unwrap_or_default();
        let time = if text.options.timestamps {
            format!("[{}] ", clock(turn.paragraph.start))
        } else {
            String::new()
        };
        let runs = [
            (look.mark.as_str(), mark.as_str()),
            (&look.time, &time),
            ("", &turn.paragraph.text),
        ];
        paragraph(out, &look.text, &runs)?;
    }
    Ok(())
}

/// Lines that are broken here; the word processor numbers them.
fn numbered(text: &Text<'_>, look: &StyleIds, out: &mut impl Write) -> io::Result<()> {
    for passage in passages(text.source, text.names, text.options) {
        let (style, is_shown) = match passage.kind {
            Kind::Title => (&look.title, look.has_title),
            Kind::Facts => (&look.facts, look.has_facts),
            Kind::Said => (&look.lines, true),
        };
        if !is_shown {
            continue;
        }
        // An empty line is a paragraph of its own: at the end of one, some programs do not count
        // it.
        for lines in passage
            .lines
            .chunk_by(|line, next| line.is_empty() == next.is_empty())
        {
            start_paragraph(out, style, &lines.concat())?;
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

/// Widths of the columns in twips (1/20 pt): times and names are short.
fn widths(columns: &[Column], total: u32) -> Vec<u32> {
    let narrow = |column: &Column| match column {
        Column::Time => 1_200,
        Column::Speaker => 1_900,
        Column::Text => 0,
    };
    let text_width = total - columns.iter().map(narrow).sum::<u32>();
    let width = |column: &Column| match column {
        Column::Text => text_width,
        other => narrow(other),
    };
    columns.iter().map(width).collect()
}

/// For a table without a style of its own.
const BORDERS: &str = r#"<w:tblBorders><w:top w:val="single" w:sz="4" w:space="0" w:color="8C8C8C"/><w:bottom w:val="single" w:sz="4" w:space="0" w:color="8C8C8C"/><w:insideH w:val="single" w:sz="4" w:space="0" w:color="C8C8C8"/></w:tblBorders>"#;

const TABLE_GOES_ON: &str = r#"<w:tblLayout w:type="fixed"/><w:tblCellMar><w:left w:w="80" w:type="dxa"/><w:right w:w="80" w:type="dxa"/></w:tblCellMar><w:tblLook w:val="0020" w:firstRow="1" w:lastRow="0" w:firstColumn="0" w:lastColumn="0" w:noHBand="1" w:noVBand="1"/></w:tblPr><w:tblGrid>"#;

/// A table whose header row is repeated on every page.
fn table(text: &Text<'_>, look: &StyleIds, out: &mut impl Write) -> io::Result<()> {
    let transcript = text.source.transcript;
    let columns = columns(transcript, text.options);
    let widths = widths(&columns, look.width);
    out.write_all(b"<w:tbl><w:tblPr>")?;
    if let Some(style) = &look.table {
        write!(out, "<w:tblStyle w:val=\"{style}\"/>")?;
    }
    out.write_all(br#"<w:tblW w:w="5000" w:type="pct"/>"#)?;
    if look.table.is_none() {
        out.write_all(BORDERS.as_bytes())?;
    }
    out.write_all(TABLE_GOES_ON.as_bytes())?;
    for width in &widths {
        write!(out, "<w:gridCol w:w=\"{width}\"/>")?;
    }
    out.write_all(b"</w:tblGrid><w:tr><w:trPr><w:cantSplit/><w:tblHeader/></w:trPr>")?;
    let language = transcript.language.as_str();
    for (column, width) in columns.iter().zip(&widths) {
        cell(out, (*width, look), &look.mark, column.name(language))?;
    }
    out.write_all(b"</w:tr>")?;
    for row in rows(transcript, text.names, &columns) {
        out.write_all(b"<w:tr>")?;
        for ((content, width), column) in row.iter().zip(&widths).zip(&columns) {
            let style = match column {
                Column::Time => look.time.as_str(),
                Column::Speaker | Column::Text => "",
            };
            cell(out, (*width, look), style, content)?;
        }
        out.write_all(b"</w:tr>")?;
    }
    // A document must not end with a table.
    out.write_all(b"</w:tbl>")?;
    paragraph(out, &look.cell, &[])
}

fn cell(
    out: &mut impl Write,
    (width, look): (u32, &StyleIds),
    style: &str,
    text: &str,
) -> io::Result<()> {
    write!(
        out,
        "<w:tc><w:tcPr><w:tcW w:w=\"{width}\" w:type=\"dxa\"/></w:tcPr>"
    )?;
    paragraph(out, &look.cell, &[(style, text)])?;
    out.write_all(b"</w:tc>")
}

/// A paragraph of a style, with runs of text in styles of their own; an empty name is the default
/// style.
fn paragraph(out: &mut impl Write, style: &str, runs: &[(&str, &str)]) -> io::Result<()> {
    let whole: String = runs.iter().map(|(_, text)| *text).collect();
    start_paragraph(out, style, &whole)?;
    let is_right_to_left = script::is_right_to_left(&whole);
    for (style, text) in runs.iter().filter(|(_, text)| !text.is_empty()) {
        run(out, style, "", text, is_right_to_left)?;
    }
    out.write_all(b"</w:p>")
}

/// The beginning of a paragraph of a style; `paragraph_text` is its complete text.
fn start_paragraph(out: &mut impl Write, style: &str, paragraph_text: &str) -> io::Result<()> {
    out.write_all(b"<w:p><w:pPr>")?;
    if !style.is_empty() {
        write!(out, "<w:pStyle w:val=\"{style}\"/>")?;
    }
    if script::is_right_to_left(paragraph_text) {
        out.write_all(b"<w:bidi/>")?;
    }
    out.write_all(b"</w:pPr>")
}

/// A run of text in a style, with optional markup before it.
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
