//! Plain text in its layouts.

use std::io::{self, Write};

use slovo_rules::export::{ExportLayout, LINE_COLUMNS, PAGE_LINES};

use super::columns::{Column, columns, rows};
use super::names::Names;
use super::numbered::{self, Passage};
use super::questions::Roles;
use super::time::clock;
use super::{Options, Source, paragraphs};

/// The separator of pages in plain text, which printers and editors recognise.
const FORM_FEED: &str = "\u{c}";

/// Writes the text.
pub fn write(
    source: Source<'_>,
    names: &Names<'_>,
    options: Options,
    roles: &Roles<'_>,
    out: &mut impl Write,
) -> io::Result<()> {
    match options.layout {
        ExportLayout::Paragraphs => paragraphs::write(source.transcript, names, options, out),
        ExportLayout::Questions => questions(source, names, options, roles, out),
        ExportLayout::Numbered => numbered(source, names, options, out),
        ExportLayout::Table => table(source, names, options, out),
    }
}

/// The roles, then the paragraphs, with an empty line between them.
fn questions(
    source: Source<'_>,
    names: &Names<'_>,
    options: Options,
    roles: &Roles<'_>,
    out: &mut impl Write,
) -> io::Result<()> {
    let participants = roles.who(source.transcript, names);
    let mut begins = true;
    if roles.are_known() && !participants.is_empty() {
        writeln!(out, "{}", participants.join("; "))?;
        begins = false;
    }
    for turn in roles.turns(source.transcript, names) {
        if !std::mem::take(&mut begins) {
            out.write_all(b"\n")?;
        }
        if options.timestamps {
            write!(out, "[{}] ", clock(turn.paragraph.start))?;
        }
        if let Some(mark) = &turn.mark {
            write!(out, "{mark} ")?;
        }
        writeln!(out, "{}", turn.paragraph.text)?;
    }
    Ok(())
}

/// Pages of numbered lines, each with its number above, separated by form feeds.
fn numbered(
    source: Source<'_>,
    names: &Names<'_>,
    options: Options,
    out: &mut impl Write,
) -> io::Result<()> {
    let passages = || numbered::passages(source, names, options);
    let count: usize = passages().map(|passage| passage.lines.len()).sum();
    let pages = numbered::pages(count);
    let mut at = 0;
    for passage in passages() {
        let indent = passage.indent();
        let Passage { lines, .. } = passage;
        for (line, text) in lines.into_iter().enumerate() {
            let (page, number) = (at / PAGE_LINES + 1, at % PAGE_LINES + 1);
            if number == 1 {
                let break_before = if page > 1 { FORM_FEED } else { "" };
                let folio = format!("{page} / {pages}");
                writeln!(
                    out,
                    "{break_before}{folio:>width$}\n",
                    width = LINE_COLUMNS + 4
                )?;
            }
            let indent = " ".repeat(if line == 0 { indent } else { 0 });
            let row = format!("{number:>2}  {indent}{text}");
            writeln!(out, "{}", row.trim_end())?;
            at += 1;
        }
    }
    Ok(())
}

/// Columns separated by tabs, so that they can be pasted into spreadsheets; cells contain no tabs.
fn table(
    source: Source<'_>,
    names: &Names<'_>,
    options: Options,
    out: &mut impl Write,
) -> io::Result<()> {
    let columns: Vec<Column> = columns(source.transcript, options);
    let language = source.transcript.language.as_str();
    let head: Vec<&str> = columns.iter().map(|column| column.name(language)).collect();
    writeln!(out, "{}", head.join("\t"))?;
    for row in rows(source.transcript, names, &columns) {
        writeln!(out, "{}", row.join("\t"))?;
    }
    Ok(())
}
