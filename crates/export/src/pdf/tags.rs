//! The structure tags of the document, for screen readers.

use std::num::NonZeroU16;

use krilla::tagging::{Identifier, Node, TableHeaderScope, Tag, TagGroup, TagKind, TagTree};

use super::blocks::{Block, Style};

/// The type of a part, with its text as `T` where screen readers list it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part<T> {
    /// The title.
    Title(T),
    /// Speaker and time.
    Heading(T),
    /// The spoken text and everything else.
    Paragraph,
    /// A header row with this many columns.
    Head(usize),
    /// A row with this many cells.
    Row(usize),
}

impl<'a> Part<&'a str> {
    /// The type of a block.
    pub fn of(block: &'a Block) -> Self {
        match block.style {
            Style::Title => Self::Title(&block.text),
            Style::Turn => Self::Heading(&block.text),
            _ => Self::Paragraph,
        }
    }
}

/// A piece of a page, and the part and cell that it belongs to.
#[derive(Clone, Copy, Debug)]
struct TaggedPiece {
    part: usize,
    cell: usize,
    id: Identifier,
}

/// The parts of a text, and the pieces of pages that belong to them.
///
/// They are kept in three long lists. Thousands of small ones, allocated between two pages, would
/// take what glibc splits off the compressor's aligned memory, which then cannot be used for the
/// next page: 0.3 MB more for each page.
#[derive(Debug, Default)]
pub struct Tags {
    /// Titles and headings with the length of their text in bytes.
    parts: Vec<Part<usize>>,
    /// The texts of titles and headings, one after the other.
    texts: String,
    /// In the order of their parts.
    pieces: Vec<TaggedPiece>,
}

impl Tags {
    /// Begins a part.
    pub fn begin(&mut self, part: Part<&str>) {
        let mut keep = |text: &str| {
            self.texts.push_str(text);
            text.len()
        };
        self.parts.push(match part {
            Part::Title(text) => Part::Title(keep(text)),
            Part::Heading(text) => Part::Heading(keep(text)),
            Part::Paragraph => Part::Paragraph,
            Part::Head(cells) => Part::Head(cells),
            Part::Row(cells) => Part::Row(cells),
        });
    }

    /// The index of the current part.
    pub const fn last(&self) -> usize {
        self.parts.len().saturating_sub(1)
    }

    /// Registers a piece of a page for this cell of a part. Parts are drawn in their order.
    pub fn show(&mut self, part: usize, cell: usize, id: Identifier) {
        debug_assert!(self.pieces.last().is_none_or(|last| last.part <= part));
        self.pieces.push(TaggedPiece { part, cell, id });
    }

    /// All parts in reading order.
    pub fn into_tree(self, language: &str) -> TagTree {
        let mut tree = TagTree::new().with_lang(Some(language.to_owned()));
        let mut table: Option<Table> = None;
        let (mut texts, mut pieces) = (self.texts.as_str(), self.pieces.as_slice());
        for (index, part) in self.parts.into_iter().enumerate() {
            let mut text = |length| {
                let text;
                (text, texts) = texts.split_at(length);
                text.to_owned()
            };
            let own;
            (own, pieces) = pieces.split_at(pieces.partition_point(|piece| piece.part <= index));
            match part {
                Part::Title(length) => tree.push(group(heading(1, text(length)), own)),
                Part::Heading(length) => tree.push(group(heading(2, text(length)), own)),
                Part::Paragraph => tree.push(group(Tag::P, own)),
                Part::Head(cells) => {
                    let name = || Tag::TH(TableHeaderScope::Column).into();
                    table.get_or_insert_with(Table::new).head = row(cells, own, name);
                }
                Part::Row(cells) => {
                    let table = table.get_or_insert_with(Table::new);
                    table.body.push(row(cells, own, || Tag::TD.into()));
                }
            }
        }
        if let Some(table) = table {
            tree.push(table.into_group());
        }
        tree
    }
}

struct Table {
    head: TagGroup,
    body: TagGroup,
}

impl Table {
    fn new() -> Self {
        Self {
            head: TagGroup::new(Tag::TR),
            body: TagGroup::new(Tag::TBody),
        }
    }

    fn into_group(self) -> TagGroup {
        let mut head = TagGroup::new(Tag::THead);
        head.push(self.head);
        let mut table = TagGroup::new(Tag::Table);
        table.push(head);
        if !self.body.children.is_empty() {
            table.push(self.body);
        }
        table
    }
}

fn heading(level: u16, text: String) -> TagKind {
    let level = NonZeroU16::new(level).unwrap_or(NonZeroU16::MIN);
    Tag::Hn(level, Some(text)).into()
}

fn row(cells: usize, pieces: &[TaggedPiece], tag: impl Fn() -> TagKind) -> TagGroup {
    let cell = |cell| {
        let own = pieces.iter().filter(|piece| piece.cell == cell);
        Node::Group(group(tag(), own))
    };
    TagGroup::with_children(Tag::TR, (0..cells).map(cell).collect())
}

fn group<'a>(
    tag: impl Into<TagKind>,
    pieces: impl IntoIterator<Item = &'a TaggedPiece>,
) -> TagGroup {
    let pieces = pieces.into_iter();
    let mut children: Vec<Node> = pieces.map(|piece| Node::Leaf(piece.id)).collect();
    // Most groups have one piece, and a long table has tens of thousands of groups.
    children.shrink_to_fit();
    TagGroup::with_children(tag, children)
}
