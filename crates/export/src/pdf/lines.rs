//! The layout of numbered lines: the same number on every page, at fixed heights.

use krilla::tagging::ArtifactType;
use slovo_rules::export::PAGE_LINES;

use super::blocks::{Block, Style};
use super::flow::{PlacedLine, Sink};
use super::page::{TEXT_HEIGHT, TEXT_WIDTH, TOP};
use super::tags::Part;
use super::typeset::{Line, Typesetter};
use crate::names::Names;
use crate::numbered::{INDENT, Kind, pages, passages};
use crate::{Error, Options, Source, script};

/// Points from the text's left edge to the lines; the line numbers are in this gutter.
const GUTTER: f32 = 34.0;
/// Points between a line number and its line.
const NUMBER_GAP: f32 = 14.0;
/// Points per column, for the indent of first lines.
const COLUMN: f32 = 5.5;
/// Points from the top of a line's slot to its baseline.
const BASELINE: f32 = 17.0;

/// Lays out the lines and returns the number of pages.
///
/// # Errors
/// [`Error::FontMissing`], and errors of the sink.
pub fn lay_out(
    source: Source<'_>,
    names: &Names<'_>,
    options: Options,
    typesetter: &mut Typesetter,
    sink: &mut impl Sink,
) -> Result<usize, Error> {
    let lines_of_page = f32::from(u16::try_from(PAGE_LINES).unwrap_or(u16::MAX));
    let pitch = TEXT_HEIGHT / lines_of_page;
    let mut at = 0;
    for passage in passages(source, names, options) {
        let style = if passage.kind == Kind::Title {
            sink.begin(Part::Title(&passage.lines.join(" ")));
            Style::TitleLine
        } else {
            sink.begin(Part::Paragraph);
            Style::Line
        };
        let mut indent = match passage.kind {
            Kind::Said => f32::from(u8::try_from(INDENT).unwrap_or(0)) * COLUMN,
            Kind::Title | Kind::Facts => 0.0,
        };
        for text in passage.lines {
            let place = u16::try_from(at % PAGE_LINES).unwrap_or(u16::MAX);
            let (page, y) = (at / PAGE_LINES, TOP + f32::from(place) * pitch + BASELINE);
            let number = number(place + 1, typesetter)?;
            let text = line(style, text, std::mem::take(&mut indent), typesetter)?;
            let artifact = Some(ArtifactType::LineNumber);
            let both = [(number, artifact), (text, None)].into_iter();
            for (line, artifact) in both.filter_map(|(line, kind)| Some((line?, kind))) {
                let placed = PlacedLine {
                    page,
                    y,
                    line,
                    artifact,
                    rule: None,
                };
                sink.take(placed, typesetter)?;
            }
            at += 1;
        }
    }
    Ok(pages(at))
}

fn number(number: u16, typesetter: &mut Typesetter) -> Result<Option<Line>, Error> {
    let block = Block::new(Style::LineNumber, number.to_string());
    let mut line = typesetter.set_within(&block, None)?.into_iter().next();
    if let Some(line) = &mut line {
        let shift = GUTTER - NUMBER_GAP - line.width();
        line.pieces.iter_mut().for_each(|piece| piece.x += shift);
    }
    Ok(line)
}

/// Typesets one line. If its letters are too wide, the font is reduced, because the same words are
/// on this line in every format.
fn line(
    style: Style,
    text: String,
    indent: f32,
    typesetter: &mut Typesetter,
) -> Result<Option<Line>, Error> {
    if text.is_empty() {
        return Ok(None);
    }
    let is_right_to_left = script::is_right_to_left(&text);
    let block = Block::new(style, text);
    let mut line = typesetter.set_within(&block, None)?.into_iter().next();
    if let Some(line) = &mut line {
        let (room, width) = (TEXT_WIDTH - GUTTER - indent, line.width());
        let scale = if width > room { room / width } else { 1.0 };
        let shift = GUTTER
            + if is_right_to_left {
                room - width * scale
            } else {
                indent
            };
        for piece in &mut line.pieces {
            piece.x = piece.x * scale + shift;
            piece.size *= scale;
        }
    }
    Ok(line)
}
