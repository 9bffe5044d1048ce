//! Facts about a text in YAML before its Markdown, as note programs such as Obsidian read them.

use std::io::{self, Write};

use serde_json::Value;

use super::Source;
use super::names::Names;
use super::text::clean;
use super::time::clock;

/// What the text itself does not say.
#[derive(Clone, Copy, Debug, Default)]
pub struct FrontMatter<'a> {
    /// Address of the text's page.
    pub url: &'a str,
    /// Names of its tags.
    pub tags: &'a [String],
    /// Its summary; empty if there is none.
    pub summary: &'a str,
}

/// Writes the facts between two lines of hyphens. Values are JSON strings, which YAML 1.2 contains, so
/// that no text can end them.
pub fn write(
    source: Source<'_>,
    names: &Names<'_>,
    matter: FrontMatter<'_>,
    out: &mut impl Write,
) -> io::Result<()> {
    let text = |value: &str| Value::from(clean(value)).to_string();
    let list = |values: &[String]| {
        let values: Vec<String> = values.iter().map(|value| text(value)).collect();
        format!("[{}]", values.join(", "))
    };
    writeln!(out, "---")?;
    writeln!(out, "title: {}", text(source.title))?;
    if let Some(date) = source.date {
        writeln!(out, "date: {date}")?;
    }
    let duration = clock(source.transcript.duration);
    writeln!(out, "duration: {}", text(&duration))?;
    writeln!(out, "language: {}", text(&source.transcript.language))?;
    let speakers = names.all(source.transcript);
    if !speakers.is_empty() {
        writeln!(out, "speakers: {}", list(&speakers))?;
    }
    if !matter.tags.is_empty() {
        writeln!(out, "tags: {}", list(&tags(matter.tags)))?;
    }
    if !matter.summary.is_empty() {
        writeln!(out, "summary: {}", text(matter.summary))?;
    }
    writeln!(out, "source: {}", text(matter.url))?;
    writeln!(out, "---\n")
}

/// Tags as note programs accept them: without spaces.
fn tags(names: &[String]) -> Vec<String> {
    let joined = names.iter().map(|name| {
        let words: Vec<&str> = name.split_whitespace().collect();
        words.join("-")
    });
    joined.collect()
}
