//! Pages for reading and printing: A4, in a face for long reading, numbered `n / m`.
//!
//! The text is laid out twice: once to know how many pages there are, once to draw them. Nothing is
//! kept of the first time but that number; what is in memory is one page, the finished ones, which
//! are packed, and which piece of a page belongs to which part of the text.
//!
//! Every part is tagged as what it is (ISO 32000-1, 14.8), in the order in which it is read, so that
//! screen readers can tell headings, paragraphs and rows; numbers of pages and lines are artifacts. The
//! file declares PDF/UA-1 where it holds to it, which one with a sign that no font has does not.

mod blocks;
mod flow;
mod layout;
mod lines;
mod page;
mod pages;
mod table;
mod tags;
mod typeset;

use std::io::Write;

use super::annotations::Annotations;
use super::names::Names;
use super::questions::Roles;
use super::text::clean;
use super::{Error, Options, Source};
use flow::Count;
use layout::{Parts, lay};
use pages::Pages;
use typeset::Typesetter;

/// Writes the document.
pub fn write(
    source: Source<'_>,
    names: &Names<'_>,
    options: Options,
    roles: &Roles<'_>,
    marks: Annotations<'_>,
    out: &mut impl Write,
) -> Result<(), Error> {
    let mut typesetter = Typesetter::new(&source.transcript.language);
    let mut count = Count::default();
    let parts = Parts {
        source,
        names,
        options,
        roles,
        marks,
    };
    lay(parts, &mut typesetter, &mut count)?;
    let may_be_universal = !typesetter.lacks_shapes() && !clean(source.title).is_empty();
    let mut draw = |is_universal: bool| {
        let mut pages = Pages::new(source, count.pages(), is_universal)?;
        lay(parts, &mut typesetter, &mut pages)?;
        pages.finish(&mut typesetter)
    };
    let mut file = if may_be_universal { draw(true)? } else { None };
    if file.is_none() {
        file = draw(false)?;
    }
    let file = file.ok_or_else(|| Error::Pages("nothing was drawn".to_owned()))?;
    out.write_all(&file)?;
    Ok(())
}
