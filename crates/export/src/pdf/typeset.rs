//! Typesets a block into lines: font selection, shaping, direction and line breaks, all by parley.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;

use fontique::{Blob, Collection, CollectionOptions, FontInfoOverride, SourceCache};
use krilla::text::{Font, GlyphId, KrillaGlyph, Tag};
use parley::{
    Alignment, AlignmentOptions, FontContext, FontFamily, FontFamilyName, Language, LayoutContext,
    LineHeight, OverflowWrap, Run, StyleProperty,
};

use super::blocks::{Block, Style};
use super::page::TEXT_WIDTH;
use crate::{Error, script};

/// The typeface of the text, and the two for everything else. SIL Open Font License 1.1.
const FACES: [(&str, &[u8]); 3] = [
    (READING, include_bytes!("../../fonts/Literata-Regular.ttf")),
    (LABEL, include_bytes!("../../fonts/Onest-Regular.ttf")),
    (STRONG, include_bytes!("../../fonts/Onest-SemiBold.ttf")),
];
const READING: &str = "Slovo Reading";
const LABEL: &str = "Slovo Label";
const STRONG: &str = "Slovo Strong";

/// The text colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ink {
    /// The spoken text.
    #[default]
    Full,
    /// Additional information.
    Faint,
}

/// Glyphs of one font on one line.
#[derive(Clone, Debug)]
pub struct GlyphRun {
    /// Points from the left edge of the text.
    pub x: f32,
    /// Its font.
    pub font: Font,
    /// Font size in points.
    pub size: f32,
    /// How dark.
    pub ink: Ink,
    /// The glyphs.
    pub glyphs: Vec<KrillaGlyph>,
    /// The text; the glyphs refer to ranges of it.
    pub text: Rc<str>,
    /// The index of its table cell, from 0; 0 outside tables.
    pub cell: usize,
}

/// One line.
#[derive(Clone, Debug)]
pub struct Line {
    /// Points from the top of this line to the top of the next one.
    pub height: f32,
    /// Points from its top to the baseline.
    pub baseline: f32,
    /// The runs of glyphs in it.
    pub pieces: Vec<GlyphRun>,
}

impl Line {
    /// The right edge of its glyphs, in points from the left edge of the text.
    pub fn width(&self) -> f32 {
        let end = |piece: &GlyphRun| {
            let advances = piece.glyphs.iter().map(|glyph| glyph.x_advance);
            piece.x + advances.sum::<f32>() * piece.size
        };
        self.pieces.iter().map(end).fold(0.0, f32::max)
    }
}

/// Identifies an embedded font: its data, its index there, and its variation settings.
type FontKey = (u64, u32, Vec<([u8; 4], u32)>);

/// Typesets blocks into lines.
pub struct Typesetter {
    fonts: FontContext,
    layouts: LayoutContext<Ink>,
    language: Option<Language>,
    embedded: HashMap<FontKey, Font>,
    lacks_shapes: bool,
}

impl Typesetter {
    /// Uses the built-in fonts, and those of the system for letters that these lack. `language`
    /// selects regional glyph variants.
    pub fn new(language: &str) -> Self {
        let mut collection = Collection::new(CollectionOptions {
            shared: false,
            system_fonts: true,
        });
        for (name, data) in FACES {
            let font_info = FontInfoOverride {
                family_name: Some(name),
                ..FontInfoOverride::default()
            };
            collection.register_fonts(Blob::from(data.to_vec()), Some(font_info));
        }
        Self {
            fonts: FontContext {
                collection,
                source_cache: SourceCache::default(),
            },
            layouts: LayoutContext::new(),
            language: Language::parse(language).ok(),
            embedded: HashMap::new(),
            lacks_shapes: false,
        }
    }

    /// Whether a character so far was in no font and is shown as a box.
    pub const fn lacks_shapes(&self) -> bool {
        self.lacks_shapes
    }

    /// The block's lines at the full width of the text.
    ///
    /// # Errors
    /// [`Error::FontMissing`] if a letter is in no font.
    pub fn set(&mut self, block: &Block) -> Result<Vec<Line>, Error> {
        self.set_within(block, Some(TEXT_WIDTH))
    }

