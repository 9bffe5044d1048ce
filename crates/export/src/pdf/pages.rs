//! From lines to pages, and from pages to the file.

use krilla::Document;
use krilla::color::luma;
use krilla::geom::Point;
use krilla::metadata::{DateTime, Metadata};
use krilla::num::NormalizedF32;
use krilla::page::PageSettings;
use krilla::paint::Fill;

use super::blocks::{Block, Style};
use super::typeset::{Ink, Line, Typesetter};
use crate::text::clean;
use crate::{Error, Source};

/// A4, in points.
const PAGE: (f32, f32) = (595.28, 841.89);
/// Space left and right of the text, in points: lines of about 75 letters.
const SIDE: f32 = 76.0;
/// Space above the text, in points.
const TOP: f32 = 68.0;
/// Space below the text, in points; the page's number stands in it.
const BOTTOM: f32 = 76.0;
/// Top of the page's number above the page's end, in points.
const FOLIO: f32 = 48.0;
/// Height of the text on one page, in points.
const TEXT_HEIGHT: f32 = PAGE.1 - TOP - BOTTOM;
/// Width of the text, in points.
pub const TEXT_WIDTH: f32 = PAGE.0 - 2.0 * SIDE;

/// Where a line stands.
#[derive(Clone, Debug)]
pub struct Placed {
    /// The page, from 0.
    pub page: usize,
    /// Points from the top of the page to where its letters stand.
    pub y: f32,
    /// The line.
    pub line: Line,
}

/// Puts lines below each other and begins pages.
#[derive(Debug, Default)]
pub struct Flow {
    page: usize,
    /// Points of this page that are used.
    used: f32,
}

impl Flow {
    /// The last page, from 0.
    pub fn page(&self) -> usize {
        self.page
    }

    /// Places the lines of a block one by one.
    ///
    /// # Errors
    /// What `give` says.
    pub fn place(
        &mut self,
        block: &Block,
        lines: Vec<Line>,
        mut give: impl FnMut(Placed) -> Result<(), Error>,
    ) -> Result<(), Error> {
        // The head of a turn does not stand alone at the foot of a page.
        let kept = match block.style {
            Style::Turn => 2.0 * Style::Text.size() * Style::Text.leading(),
            _ => 0.0,
        };
        if self.used > 0.0 {
            self.used += block.space();
        }
        for line in lines {
            if self.used > 0.0 && self.used + line.height + kept > TEXT_HEIGHT {
                self.page += 1;
                self.used = 0.0;
            }
            let y = TOP + self.used + line.baseline;
            self.used += line.height;
            give(Placed {
                page: self.page,
                y,
                line,
            })?;
        }
        Ok(())
    }
}

/// Draws the pages, each when it is full.
pub struct Pages {
    document: Document,
    count: usize,
    page: usize,
    lines: Vec<Placed>,
}

impl Pages {
    /// A document that will have so many pages.
    pub fn new(source: Source<'_>, count: usize) -> Self {
        let mut document = Document::new();
        document.set_metadata(metadata(source));
        Self {
            document,
            count,
            page: 0,
            lines: Vec::new(),
        }
    }

    /// Takes the next line.
    ///
    /// # Errors
    /// When the page before cannot be drawn.
    pub fn take(&mut self, placed: Placed, typesetter: &mut Typesetter) -> Result<(), Error> {
        if placed.page != self.page {
            self.draw(typesetter)?;
            self.page = placed.page;
        }
        self.lines.push(placed);
        Ok(())
    }

    /// The file.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn finish(mut self, typesetter: &mut Typesetter) -> Result<Vec<u8>, Error> {
        self.draw(typesetter)?;
        let finished = self.document.finish();
        finished.map_err(|error| Error::Pages(error.to_string()))
    }

    fn draw(&mut self, typesetter: &mut Typesetter) -> Result<(), Error> {
        let number = format!("{} / {}", self.page + 1, self.count);
        let folio = typesetter.set(&Block::new(Style::Folio, number))?;
        let folio = folio.into_iter().map(|line| Placed {
            page: self.page,
            y: PAGE.1 - FOLIO + line.baseline,
            line,
        });
        let size = PageSettings::from_wh(PAGE.0, PAGE.1);
        let size = size.ok_or_else(|| Error::Pages("a page without a size".to_owned()))?;
        let mut page = self.document.start_page_with(size);
        let mut surface = page.surface();
        for Placed { y, line, .. } in self.lines.drain(..).chain(folio) {
            for piece in line.pieces {
                surface.set_fill(Some(fill(piece.ink)));
                let place = Point::from_xy(SIDE + piece.x, y);
                let (glyphs, text) = (&piece.glyphs, &piece.text);
                surface.draw_glyphs(place, glyphs, piece.font, text, piece.size, false);
            }
        }
        surface.finish();
        page.finish();
        Ok(())
    }
}

fn fill(ink: Ink) -> Fill {
    let darkness = match ink {
        Ink::Full => luma::Color::new(20),
        Ink::Faint => luma::Color::new(105),
    };
    Fill {
        paint: darkness.into(),
        opacity: NormalizedF32::ONE,
        ..Fill::default()
    }
}

fn metadata(source: Source<'_>) -> Metadata {
    let metadata = Metadata::new()
        .title(clean(source.title))
        .creator("Slovo".to_owned())
        .language(source.transcript.language.clone());
    let Some(date) = source.date else {
        return metadata;
    };
    let part = |number: i8| u8::try_from(number).unwrap_or(1);
    let year = u16::try_from(date.year()).unwrap_or_default();
    let day = DateTime::new(year)
        .month(part(date.month()))
        .day(part(date.day()));
    metadata.creation_date(day)
}
