//! The structure tags of the document, for screen readers.

use std::num::NonZeroU16;

use krilla::tagging::{Identifier, TableHeaderScope, Tag, TagGroup, TagKind, TagTree};

use super::blocks::{Block, Style};

/// The type of a part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// The title.
    Title(String),
    /// Speaker and time.
    Heading(String),
    /// The spoken text and everything else.
    Paragraph,
    /// A header row with this many columns.
    Head(usize),
    /// A row with this many cells.
    Row(usize),
}

impl Part {
    /// The type of a block.
    pub fn of(block: &Block) -> Self {
        match block.style {
            Style::Title => Self::Title(block.text.clone()),
            Style::Turn => Self::Heading(block.text.clone()),
            _ => Self::Paragraph,
        }
    }

    const fn cells(&self) -> usize {
        match self {
            Self::Title(_) | Self::Heading(_) | Self::Paragraph => 1,
            Self::Head(cells) | Self::Row(cells) => *cells,
        }
    }
}

/// The parts of a text, and the pieces of pages that belong to them.
#[derive(Debug, Default)]
pub struct Tags {
    parts: Vec<(Part, Vec<Vec<Identifier>>)>,
}

impl Tags {
    /// Begins a part.
    pub fn begin(&mut self, part: Part) {
        let cells = vec![Vec::new(); part.cells()];
        self.parts.push((part, cells));
    }

    /// The index of the current part.
    pub const fn last(&self) -> usize {
        self.parts.len().saturating_sub(1)
    }

    /// Registers a piece of a page for this cell of a part.
    pub fn show(&mut self, part: usize, cell: usize, piece: Identifier) {
        let cells = self.parts.get_mut(part).map(|(_, cells)| cells);
        if let Some(pieces) = cells.and_then(|cells| cells.get_mut(cell)) {
            pieces.push(piece);
        }
    }

    /// All parts in reading order.
    pub fn into_tree(self, language: &str) -> TagTree {
        let mut tree = TagTree::new().with_lang(Some(language.to_owned()));
        let mut table: Option<Table> = None;
        for (part, cells) in self.parts {
            match part {
                Part::Title(text) => tree.push(group(heading(1, text), cells)),
                Part::Heading(text) => tree.push(group(heading(2, text), cells)),
                Part::Paragraph => tree.push(group(Tag::P, cells)),
                Part::Head(_) => {
                    let name = |pieces| group(Tag::TH(TableHeaderScope::Column), vec![pieces]);
                    table.get_or_insert_with(Table::new).head = row(cells, name);
                }
                Part::Row(_) => {
                    let cell = |pieces| group(Tag::TD, vec![pieces]);
                    table
                        .get_or_insert_with(Table::new)
                        .body
                        .push(row(cells, cell));
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

fn row(cells: Vec<Vec<Identifier>>, cell: impl Fn(Vec<Identifier>) -> TagGroup) -> TagGroup {
    let mut row = TagGroup::new(Tag::TR);
    for pieces in cells {
        row.push(cell(pieces));
    }
    row
}

fn group(tag: impl Into<TagKind>, cells: Vec<Vec<Identifier>>) -> TagGroup {
    let mut group = TagGroup::new(tag);
    for piece in cells.into_iter().flatten() {
        group.push(piece);
    }
    group
}
