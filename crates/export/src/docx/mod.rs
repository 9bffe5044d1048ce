//! A document for Word and compatible programs (Office Open XML, ECMA-376).
//!
//! Written here instead of with a library: the available one supports neither title nor language
//! nor text direction, and keeps the whole document as a tree. This writer needs six parts, of
//! which five are constant, and keeps only the packed file in memory.
//!
//! With a template ([`template`]) the package is the template's, and only the text is generated.

mod body;
mod parts;
mod style_ids;
pub mod template;

use std::io::{self, Cursor, Write};

use zip::ZipWriter;
use zip::write::SimpleFileOptions;

pub use body::Text;
use template::Template;

/// Writes the document, using the template if there is one.
pub fn write(
    text: &Text<'_>,
    template: Option<&Template>,
    summary: &str,
    language: &str,
    out: &mut impl Write,
) -> io::Result<()> {
    if let Some(template) = template {
        return template.write(text, summary, language, out);
    }
    let source = text.source;
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
            parts::styles(&source.transcript.language, text.options.layout),
        ),
        ("word/footer1.xml", parts::FOOTER.to_owned()),
    ] {
        file.start_file(name, packed)?;
        file.write_all(content.as_bytes())?;
    }
    file.start_file("word/document.xml", packed)?;
    body::write(text, &mut file)?;
    out.write_all(&file.finish()?.into_inner())
}

/// Cleaned text, escaped for XML.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
