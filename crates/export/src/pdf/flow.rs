//! Lines below each other, from page to page.

use krilla::tagging::ArtifactType;

use super::blocks::{Block, Style};
use super::page::{TEXT_HEIGHT, TOP};
use super::tags::Part;
use super::typeset::{Line, Typesetter};
use crate::Error;

/// Where a line stands.
#[derive(Clone, Debug)]
pub struct Placed {
    /// The page, from 0.
    pub page: usize,
    /// Points from the top of the page to where its letters stand.
    pub y: f32,
    /// The line.
    pub line: Line,
    /// What it is where it is no part of the text.
    pub artifact: Option<ArtifactType>,
    /// A thin line across the page, in points from its top.
    pub rule: Option<f32>,
}

/// Takes what is laid out, in the order in which it is read.
pub trait Sink {
    /// The lines that follow belong to another part of the text.
    fn begin(&mut self, part: Part);

    /// The next line.
    ///
    /// # Errors
    /// When the page before cannot be drawn.
    fn take(&mut self, placed: Placed, typesetter: &mut Typesetter) -> Result<(), Error>;
}

/// Counts pages.
#[derive(Debug, Default)]
pub struct Count {
    last: usize,
}

impl Count {
    /// How many there are.
    pub const fn pages(&self) -> usize {
        self.last + 1
    }
}

impl Sink for Count {
    fn begin(&mut self, _part: Part) {}

    fn take(&mut self, placed: Placed, _typesetter: &mut Typesetter) -> Result<(), Error> {
        self.last = placed.page;
        Ok(())
    }
}

/// How lines are placed together.
#[derive(Clone, Copy, Debug, Default)]
pub struct Spacing {
    /// Empty space above, in points, unless it begins a page.
    pub above: f32,
    /// Room in points that must be below each line on its page.
    pub kept: f32,
    /// Whether a thin line is in the middle of the space above.
    pub has_rule: bool,
}

/// Puts lines below each other and begins pages.
#[derive(Debug, Default)]
pub struct Flow {
    /// The page that the next line stands on, from 0, if there is room.
    pub page: usize,
    /// Points of this page that are used.
    used: f32,
    /// What stands on top of every further page, with the space between it and what follows.
    pub repeated: Option<(Vec<Line>, f32)>,
}

impl Flow {
    /// Sets blocks and places their lines.
    ///
    /// # Errors
    /// [`Error::FontMissing`], and what the sink says.
    pub fn place_all(
        &mut self,
        blocks: impl Iterator<Item = Block>,
        typesetter: &mut Typesetter,
        sink: &mut impl Sink,
    ) -> Result<(), Error> {
        for block in blocks {
            let lines = typesetter.set(&block)?;
            // The head of a turn does not stand alone at the foot of a page.
            let kept = match block.style {
                Style::Turn => 2.0 * Style::Text.size() * Style::Text.leading(),
                _ => 0.0,
            };
            let spacing = Spacing {
                above: block.space(),
                kept,
                has_rule: false,
            };
            sink.begin(Part::of(&block));
            self.place(lines, spacing, typesetter, sink)?;
        }
        Ok(())
    }

    /// Places lines that belong together.
    ///
    /// # Errors
    /// What the sink says.
    pub fn place(
        &mut self,
        lines: Vec<Line>,
        spacing: Spacing,
        typesetter: &mut Typesetter,
        sink: &mut impl Sink,
    ) -> Result<(), Error> {
        if self.used > 0.0 {
            self.used += spacing.above;
        }
        let mut rule = spacing.has_rule.then_some(spacing.above / 2.0);
        for line in lines {
            if self.used > 0.0 && self.used + line.height + spacing.kept > TEXT_HEIGHT {
                self.page += 1;
                self.used = 0.0;
                self.repeat(typesetter, sink)?;
            }
            let top = TOP + self.used;
            self.used += line.height;
            let placed = Placed {
                page: self.page,
                y: top + line.baseline,
                line,
                artifact: None,
                rule: rule.take().map(|above| top - above),
            };
            sink.take(placed, typesetter)?;
        }
        Ok(())
    }

    fn repeat(&mut self, typesetter: &mut Typesetter, sink: &mut impl Sink) -> Result<(), Error> {
        let Some((lines, below)) = self.repeated.clone() else {
            return Ok(());
        };
        let height: f32 = lines.iter().map(|line| line.height).sum();
        let mut rule = Some(TOP + height + below / 2.0);
        for line in lines {
            let y = TOP + self.used + line.baseline;
            self.used += line.height;
            let placed = Placed {
                page: self.page,
                y,
                line,
                artifact: Some(ArtifactType::PaginationOther),
                rule: rule.take(),
            };
            sink.take(placed, typesetter)?;
        }
        self.used += below;
        Ok(())
    }
}
