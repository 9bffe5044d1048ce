//! Markdown: a title, a line about the recording, and the paragraphs.

use std::io::{self, Write};

use super::names::Names;
use super::paragraphs::paragraphs;
use super::text::clean;
use super::time::clock;
use super::{Options, Source};

/// What stands between the facts about a recording.
pub const BETWEEN: &str = " · ";

/// Writes the document.
pub fn write(
    source: Source<'_>,
    names: &Names<'_>,
    options: Options,
    out: &mut impl Write,
) -> io::Result<()> {
    let title = clean(source.title);
    if !title.is_empty() {
        writeln!(out, "# {}\n", escaped(&title))?;
    }
    writeln!(out, "{}", escaped(&facts(source, names).join(BETWEEN)))?;
    for paragraph in paragraphs(source.transcript, names) {
        writeln!(out)?;
        if options.timestamps {
            write!(out, "`{}` ", clock(paragraph.start))?;
        }
        if let Some(speaker) = &paragraph.speaker {
            write!(out, "**{}:** ", escaped(speaker))?;
        }
        writeln!(out, "{}", escaped(&paragraph.text))?;
    }
    Ok(())
}

/// What is said about a recording, in no language: the day, the length, who speaks.
pub fn facts(source: Source<'_>, names: &Names<'_>) -> Vec<String> {
    let mut facts: Vec<String> = source.date.iter().map(ToString::to_string).collect();
    facts.push(clock(source.transcript.duration));
    let speakers = names.all(source.transcript);
    if !speakers.is_empty() {
        facts.push(speakers.join(", "));
    }
    facts
}

/// Text in which nothing is markup: every character that could be is escaped, and so is what makes
/// a list, a heading or a rule of a line that begins with it.
pub fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    let digits = text.chars().take_while(char::is_ascii_digit).count();
    for (place, character) in text.chars().enumerate() {
        let begins = match character {
            '-' | '+' => place == 0,
            // A number with a full stop or a bracket is the first of a list.
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
