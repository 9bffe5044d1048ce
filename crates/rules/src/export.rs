//! Exports of a transcript: the layouts of each format.

use crate::violation::{Code, Violation};

wire_enum! {
    /// The layout of the text in a file for reading: TXT, Markdown, DOCX and PDF.
    #[derive(Default)]
    ExportLayout {
        /// A paragraph per turn of a speaker or train of thought.
        #[default]
        Paragraphs => "paragraphs",
        /// Questions and answers: one speaker asks, the others answer, and each is marked
        /// accordingly.
        Questions => "questions",
        /// Numbered lines of equal width, with the same number on every page, for citing by page
        /// and line.
        Numbered => "numbered",
        /// A table with a row per paragraph: time, speaker, text.
        Table => "table",
    }
}

/// All formats, by their names in the API, in display order.
pub const FORMATS: [&str; 10] = [
    "docx", "pdf", "txt", "md", "srt", "vtt", "ttml", "stl", "csv", "json",
];
/// Subtitle formats: they have limits, and can contain a translation.
pub const SUBTITLE_FORMATS: [&str; 4] = ["srt", "vtt", "ttml", "stl"];
/// Formats that can contain the times of words.
pub const WORD_TIME_FORMATS: [&str; 3] = ["vtt", "csv", "json"];
/// Formats that can end with bookmarks and notes.
pub const ANNOTATION_FORMATS: [&str; 5] = ["docx", "pdf", "txt", "md", "json"];
/// Largest template of a DOCX file, in bytes.
pub const MAX_TEMPLATE_BYTES: usize = 2 * 1024 * 1024;
/// Maximum total size of such a template's parts, unpacked.
pub const MAX_TEMPLATE_UNPACKED_BYTES: u64 = 20 * 1024 * 1024;
/// Maximum number of parts of such a template.
pub const MAX_TEMPLATE_PARTS: usize = 200;

/// Formats with pages, lines and page numbers.
pub const PAGED_FORMATS: [&str; 3] = ["txt", "docx", "pdf"];
/// Formats of text for reading; subtitles and data have a single layout.
pub const READ_FORMATS: [&str; 4] = ["txt", "md", "docx", "pdf"];

/// Lines on a page of [`ExportLayout::Numbered`].
pub const PAGE_LINES: usize = 25;
/// Columns of such a line; East Asian characters count as two.
pub const LINE_COLUMNS: usize = 60;

/// The layouts of a format, by its name in the API; always includes paragraphs, which stands for
/// the only layout of other formats.
#[must_use]
pub fn layouts(format: &str) -> Vec<ExportLayout> {
    let all = ExportLayout::ALL.iter().copied();
    all.filter(|layout| supports_layout(format, *layout))
        .collect()
}

/// Whether the format has this layout.
#[must_use]
pub fn supports_layout(format: &str, layout: ExportLayout) -> bool {
    match layout {
        ExportLayout::Paragraphs => true,
        ExportLayout::Questions | ExportLayout::Table => READ_FORMATS.contains(&format),
        ExportLayout::Numbered => PAGED_FORMATS.contains(&format),
    }
}

/// Checks that the format has this layout.
///
/// # Errors
/// [`Code::LayoutUnsupported`] of `layout`, with `format` and `allowed`.
pub fn check_layout(format: &str, layout: ExportLayout) -> Result<(), Violation> {
    if supports_layout(format, layout) {
        return Ok(());
    }
    let allowed: Vec<&str> = layouts(format)
        .into_iter()
        .map(ExportLayout::as_str)
        .collect();
    Err(Violation::new("layout", Code::LayoutUnsupported)
        .with("format", format.to_uppercase())
        .with("allowed", allowed.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_format_offers_the_layouts_it_supports() {
        assert_eq!(layouts("pdf"), ExportLayout::ALL);
        assert_eq!(layouts("docx"), ExportLayout::ALL);
        assert_eq!(layouts("txt"), ExportLayout::ALL);
        // Line breaks of Markdown are up to the program that renders it.
        assert!(!supports_layout("md", ExportLayout::Numbered));
        assert!(supports_layout("md", ExportLayout::Table));
        for format in ["srt", "vtt", "ttml", "stl", "csv", "json", "exe", ""] {
            assert_eq!(layouts(format), [ExportLayout::Paragraphs], "{format}");
        }
    }

    #[test]
    fn an_unsupported_layout_is_reported_with_the_supported_ones() {
        assert_eq!(check_layout("md", ExportLayout::Questions), Ok(()));
        let violation = check_layout("md", ExportLayout::Numbered).unwrap_err();
        assert_eq!(violation.field, "layout");
        assert_eq!(violation.code, Code::LayoutUnsupported);
        assert_eq!(violation.params["format"], "MD");
        assert_eq!(violation.params["allowed"], "paragraphs, questions, table");
        assert!(check_layout("srt", ExportLayout::Table).is_err());
    }
}
