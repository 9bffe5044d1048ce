//! What stands below each other in the document, and how it looks.

use crate::annotations::{Annotations, Entry, entries};
use crate::markdown::{BETWEEN, facts};
use crate::names::Names;
use crate::paragraphs::{Paragraph, paragraphs};
use crate::text::clean;
use crate::time::clock;
use crate::{Options, Source};

/// Between the name of who speaks and the time.
const APART: &str = "   ";

/// How a block looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// What the recording is called.
    Title,
    /// The day, the length, who speaks.
    Facts,
    /// Who speaks, and when.
    Turn,
    /// What is said.
    Text,
    /// The number at the foot of a page.
    Folio,
}

impl Style {
    /// Size of the letters in points.
    pub const fn size(self) -> f32 {
        match self {
            Self::Title => 20.0,
            Self::Facts => 9.5,
            Self::Turn => 10.0,
            Self::Text => 11.0,
            Self::Folio => 9.0,
        }
    }

    /// Height of a line, in sizes.
    pub const fn leading(self) -> f32 {
        match self {
            Self::Title => 1.25,
            Self::Facts | Self::Turn | Self::Folio => 1.4,
            Self::Text => 1.45,
        }
    }

    /// Empty space above, in points, unless it begins a page.
    pub const fn space(self) -> f32 {
        match self {
            Self::Title | Self::Folio => 0.0,
            Self::Facts => 6.0,
            Self::Turn => 14.0,
            Self::Text => 8.0,
        }
    }
}

/// One block.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// How it looks.
    pub style: Style,
    /// Its text; never empty.
    pub text: String,
    /// Bytes of the text that are strong, from its beginning.
    pub strong: usize,
    /// Whether it follows a turn's head closely.
    pub is_close: bool,
}

impl Block {
    /// A block of this style whose text is all alike.
    pub fn new(style: Style, text: String) -> Self {
        let strong = if style == Style::Title { text.len() } else { 0 };
        Self {
            style,
            text,
            strong,
            is_close: false,
        }
    }

    /// Empty space above, in points.
    pub fn space(&self) -> f32 {
        if self.is_close {
            2.0
        } else {
            self.style.space()
        }
    }
}

/// All blocks of a document, made while they are read.
pub fn blocks<'a>(
    source: Source<'a>,
    names: &'a Names<'_>,
    options: Options,
    marks: Annotations<'_>,
) -> impl Iterator<Item = Block> {
    let title = clean(source.title);
    let title = (!title.is_empty()).then(|| Block::new(Style::Title, title));
    let facts = Block::new(Style::Facts, facts(source, names).join(BETWEEN));
    let said = paragraphs(source.transcript, names).flat_map(move |paragraph| {
        let head = head(&paragraph, options);
        let text = Block {
            is_close: head.is_some(),
            ..Block::new(Style::Text, paragraph.text)
        };
        head.into_iter().chain([text])
    });
    let at_the_end = annotations(source, names, marks);
    title
        .into_iter()
        .chain([facts])
        .chain(said)
        .chain(at_the_end)
}

/// The bookmarks and highlights, each with its note.
fn annotations(source: Source<'_>, names: &Names<'_>, marks: Annotations<'_>) -> Vec<Block> {
    let Some((heading, entries)) = entries(marks, source.transcript, names) else {
        return Vec::new();
    };
    // It has no space above by itself: a title begins a page.
    let heading = Block {
        strong: heading.len(),
        ..Block::new(Style::Turn, heading)
    };
    let entries = entries.into_iter().flat_map(entry);
    std::iter::once(heading).chain(entries).collect()
}

fn entry(entry: Entry) -> impl Iterator<Item = Block> {
    let strong = entry.speaker.as_ref().map_or(0, String::len);
    let head: Vec<String> = entry.speaker.into_iter().chain([entry.time]).collect();
    let head = Block {
        strong,
        ..Block::new(Style::Turn, head.join(APART))
    };
    let quote = Block {
        is_close: true,
        ..Block::new(Style::Text, entry.quote)
    };
    let note = entry.note.into_iter();
    let note = note.map(|line| Block::new(Style::Facts, line));
    [head, quote].into_iter().chain(note)
}

/// Who speaks and when, above a paragraph where one of them is new.
fn head(paragraph: &Paragraph, options: Options) -> Option<Block> {
    let is_told = options.timestamps || paragraph.speaker_changes;
    let speaker = paragraph.speaker.clone().filter(|_| is_told);
    let time = options.timestamps.then(|| clock(paragraph.start));
    let strong = speaker.as_ref().map_or(0, String::len);
    let text: Vec<String> = speaker.into_iter().chain(time).collect();
    (!text.is_empty()).then(|| Block {
        strong,
        ..Block::new(Style::Turn, text.join(APART))
    })
}
