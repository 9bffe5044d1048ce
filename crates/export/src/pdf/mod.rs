//! PDF for reading and printing: A4, a typeface for long texts, pages numbered `n / m`.
//!
//! The text is laid out twice: first to count the pages, then to draw them. Only the count is kept
//! from the first pass. Memory holds one page, the finished pages in compressed form, and the
//! mapping from pieces of pages to parts of the text.
//!
//! Every part is tagged (ISO 32000-1, 14.8) in reading order, so that screen readers recognise
//! headings, paragraphs and rows; page and line numbers are artifacts. The file declares PDF/UA-1
//! if it conforms; a file with a character that no font has does not.

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
use layout::{Parts, lay_out};
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
    lay_out(parts, &mut typesetter, &mut count)?;
    let may_be_universal = !typesetter.lacks_shapes() && !clean(source.title).is_empty();
    let mut draw = |is_universal: bool| {
        let mut pages = Pages::new(source, count.pages(), is_universal)?;
        lay_out(parts, &mut typesetter, &mut pages)?;
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
