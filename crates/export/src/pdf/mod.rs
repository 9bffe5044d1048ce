//! Pages for reading and printing: A4, in a face for long reading, numbered `n / m`.
//!
//! The text is laid out twice: once to know how many pages there are, once to draw them. Nothing is
//! kept of the first time but that number; what is in memory is one page and the finished ones,
//! which are packed.

mod blocks;
mod pages;
mod typeset;

use std::io::Write;

use super::annotations::Annotations;
use super::names::Names;
use super::{Error, Options, Source};
use blocks::blocks;
use pages::{Flow, Pages};
use typeset::Typesetter;

/// Writes the document.
pub fn write(
    source: Source<'_>,
    names: &Names<'_>,
    options: Options,
    marks: Annotations<'_>,
    out: &mut impl Write,
) -> Result<(), Error> {
    let mut typesetter = Typesetter::new(&source.transcript.language);
    let mut count = Flow::default();
    for block in blocks(source, names, options, marks) {
        let lines = typesetter.set(&block)?;
        count.place(&block, lines, |_| Ok(()))?;
    }
    let mut pages = Pages::new(source, count.page() + 1);
    let mut flow = Flow::default();
    for block in blocks(source, names, options, marks) {
        let lines = typesetter.set(&block)?;
        flow.place(&block, lines, |placed| pages.take(placed, &mut typesetter))?;
    }
    out.write_all(&pages.finish(&mut typesetter)?)?;
    Ok(())
}
