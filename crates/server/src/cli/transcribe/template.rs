//! The DOCX template: read and checked before hours of work.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use slovo_export::{Format, Template};

/// Maximum number of bytes read: above the rule's limit, so that the rule reports the violation.
const MAX_READ: u64 = 3 * 1024 * 1024;

/// The template, if there is one.
///
/// # Errors
/// Why it cannot be used.
pub fn of(path: Option<&Path>, format: Format) -> Result<Option<Template>, String> {
    let Some(path) = path else { return Ok(None) };
    if format != Format::Docx {
        return Err("--docx-template: goes with --format docx".to_owned());
    }
    let refused = |why: String| format!("--docx-template: {}: {why}", path.display());
    let mut content = Vec::new();
    File::open(path)
        .and_then(|file| file.take(MAX_READ).read_to_end(&mut content))
        .map_err(|error| refused(error.kind().to_string()))?;
    let template = Template::read(&content).map_err(|refusal| refused(refusal.to_string()))?;
    Ok(Some(template))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_templates_are_refused_before_the_work() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("own.docx");
        let refusal = |format| of(Some(&path), format).unwrap_err();
        assert!(refusal(Format::Pdf).contains("--format docx"));
        assert!(refusal(Format::Docx).contains("not found"));
        std::fs::write(&path, "text").unwrap();
        assert!(refusal(Format::Docx).contains("not a Word document"));
        let (_, example) =
            slovo_transcripts::exports::templates::example(slovo_rules::locale::Locale::En)
                .unwrap();
        std::fs::write(&path, example).unwrap();
        assert!(of(Some(&path), Format::Docx).unwrap().is_some());
        assert!(of(None, Format::Txt).unwrap().is_none());
    }
}
