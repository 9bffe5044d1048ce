//! A document for Word and its like (Office Open XML, ECMA-376).
//!
//! Written here and not by a library: the one that there is can state neither title nor language
//! nor direction, and holds the whole document as a tree. This needs six parts, of which five never
//! change, and holds the packed file.

mod body;
mod parts;

use std::io::{self, Cursor, Write};

use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::annotations::Annotations;
use super::names::Names;
use super::questions::Roles;
use super::{Options, Source};

/// Writes the document.
pub fn write(
    source: Source<'_>,
    names: &Names<'_>,
    options: Options,
    roles: &Roles<'_>,
    marks: Annotations<'_>,
    out: &mut impl Write,
) -> io::Result<()> {
    let mut file = ZipWriter::new(Cursor::new(Vec::new()));
    let packed = SimpleFileOptions::default();
    for (name, content) in [
        ("[Content_Types].xml", parts::CONTENT_TYPES.to_owned()),
        ("_rels/.rels", parts::RELATIONS.to_owned()),
        ("docProps/core.xml", parts::properties(source)),
        (
            "word/_rels/document.xml.rels",
            parts::DOCUMENT_RELATIONS.to_owned(),
        ),
        (
            "word/styles.xml",
            parts::styles(&source.transcript.language, options.layout),
        ),
        ("word/footer1.xml", parts::FOOTER.to_owned()),
    ] {
        file.start_file(name, packed)?;
        file.write_all(content.as_bytes())?;
    }
    file.start_file("word/document.xml", packed)?;
    body::write(source, names, options, roles, marks, &mut file)?;
    out.write_all(&file.finish()?.into_inner())
}

/// Clean text as XML takes it.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
