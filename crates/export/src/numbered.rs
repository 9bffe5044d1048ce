//! Numbered lines of equal width, as in court transcripts: page and line of a text are the same in
//! every format, so that passages can be cited.

use std::collections::VecDeque;

use slovo_rules::export::{LINE_COLUMNS, PAGE_LINES};
use slovo_rules::subtitles::{columns, lines::breaks_freely};

use super::markdown::{BETWEEN, facts};
use super::names::Names;
use super::paragraphs::paragraphs;
use super::text::clean;
use super::time::clock;
use super::{Options, Source};

/// Columns by which the first line of a paragraph is indented.
pub const INDENT: usize = 4;

/// The kind of text in a passage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The title of the recording.
    Title,
    /// Date, duration, speakers.
    Facts,
    /// The spoken text.
    Said,
}

/// Lines that belong together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passage {
    /// The kind of text.
    pub kind: Kind,
    /// The lines; at least one. An empty line counts as a line.
    pub lines: Vec<String>,
}

impl Passage {
    /// Columns by which the first line is indented.
    pub const fn indent(&self) -> usize {
        match self.kind {
            Kind::Said => INDENT,
            Kind::Title | Kind::Facts => 0,
        }
    }
}

/// All passages of a document, created lazily.
pub fn passages<'a>(
    source: Source<'a>,
    names: &'a Names<'_>,
    options: Options,
) -> impl Iterator<Item = Passage> {
    let title = clean(source.title);
    let title = (!title.is_empty()).then(|| Passage {
        kind: Kind::Title,
        lines: wrapped(&title, 0),
    });
    let facts = facts(source, &names.all(source.transcript)).join(BETWEEN);
    let mut facts = wrapped(&facts, 0);
    // An empty line before the spoken text.
    facts.push(String::new());
    let facts = Passage {
        kind: Kind::Facts,
        lines: facts,
    };
    let passages = paragraphs(source.transcript, names).map(move |paragraph| {
        let time = options
            .timestamps
            .then(|| format!("[{}] ", clock(paragraph.start)));
        let speaker = paragraph.speaker.map(|name| format!("{name}: "));
        let head = time.into_iter().chain(speaker).collect::<String>();
        Passage {
            kind: Kind::Said,
            lines: wrapped(&format!("{head}{}", paragraph.text), INDENT),
        }
    });
    title.into_iter().chain([facts]).chain(passages)
}

/// The number of pages for this many lines.
pub fn pages(lines: usize) -> usize {
    lines.div_ceil(PAGE_LINES).max(1)
}

/// Wraps cleaned text into lines of [`LINE_COLUMNS`]; the first is shorter by `indent`. A word that
/// is wider than a line is split.
fn wrapped(text: &str, indent: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    let mut used = 0;
    let room = |lines: &Vec<String>| LINE_COLUMNS - if lines.is_empty() { indent } else { 0 };
    let mut pieces: VecDeque<(bool, &str)> = pieces(text).collect();
    while let Some((spaced, piece)) = pieces.pop_front() {
        let gap = usize::from(spaced && !line.is_empty());
        let width = columns(piece);
        if used + gap + width <= room(&lines) {
            line.push_str(if gap == 1 { " " } else { "" });
            line.push_str(piece);
            used += gap + width;
        } else if line.is_empty() {
            let mut rest = piece;
            while !rest.is_empty() {
                let (first, more) = split_word(rest, room(&lines));
                if more.is_empty() {
                    // More words may follow on the line of the last part.
                    line.push_str(first);
                } else {
                    lines.push(first.to_owned());
                }
                rest = more;
            }
            used = columns(&line);
        } else {
            lines.push(std::mem::take(&mut line));
            used = 0;
            pieces.push_front((false, piece));
        }
    }
    if !line.is_empty() || lines.is_empty() {
        lines.push(line);
    }
    lines
}

/// The pieces between which a line may be broken, each with whether a space precedes it.
fn pieces(text: &str) -> impl Iterator<Item = (bool, &str)> {
    text.split(' ').flat_map(|word| {
        let mut from = 0;
        let mut cuts: Vec<usize> = word
            .char_indices()
            .filter(|(at, letter)| *at > 0 && breaks_freely(*letter))
            .map(|(at, _)| at)
            .collect();
        cuts.push(word.len());
        cuts.into_iter().map(move |to| {
            let piece = (from == 0, &word[from..to]);
            from = to;
            piece
        })
    })
}

/// The most characters of a line, including those of zero width.
const MAX_LETTERS: usize = 4 * LINE_COLUMNS;

/// Splits a word after the characters that fit into this many columns, at least one.
fn split_word(word: &str, room: usize) -> (&str, &str) {
    let fits = |at: &usize| columns(&word[..*at]) <= room;
    let ends = word.char_indices().map(|(at, _)| at).chain([word.len()]);
    let first = word.chars().next().map_or(0, char::len_utf8);
    let ends = ends.skip(1).take(MAX_LETTERS).take_while(fits);
    word.split_at(ends.last().unwrap_or(first))
}
