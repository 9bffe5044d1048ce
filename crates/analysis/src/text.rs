//! The text to be analysed, including all edits.

use slovo_rules::analysis::Moment;

/// A text to be analysed.
#[derive(Debug, Clone, PartialEq)]
pub struct Text {
    /// Language of the text (ISO 639-1).
    pub language: String,
    /// Length of the recording in seconds.
    pub duration: f64,
    /// What was said, in order of time.
    pub passages: Vec<Passage>,
}

/// A segment of the text.
#[derive(Debug, Clone, PartialEq)]
pub struct Passage {
    /// Id of the segment.
    pub id: String,
    /// Start in seconds.
    pub start: f64,
    /// End in seconds.
    pub end: f64,
    /// Name of the speaker, as it is shown.
    pub speaker: Option<String>,
    /// What was said.
    pub text: String,
}

impl Passage {
    /// Its place in the recording.
    #[must_use]
    pub fn moment(&self) -> Moment {
        Moment {
            segment: self.id.clone(),
            start: self.start,
            end: self.end,
        }
    }
}
