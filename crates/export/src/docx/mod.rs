//! A document for Word and its like (Office Open XML, ECMA-376).
//!
//! Written here and not by a library: the one that there is can state neither title nor language
//! nor direction, and holds the whole document as a tree. This needs six parts, of which five never
//! change, and holds the packed file.

mod parts;

use std::io::{self, Cursor, Write};

use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::annotations::{Annotations, entries};
use super::markdown::{BETWEEN, facts};
use super::names::Names;
use super::paragraphs::paragraphs;
use super::text::clean;
use super::time::clock;
use super::{Options, Source, script};

/// Between the name of who speaks and the time.
const APART: &str = "   ";

/// Writes the document.
pub fn write(
    source: Source<'_>,
    names: &Names<'_>,
    options: Options,
    marks: Annotations<'_>,
    out: &mut impl Write,
) -> io::Result<()> {
    let mut file = ZipWriter::new(Cursor::new(Vec::new()));
    let packed = SimpleFileOptions::default();
    for (name, content) in [
        ("[Content_Types].xml", parts::CONTENT_TYPES.to_owned()),
        ("_rels/.rels", parts::RELATIONS.to_owned()),
        ("docProps/core.xml", parts::properties(source)),
        (
            "word/_rels/document.xml.rels",
            parts::DOCUMENT_RELATIONS.to_owned(),
        ),
        (
            "word/styles.xml",
            parts::styles(&source.transcript.language),
        ),
        ("word/footer1.xml", parts::FOOTER.to_owned()),
    ] {
        file.start_file(name, packed)?;
        file.write_all(content.as_bytes())?;
    }
    file.start_file("word/document.xml", packed)?;
    body(source, names, options, marks, &mut file)?;
    out.write_all(&file.finish()?.into_inner())
}

fn body(
    source: Source<'_>,
    names: &Names<'_>,
    options: Options,
    marks: Annotations<'_>,
    out: &mut impl Write,
) -> io::Result<()> {
    out.write_all(parts::BODY_BEGINS.as_bytes())?;
    let title = clean(source.title);
    if !title.is_empty() {
        paragraph(out, "Title", &[("", &title)])?;
    }
    let facts = facts(source, names).join(BETWEEN);
    paragraph(out, "Facts", &[("", &facts)])?;
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
    annotations(source, names, marks, out)?;
    out.write_all(parts::BODY_ENDS.as_bytes())
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

/// A paragraph of a style, with pieces of text in styles of their own; an empty name is the usual
/// style.
fn paragraph(out: &mut impl Write, style: &str, runs: &[(&str, &str)]) -> io::Result<()> {
    let whole: String = runs.iter().map(|(_, text)| *text).collect();
    let is_right_to_left = script::is_right_to_left(&whole);
    out.write_all(b"<w:p><w:pPr>")?;
    if !style.is_empty() {
        write!(out, "<w:pStyle w:val=\"{style}\"/>")?;
    }
    if is_right_to_left {
        out.write_all(b"<w:bidi/>")?;
    }
    out.write_all(b"</w:pPr>")?;
    for (style, text) in runs.iter().filter(|(_, text)| !text.is_empty()) {
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
            "</w:rPr><w:t xml:space=\"preserve\">{text}</w:t></w:r>"
        )?;
    }
    out.write_all(b"</w:p>")
}

/// Clean text as XML takes it.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
