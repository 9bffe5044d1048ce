//! Draws lines on pages and writes the file.

use krilla::color::luma;
use krilla::configure::{Accessibility, Configuration, ConfigurationBuilder};
use krilla::destination::XyzDestination;
use krilla::error::KrillaError;
use krilla::geom::{PathBuilder, Point};
use krilla::metadata::{DateTime, Metadata};
use krilla::num::NormalizedF32;
use krilla::outline::{Outline, OutlineNode};
use krilla::page::PageSettings;
use krilla::paint::{Fill, Stroke};
use krilla::surface::Surface;
use krilla::tagging::{Artifact, ArtifactType, ContentTag};
use krilla::{Document, SerializeSettings};

use super::blocks::{Block, Style};
use super::flow::{PlacedLine, Sink};
use super::page::{PAGE, SIDE, TEXT_WIDTH, TOP};
use super::tags::{Part, Tags};
use super::typeset::{GlyphRun, Ink, Typesetter};
use crate::text::clean;
use crate::{Error, Source};

/// Distance of the page number's top from the bottom of the page, in points.
const FOLIO: f32 = 48.0;
/// Thickness of the rules between rows, in points.
const RULE: f32 = 0.5;

/// Draws each page when it is full.
pub struct Pages {
    document: Document,
    title: String,
    language: String,
    count: usize,
    page: usize,
    tags: Tags,
    /// The lines of the current page, each with the index of its part.
    lines: Vec<(usize, PlacedLine)>,
}

impl Sink for Pages {
    fn begin(&mut self, part: Part<&str>) {
        self.tags.begin(part);
    }

    fn take(&mut self, placed: PlacedLine, typesetter: &mut Typesetter) -> Result<(), Error> {
        if placed.page != self.page {
            self.draw(typesetter)?;
            self.page = placed.page;
        }
        self.lines.push((self.tags.last(), placed));
        Ok(())
    }
}

impl Pages {
    /// A document with this many pages that declares PDF/UA-1 if `is_universal`.
    ///
    /// # Errors
    /// When the document cannot be created.
    pub fn new(source: Source<'_>, count: usize, is_universal: bool) -> Result<Self, Error> {
        let configuration = if is_universal {
            let builder = ConfigurationBuilder::new();
            let builder = builder.with_accessibility_validator(Accessibility::UA1);
            let configuration = builder.finish();
            configuration.map_err(|error| Error::Pages(format!("{error:?}")))?
        } else {
            Configuration::default()
        };
        let mut document = Document::new_with(SerializeSettings {
            configuration,
            ..SerializeSettings::default()
        });
        document.set_metadata(metadata(source));
        Ok(Self {
            document,
            title: clean(source.title),
            language: source.transcript.language.clone(),
            count,
            page: 0,
            tags: Tags::default(),
            lines: Vec::new(),
        })
    }

    /// The file; `None` if it should conform to PDF/UA-1 but its text does not allow that.
    ///
    /// # Errors
    /// When the file cannot be created.
    pub fn finish(mut self, typesetter: &mut Typesetter) -> Result<Option<Vec<u8>>, Error> {
        self.draw(typesetter)?;
        if !self.title.is_empty() {
            let mut outline = Outline::new();
            let top = XyzDestination::new(0, Point::from_xy(SIDE, TOP));
            outline.push_child(OutlineNode::new(self.title, top));
            self.document.set_outline(outline);
        }
        self.document
            .set_tag_tree(self.tags.into_tree(&self.language));
        match self.document.finish() {
            Ok(file) => Ok(Some(file)),
            Err(KrillaError::Validation(_)) => Ok(None),
            Err(error) => Err(Error::Pages(error.to_string())),
        }
    }

    fn draw(&mut self, typesetter: &mut Typesetter) -> Result<(), Error> {
        let number = format!("{} / {}", self.page + 1, self.count);
        let folio = typesetter.set(&Block::new(Style::Folio, number))?;
        let folio = folio.into_iter().map(|line| PlacedLine {
            page: self.page,
            y: PAGE.1 - FOLIO + line.baseline,
            line,
            artifact: Some(ArtifactType::PageNumber),
            rule: None,
        });
        let size = PageSettings::from_wh(PAGE.0, PAGE.1);
        let size = size.ok_or_else(|| Error::Pages("a page without a size".to_owned()))?;
        let mut page = self.document.start_page_with(size);
        let mut surface = page.surface();
        let mut pen = GlyphPainter::new(&mut surface, &mut self.tags);
        for (part, placed) in self.lines.drain(..).chain(folio.map(|line| (0, line))) {
            pen.draw(part, placed);
        }
        pen.end_content();
        surface.finish();
        page.finish();
        Ok(())
    }
}

/// The content that a run of glyphs belongs to.
#[derive(Clone, Copy, Debug, PartialEq)]
enum TaggedContent {
    Cell { part: usize, cell: usize },
    Artifact(ArtifactType),
}

/// Draws glyphs; each run is tagged with its content.
struct GlyphPainter<'a, 'b> {
    surface: &'a mut Surface<'b>,
    tags: &'a mut Tags,
    shown: Option<TaggedContent>,
}

impl<'a, 'b> GlyphPainter<'a, 'b> {
    fn new(surface: &'a mut Surface<'b>, tags: &'a mut Tags) -> Self {
        Self {
            surface,
            tags,
            shown: None,
        }
    }

    fn draw(&mut self, part: usize, placed: PlacedLine) {
        if let Some(y) = placed.rule {
            self.rule(y);
        }
        for piece in placed.line.pieces {
            let cell = piece.cell;
            self.begin_content(match placed.artifact {
                Some(kind) => TaggedContent::Artifact(kind),
                None => TaggedContent::Cell { part, cell },
            });
            self.write(piece, placed.y);
        }
    }

    fn begin_content(&mut self, shown: TaggedContent) {
        if self.shown == Some(shown) {
            return;
        }
        self.end_content();
        match shown {
            TaggedContent::Artifact(kind) => {
                let artifact = Artifact::with_kind(kind);
                self.surface.start_tagged(ContentTag::Artifact(artifact));
            }
            TaggedContent::Cell { part, cell } => {
                let piece = self.surface.start_tagged(ContentTag::Other);
                self.tags.show(part, cell, piece);
            }
        }
        self.shown = Some(shown);
    }

    /// Ends the current tagged content.
    fn end_content(&mut self) {
        if self.shown.take().is_some() {
            self.surface.end_tagged();
        }
    }

    fn write(&mut self, piece: GlyphRun, y: f32) {
        self.surface.set_stroke(None);
        self.surface.set_fill(Some(fill(piece.ink)));
        let place = Point::from_xy(SIDE + piece.x, y);
        let (glyphs, text) = (&piece.glyphs, &piece.text);
        self.surface
            .draw_glyphs(place, glyphs, piece.font, text, piece.size, false);
    }

    /// A thin rule across the width of the text.
    fn rule(&mut self, y: f32) {
        let mut path = PathBuilder::new();
        path.move_to(SIDE, y);
        path.line_to(SIDE + TEXT_WIDTH, y);
        let Some(path) = path.finish() else {
            return;
        };
        self.begin_content(TaggedContent::Artifact(ArtifactType::Layout));
        self.surface.set_fill(None);
        self.surface.set_stroke(Some(Stroke {
            paint: luma::Color::new(190).into(),
            width: RULE,
            ..Stroke::default()
        }));
        self.surface.draw_path(&path);
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
