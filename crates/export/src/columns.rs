//! The layout as a table: which columns there are, how they are called, and what is in their rows.

use slovo_rules::edit::EditedTranscript;

use super::Options;
use super::names::Names;
use super::paragraphs::paragraphs;
use super::time::clock;

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    /// When it is said.
    Time,
    /// Who says it.
    Speaker,
    /// What is said.
    Text,
}

impl Column {
    /// Its name in the language of the text, as far as this program speaks it; else in English.
    pub fn name(self, language: &str) -> &'static str {
        match (self, language) {
            (Self::Time, "uk") => "Час",
            (Self::Speaker, "uk") => "Мовець",
            (Self::Text, "uk") => "Текст",
            (Self::Time, _) => "Time",
            (Self::Speaker, _) => "Speaker",
            (Self::Text, _) => "Text",
        }
    }
}

/// The columns: times where they are asked for, speakers where somebody is named.
pub fn columns(transcript: &EditedTranscript, options: Options) -> Vec<Column> {
    let mut segments = transcript.segments.iter();
    let named = options.speakers && segments.any(|segment| segment.speaker.is_some());
    let time = options.timestamps.then_some(Column::Time);
    let speaker = named.then_some(Column::Speaker);
    time.into_iter()
        .chain(speaker)
        .chain([Column::Text])
        .collect()
}

/// The rows, a cell per column, made while they are read.
pub fn rows<'a>(
    transcript: &'a EditedTranscript,
    names: &'a Names<'_>,
    columns: &'a [Column],
) -> impl Iterator<Item = Vec<String>> {
    paragraphs(transcript, names).map(move |said| {
        let cell = |column: &Column| match column {
            Column::Time => clock(said.start),
            Column::Speaker => said.speaker.clone().unwrap_or_default(),
            Column::Text => said.text.clone(),
        };
        columns.iter().map(cell).collect()
    })
}
