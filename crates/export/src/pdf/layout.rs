//! Turns a transcript into placed lines, in each layout.

use slovo_rules::export::ExportLayout;

use super::blocks::{annotations, opening, questions, turns};
use super::flow::{Flow, Sink};
use super::typeset::Typesetter;
use super::{lines, table};
use crate::annotations::Annotations;
use crate::names::Names;
use crate::questions::Roles;
use crate::{Error, Options, Source};

/// The text to be laid out.
#[derive(Clone, Copy)]
pub struct Parts<'a> {
    pub source: Source<'a>,
    pub names: &'a Names<'a>,
    pub options: Options,
    pub roles: &'a Roles<'a>,
    /// Bookmarks and highlights at the end.
    pub marks: Annotations<'a>,
}

/// Lays the whole document out.
///
/// # Errors
/// [`Error::FontMissing`], and errors of the sink.
pub fn lay_out(
    parts: Parts<'_>,
    typesetter: &mut Typesetter,
    sink: &mut impl Sink,
) -> Result<(), Error> {
    let Parts {
        source,
        names,
        options,
        roles,
        marks,
    } = parts;
    let everyone = || names.all(source.transcript);
    let mut flow = Flow::default();
    match options.layout {
        ExportLayout::Paragraphs => {
            let blocks = opening(source, &everyone()).chain(turns(source, names, options));
            flow.place_all(blocks, typesetter, sink)?;
        }
        ExportLayout::Questions => {
            let opening = opening(source, &roles.who(source.transcript, names));
            let blocks = opening.chain(questions(source, names, options, roles));
            flow.place_all(blocks, typesetter, sink)?;
        }
        ExportLayout::Numbered => {
            // Pages of numbered lines contain nothing else.
            flow.page = lines::lay_out(source, names, options, typesetter, sink)?;
        }
        ExportLayout::Table => {
            flow.place_all(opening(source, &everyone()), typesetter, sink)?;
            table::lay_out(source, names, options, &mut flow, typesetter, sink)?;
            flow.repeated = None;
        }
    }
    let at_the_end = annotations(source, names, marks);
    flow.place_all(at_the_end.into_iter(), typesetter, sink)
}
