//! A table whose header is repeated on every page and whose rows may continue on the next page.

use super::blocks::{Block, Style};
use super::flow::{Flow, Sink, Spacing};
use super::page::TEXT_WIDTH;
use super::tags::Part;
use super::typeset::{Line, Typesetter};
use crate::columns::{Column, columns, rows};
use crate::names::Names;
use crate::{Error, Options, Source};

/// Points between columns.
const COLUMN_GAP: f32 = 12.0;
/// Points between rows; a thin rule is in the middle.
const BETWEEN_ROWS: f32 = 8.0;

/// Lays the table out.
///
/// # Errors
/// [`Error::FontMissing`], and errors of the sink.
pub fn lay_out(
    source: Source<'_>,
    names: &Names<'_>,
    options: Options,
    flow: &mut Flow,
    typesetter: &mut Typesetter,
    sink: &mut impl Sink,
) -> Result<(), Error> {
    let columns = columns(source.transcript, options);
    let places = places(&columns);
    let language = source.transcript.language.as_str();
    let headings = columns
        .iter()
        .map(|column| column.name(language).to_owned());
    let head = row(Style::ColumnName, headings, &places, typesetter)?;
    let height: f32 = head.iter().map(|line| line.height).sum();
    sink.begin(Part::Head(columns.len()));
    let spacing = Spacing {
        above: 2.0 * BETWEEN_ROWS,
        // At least one row must follow on the page.
        kept: height + BETWEEN_ROWS,
        has_rule: false,
    };
    flow.place(head.clone(), spacing, typesetter, sink)?;
    flow.repeated = Some((head, BETWEEN_ROWS));
    let between = Spacing {
        above: BETWEEN_ROWS,
        kept: 0.0,
        has_rule: true,
    };
    for cells in rows(source.transcript, names, &columns) {
        let lines = row(Style::Cell, cells.into_iter(), &places, typesetter)?;
        sink.begin(Part::Row(columns.len()));
        flow.place(lines, between, typesetter, sink)?;
    }
    flow.repeated = None;
    Ok(())
}

/// Left edge and width of each column, in points: times and names are short.
fn places(columns: &[Column]) -> Vec<(f32, f32)> {
    let mut left = 0.0;
    let place = |column: &Column| {
        let width = match column {
            Column::Time => 48.0,
            Column::Speaker => 84.0,
            // The last column gets the remaining width.
            Column::Text => TEXT_WIDTH - left,
        };
        let place = (left, width);
        left += width + COLUMN_GAP;
        place
    };
    columns.iter().map(place).collect()
}

/// The lines of a row, with its cells side by side.
fn row(
    style: Style,
    cells: impl Iterator<Item = String>,
    places: &[(f32, f32)],
    typesetter: &mut Typesetter,
) -> Result<Vec<Line>, Error> {
    let mut lines: Vec<Line> = Vec::new();
    for (cell, (text, (left, width))) in cells.zip(places).enumerate() {
        if text.is_empty() {
            continue;
        }
        let set = typesetter.set_within(&Block::new(style, text), Some(*width))?;
        for (number, mut line) in set.into_iter().enumerate() {
            for piece in &mut line.pieces {
                piece.x += left;
                piece.cell = cell;
            }
            match lines.get_mut(number) {
                None => lines.push(line),
                Some(beside) => {
                    beside.height = beside.height.max(line.height);
                    beside.baseline = beside.baseline.max(line.baseline);
                    beside.pieces.extend(line.pieces);
                }
            }
        }
    }
    Ok(lines)
}
