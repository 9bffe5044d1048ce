//! The styles of the parts of a text.

use super::parts;

/// Style ids; an empty one is the default style.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StyleIds {
    /// The title of the recording, and other headings.
    pub title: String,
    /// Facts about the recording; notes.
    pub facts: String,
    /// The line with speaker and time.
    pub turn: String,
    /// The speaker's name within that line.
    pub speaker: String,
    /// Emphasised text within other lines: the marks of questions and answers, column headers.
    pub mark: String,
    /// The time.
    pub time: String,
    /// The spoken text.
    pub text: String,
    /// A paragraph within a table.
    pub cell: String,
    /// Numbered lines.
    pub lines: String,
    /// The table; without a style it gets borders here.
    pub table: Option<String>,
    /// Width of the text in twips (1/20 pt).
    pub width: u32,
    /// Whether to write the title above the text.
    pub has_title: bool,
    /// Whether to write the facts above the text.
    pub has_facts: bool,
}

impl StyleIds {
    /// The look of documents without a template.
    pub fn own() -> Self {
        Self {
            title: "Title".to_owned(),
            facts: "Facts".to_owned(),
            turn: "Turn".to_owned(),
            speaker: "Speaker".to_owned(),
            mark: "Speaker".to_owned(),
            time: String::new(),
            text: String::new(),
            cell: "Cell".to_owned(),
            lines: "Lines".to_owned(),
            table: None,
            width: parts::TEXT_WIDTH,
            has_title: true,
            has_facts: true,
        }
    }
}
