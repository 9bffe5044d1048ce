//! The blocks of the document, in order, and their styles.

use crate::annotations::{Annotations, Entry, entries};
use crate::markdown::{BETWEEN, facts};
use crate::names::Names;
use crate::paragraphs::{Paragraph, paragraphs};
use crate::questions::Roles;
use crate::text::clean;
use crate::time::clock;
use crate::{Options, Source};

/// Between the speaker's name and the time.
const SEPARATOR: &str = "   ";

/// The style of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// The title of the recording.
    Title,
    /// Date, duration, speakers.
    Facts,
    /// Speaker and time.
    Turn,
    /// The spoken text.
    Text,
    /// A cell of a table.
    Cell,
    /// The name of a column.
    ColumnName,
    /// A numbered line of the spoken text.
    Line,
    /// A numbered line of the title.
    TitleLine,
    /// The number of a line.
    LineNumber,
    /// The number at the foot of a page.
    Folio,
}

impl Style {
    /// Font size in points.
    pub const fn size(self) -> f32 {
        match self {
            Self::Title => 20.0,
            Self::Facts => 9.5,
            Self::Turn => 10.0,
            Self::Cell | Self::ColumnName => 10.0,
            Self::Text | Self::Line | Self::TitleLine => 11.0,
            Self::LineNumber | Self::Folio => 9.0,
        }
    }

    /// Line height as a multiple of the font size.
    pub const fn leading(self) -> f32 {
        match self {
            Self::Title => 1.25,
            Self::Text => 1.45,
            _ => 1.4,
        }
    }

    /// Space above in points, except at the top of a page.
    pub const fn space(self) -> f32 {
        match self {
            Self::Facts => 6.0,
            Self::Turn => 14.0,
            Self::Text | Self::Cell | Self::ColumnName => 8.0,
            Self::Title | Self::Folio | Self::Line | Self::TitleLine | Self::LineNumber => 0.0,
        }
    }
}

/// One block.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// Its style.
    pub style: Style,
    /// Its text; only a cell may be empty.
    pub text: String,
    /// Bytes at the start of the text that are bold.
    pub strong: usize,
    /// Whether the space to the turn's head above is small.
    pub is_close: bool,
}

impl Block {
    /// A block of this style without bold text.
    pub fn new(style: Style, text: String) -> Self {
        let strong = if style == Style::Title { text.len() } else { 0 };
        Self {
            style,
            text,
            strong,
            is_close: false,
        }
    }

    /// Space above, in points.
    pub fn space(&self) -> f32 {
        if self.is_close {
            2.0
        } else {
            self.style.space()
        }
    }
}

/// The blocks above the spoken text.
pub fn opening(source: Source<'_>, participants: &[String]) -> impl Iterator<Item = Block> + use<> {
    let title = clean(source.title);
    let title = (!title.is_empty()).then(|| Block::new(Style::Title, title));
    let facts = Block::new(Style::Facts, facts(source, participants).join(BETWEEN));
    title.into_iter().chain([facts])
}

/// The paragraphs under their heads, created lazily.
pub fn turns<'a>(
    source: Source<'a>,
    names: &'a Names<'_>,
    options: Options,
) -> impl Iterator<Item = Block> {
    paragraphs(source.transcript, names).flat_map(move |paragraph| {
        let head = head(&paragraph, options);
        let text = Block {
            is_close: head.is_some(),
            ..Block::new(Style::Text, paragraph.text)
        };
        head.into_iter().chain([text])
    })
}

/// The paragraphs with the marks of questions and answers.
pub fn questions<'a>(
    source: Source<'a>,
    names: &'a Names<'_>,
    options: Options,
    roles: &'a Roles<'a>,
) -> impl Iterator<Item = Block> {
    roles.turns(source.transcript, names).map(move |turn| {
        let strong = turn.mark.as_ref().map_or(0, String::len);
        let time = options
            .timestamps
            .then(|| format!("[{}]", clock(turn.paragraph.start)));
        let text: Vec<String> = turn
            .mark
            .into_iter()
            .chain(time)
            .chain([turn.paragraph.text])
            .collect();
        Block {
            strong,
            ..Block::new(Style::Text, text.join(" "))
        }
    })
}

/// The bookmarks and highlights, each with its note.
pub fn annotations(source: Source<'_>, names: &Names<'_>, marks: Annotations<'_>) -> Vec<Block> {
    let Some((heading, entries)) = entries(marks, source.transcript, names) else {
        return Vec::new();
    };
    // Needs explicit space above: a title normally begins a page.
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
        ..Block::new(Style::Turn, head.join(SEPARATOR))
    };
    let quote = Block {
        is_close: true,
        ..Block::new(Style::Text, entry.quote)
    };
    let note = entry.note.into_iter();
    let note = note.map(|line| Block::new(Style::Facts, line));
    [head, quote].into_iter().chain(note)
}

/// Speaker and time, above a paragraph where one of them is new.
fn head(paragraph: &Paragraph<'_>, options: Options) -> Option<Block> {
    let has_speaker = options.timestamps || paragraph.speaker_changes;
    let speaker = paragraph.speaker.clone().filter(|_| has_speaker);
    let time = options.timestamps.then(|| clock(paragraph.start));
    let strong = speaker.as_ref().map_or(0, String::len);
    let text: Vec<String> = speaker.into_iter().chain(time).collect();
    (!text.is_empty()).then(|| Block {
        strong,
        ..Block::new(Style::Turn, text.join(SEPARATOR))
    })
}
