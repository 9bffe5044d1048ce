//! Places lines below each other and breaks pages.

use krilla::tagging::ArtifactType;

use super::blocks::{Block, Style};
use super::page::{TEXT_HEIGHT, TOP};
use super::tags::Part;
use super::typeset::{Line, Typesetter};
use crate::Error;

/// A line with its position.
#[derive(Clone, Debug)]
pub struct PlacedLine {
    /// The page, from 0.
    pub page: usize,
    /// Points from the top of the page to the baseline.
    pub y: f32,
    /// The line.
    pub line: Line,
    /// The kind of artifact, if the line is not part of the text.
    pub artifact: Option<ArtifactType>,
    /// Position of a thin rule across the page, in points from the top.
    pub rule: Option<f32>,
}

/// Receives the placed lines in reading order.
pub trait Sink {
    /// Begins another part of the text.
    fn begin(&mut self, part: Part<&str>);

    /// The next line.
    ///
    /// # Errors
    /// When the previous page cannot be drawn.
    fn take(&mut self, placed: PlacedLine, typesetter: &mut Typesetter) -> Result<(), Error>;
}

/// A sink that only counts pages.
#[derive(Debug, Default)]
pub struct Count {
    last: usize,
}

impl Count {
    /// The number of pages.
    pub const fn pages(&self) -> usize {
        self.last + 1
    }
}

impl Sink for Count {
    fn begin(&mut self, _part: Part<&str>) {}

    fn take(&mut self, placed: PlacedLine, _typesetter: &mut Typesetter) -> Result<(), Error> {
        self.last = placed.page;
        Ok(())
    }
}

/// How a group of lines is placed.
#[derive(Clone, Copy, Debug, Default)]
pub struct Spacing {
    /// Space above in points, except at the top of a page.
    pub above: f32,
    /// Space in points that must be left below each line on its page.
    pub kept: f32,
    /// Whether there is a thin rule in the middle of the space above.
    pub has_rule: bool,
}

/// Places lines and begins new pages.
#[derive(Debug, Default)]
pub struct Flow {
    /// The page for the next line if it fits, from 0.
    pub page: usize,
    /// Points of this page that are used.
    used: f32,
    /// Lines repeated at the top of every further page, and the space below them.
    pub repeated: Option<(Vec<Line>, f32)>,
}

impl Flow {
    /// Typesets blocks and places their lines.
    ///
    /// # Errors
    /// [`Error::FontMissing`], and errors of the sink.
    pub fn place_all(
        &mut self,
        blocks: impl Iterator<Item = Block>,
        typesetter: &mut Typesetter,
        sink: &mut impl Sink,
    ) -> Result<(), Error> {
        for block in blocks {
            let lines = typesetter.set(&block)?;
            // The head of a turn must not be the last line of a page.
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

    /// Places a group of lines.
    ///
    /// # Errors
    /// Errors of the sink.
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
            let placed = PlacedLine {
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
            let placed = PlacedLine {
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