    /// The block's lines, at most this wide; a single line if `width` is `None`.
    ///
    /// # Errors
    /// [`Error::FontMissing`] if a letter is in no font.
    pub fn set_within(&mut self, block: &Block, width: Option<f32>) -> Result<Vec<Line>, Error> {
        let style = block.style;
        let (family, ink) = match style {
            Style::Text | Style::Cell | Style::Line => (READING, Ink::Full),
            Style::Title | Style::ColumnName | Style::TitleLine => (STRONG, Ink::Full),
            Style::Facts | Style::Turn | Style::LineNumber | Style::Folio => (LABEL, Ink::Faint),
        };
        let mut builder = self
            .layouts
            .ranged_builder(&mut self.fonts, &block.text, 1.0, false);
        builder.push_default(named(family));
        builder.push_default(StyleProperty::Brush(ink));
        builder.push_default(StyleProperty::FontSize(style.size()));
        builder.push_default(StyleProperty::LineHeight(LineHeight::FontSizeRelative(
            style.leading(),
        )));
        builder.push_default(StyleProperty::Locale(self.language));
        // An overlong word must not leave the page.
        builder.push_default(StyleProperty::OverflowWrap(OverflowWrap::Anywhere));
        builder.push(named(STRONG), 0..block.strong);
        builder.push(StyleProperty::Brush(Ink::Full), 0..block.strong);
        let mut layout = builder.build(&block.text);
        layout.break_all_lines(width);
        let alignment = if style == Style::Folio {
            Alignment::Center
        } else {
            Alignment::Start
        };
        layout.align(alignment, AlignmentOptions::default());
        let text: Rc<str> = Rc::from(block.text.as_str());
        let mut lines = Vec::with_capacity(layout.len());
        for line in layout.lines() {
            let metrics = line.metrics();
            let mut x = metrics.offset;
            let mut pieces = Vec::new();
            for run in line.runs() {
                let font = self.embed(&run)?;
                for (ink, glyphs) in shapes(&run, &text, &mut self.lacks_shapes)? {
                    let width: f32 = glyphs.iter().map(|glyph| glyph.x_advance).sum();
                    pieces.push(GlyphRun {
                        x,
                        font: font.clone(),
                        size: run.font_size(),
                        ink: layout.styles()[usize::from(ink)].brush,
                        glyphs,
                        text: Rc::clone(&text),
                        cell: 0,
                    });
                    x += width * run.font_size();
                }
            }
            lines.push(Line {
                height: metrics.line_height,
                baseline: metrics.baseline - metrics.block_min_coord,
                pieces,
            });
        }
        Ok(lines)
    }

    /// The run's font as it is embedded into the file.
    fn embed(&mut self, run: &Run<'_, Ink>) -> Result<Font, Error> {
        let data = run.font();
        let synthesis = run.synthesis();
        let axes: Vec<(Tag, f32)> = synthesis
            .variation_settings()
            .iter()
            .map(|(tag, value)| (Tag::new(&tag.to_be_bytes()), *value))
            .collect();
        let settings = axes
            .iter()
            .map(|(tag, value)| (*tag.get(), value.to_bits()));
        let key = (data.data.id(), data.index, settings.collect());
        if let Some(font) = self.embedded.get(&key) {
            return Ok(font.clone());
        }
        let (bytes, _) = data.data.clone().into_raw_parts();
        let font = Font::new_variable(bytes.into(), data.index, &axes)
            .ok_or_else(|| Error::Pages("a font of the system cannot be read".to_owned()))?;
        self.embedded.insert(key, font.clone());
        Ok(font)
    }
}

fn named(family: &'static str) -> StyleProperty<'static, Ink> {
    StyleProperty::FontFamily(FontFamily::Single(FontFamilyName::Named(Cow::Borrowed(
        family,
    ))))
}

/// The run's glyphs in visual order, split where the style changes.
fn shapes(
    run: &Run<'_, Ink>,
    text: &str,
    lacks_shapes: &mut bool,
) -> Result<Vec<(u16, Vec<KrillaGlyph>)>, Error> {
    let size = run.font_size();
    let mut parts: Vec<(u16, Vec<KrillaGlyph>)> = Vec::new();
    for cluster in run.visual_clusters() {
        let range = cluster.text_range();
        if cluster.is_ligature_continuation() {
            // These letters belong to the previous glyph (ligature).
            if let Some(glyph) = parts.last_mut().and_then(|(_, glyphs)| glyphs.last_mut()) {
                glyph.text_range = joined(&glyph.text_range, &range);
            }
            continue;
        }
        for glyph in cluster.glyphs() {
            if glyph.id == 0 {
                *lacks_shapes = true;
                check(text.get(range.clone()).unwrap_or_default())?;
            }
            let shape = KrillaGlyph::new(
                GlyphId::new(glyph.id),
                glyph.advance / size,
                glyph.x / size,
                glyph.y / size,
                0.0,
                range.clone(),
                None,
            );
            match parts.last_mut() {
                Some((style, glyphs)) if *style == cluster.style_index() => glyphs.push(shape),
                _ => parts.push((cluster.style_index(), vec![shape])),
            }
        }
    }
    Ok(parts)
}

fn joined(first: &Range<usize>, second: &Range<usize>) -> Range<usize> {
    first.start.min(second.start)..first.end.max(second.end)
}

/// Letters that no font has are an error, because the text would be unreadable. Symbols and emoji
/// become a box; their text can still be copied.
fn check(text: &str) -> Result<(), Error> {
    match text.chars().find_map(script::of) {
        Some(script) => Err(Error::FontMissing { script }),
        None => Ok(()),
    }
}
