//! Which styles the parts of a text have.

use super::parts;

/// Names (ids) of styles; an empty one is the usual style.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Look {
    /// What the recording is called, and other headings.
    pub title: String,
    /// What is known of it; notes.
    pub facts: String,
    /// The line that says who speaks and when.
    pub turn: String,
    /// Who speaks, within that line.
    pub speaker: String,
    /// What stands out within other lines: marks of questions, heads of columns.
    pub mark: String,
    /// When it is said.
    pub time: String,
    /// What is said.
    pub text: String,
    /// A paragraph within a table.
    pub cell: String,
    /// Numbered lines.
    pub lines: String,
    /// The table; its lines are drawn here where it has no style.
    pub table: Option<String>,
    /// Width of the text in twentieths of a point.
    pub width: u32,
    /// Whether the title stands above the text.
    pub has_title: bool,
    /// Whether the facts stand above the text.
    pub has_facts: bool,
}

impl Look {
    /// That of documents that nobody gave a template for.
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
