//! The table layout: its columns, their names, and the cells of its rows.

use slovo_rules::edit::EditedTranscript;

use super::Options;
use super::names::Names;
use super::paragraphs::paragraphs;
use super::time::clock;

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    /// The time.
    Time,
    /// The speaker.
    Speaker,
    /// The text.
    Text,
}

impl Column {
    /// The column's name in the language of the text if that is supported, otherwise in English.
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

/// The columns: time if requested, speaker if there are names.
pub fn columns(transcript: &EditedTranscript, options: Options) -> Vec<Column> {
    let mut segments = transcript.segments.iter();
    let has_names = options.speakers && segments.any(|segment| segment.speaker.is_some());
    let time = options.timestamps.then_some(Column::Time);
    let speaker = has_names.then_some(Column::Speaker);
    time.into_iter()
        .chain(speaker)
        .chain([Column::Text])
        .collect()
}

/// The rows, one cell per column, created lazily.
pub fn rows<'a>(
    transcript: &'a EditedTranscript,
    names: &'a Names<'_>,
    columns: &'a [Column],
) -> impl Iterator<Item = Vec<String>> {
    paragraphs(transcript, names).map(move |paragraph| {
        let cell = |column: &Column| match column {
            Column::Time => clock(paragraph.start),
            Column::Speaker => paragraph.speaker.clone().unwrap_or_default(),
            Column::Text => paragraph.text.clone(),
        };
        columns.iter().map(cell).collect()
    })
}
