//! Markdown: a title, a line of facts about the recording, and the paragraphs.

use std::io::{self, Write};

use slovo_rules::export::ExportLayout;

use super::columns::{columns, rows};
use super::names::Names;
use super::paragraphs::{Paragraph, paragraphs};
use super::questions::Roles;
use super::text::clean;
use super::time::clock;
use super::{Options, Source};

/// The separator between facts about a recording.
pub const BETWEEN: &str = " · ";

/// Writes the document.
pub fn write(
    source: Source<'_>,
    names: &Names<'_>,
    options: Options,
    roles: &Roles<'_>,
    out: &mut impl Write,
) -> io::Result<()> {
    let title = clean(source.title);
    if !title.is_empty() {
        writeln!(out, "# {}\n", escaped(&title))?;
    }
    let participants = match options.layout {
        ExportLayout::Questions => roles.who(source.transcript, names),
        _ => names.all(source.transcript),
    };
    writeln!(
        out,
        "{}",
        escaped(&facts(source, &participants).join(BETWEEN))
    )?;
    match options.layout {
        ExportLayout::Questions => {
            for turn in roles.turns(source.transcript, names) {
                passage(out, &turn.paragraph, turn.mark.as_deref(), options)?;
            }
            Ok(())
        }
        ExportLayout::Table => table(source, names, options, out),
        // Lines are broken by the viewer, so there are none to number.
        ExportLayout::Paragraphs | ExportLayout::Numbered => {
            for paragraph in paragraphs(source.transcript, names) {
                let speaker = paragraph.speaker.as_ref().map(|name| format!("{name}:"));
                passage(out, &paragraph, speaker.as_deref(), options)?;
            }
            Ok(())
        }
    }
}

fn passage(
    out: &mut impl Write,
    paragraph: &Paragraph<'_>,
    head: Option<&str>,
    options: Options,
) -> io::Result<()> {
    writeln!(out)?;
    if options.timestamps {
        write!(out, "`{}` ", clock(paragraph.start))?;
    }
    if let Some(head) = head {
        write!(out, "**{}** ", escaped(head))?;
    }
    writeln!(out, "{}", escaped(&paragraph.text))
}

fn table(
    source: Source<'_>,
    names: &Names<'_>,
    options: Options,
    out: &mut impl Write,
) -> io::Result<()> {
    let columns = columns(source.transcript, options);
    let language = source.transcript.language.as_str();
    let head: Vec<&str> = columns.iter().map(|column| column.name(language)).collect();
    writeln!(out, "\n| {} |", head.join(" | "))?;
    writeln!(out, "|{}", " --- |".repeat(columns.len()))?;
    for row in rows(source.transcript, names, &columns) {
        let cells: Vec<String> = row.iter().map(|cell| escaped(cell)).collect();
        writeln!(out, "| {} |", cells.join(" | "))?;
    }
    Ok(())
}

/// Language-independent facts about a recording: date, duration, speakers.
pub fn facts(source: Source<'_>, participants: &[String]) -> Vec<String> {
    let mut facts: Vec<String> = source.date.iter().map(ToString::to_string).collect();
    facts.push(clock(source.transcript.duration));
    if !participants.is_empty() {
        facts.push(participants.join(", "));
    }
    facts
}

/// Escapes every character that could be markup, including those that make a line a list item, a
/// heading or a rule.
pub fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    let digits = text.chars().take_while(char::is_ascii_digit).count();
    for (place, character) in text.chars().enumerate() {
        let begins = match character {
            '-' | '+' => place == 0,
            // A number with a full stop or a bracket begins a list.
            '.' | ')' => place > 0 && place == digits,
            _ => false,
        };
        if begins || "\\`*_[]<>#|~&$".contains(character) {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    escaped
}
