//! The tasks of an engine.

use slovo_rules::analysis::Part;
use slovo_rules::language::TranslationTarget;
use slovo_rules::subtitles::cues::Cue;

/// One task for a text, with its parameters.
#[derive(Debug, Clone, PartialEq)]
pub enum Task {
    /// A summary of about this many words, 1 to 1000.
    Summary {
        /// Number of words.
        words: u32,
    },
    /// Sentiment.
    Sentiment,
    /// Classification by these labels: at least one, none blank.
    Classification {
        /// The labels.
        labels: Vec<String>,
    },
    /// Keywords.
    Keywords,
    /// Chapters.
    Chapters,
    /// An answer to the user's own instruction.
    Prompt {
        /// The instruction.
        prompt: String,
    },
    /// The text in another language.
    Translation {
        /// The target language.
        target: TranslationTarget,
    },
    /// The subtitles in another language.
    SubtitleTranslation {
        /// The target language.
        target: TranslationTarget,
        /// The subtitles of the text.
        cues: Vec<Cue>,
    },
}

impl Task {
    /// The part that the task creates.
    #[must_use]
    pub const fn part(&self) -> Part {
        match self {
            Self::Summary { .. } => Part::Summary,
            Self::Sentiment => Part::Sentiment,
            Self::Classification { .. } => Part::Classification,
            Self::Keywords => Part::Keywords,
            Self::Chapters => Part::Chapters,
            Self::Prompt { .. } => Part::Prompt,
            Self::Translation { .. } => Part::Translation,
            Self::SubtitleTranslation { .. } => Part::SubtitleTranslation,
        }
    }
}
