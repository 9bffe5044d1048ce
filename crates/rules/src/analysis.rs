//! Results of analyses, as exchanged between engines, database, server and browser. Times are
//! seconds from the start of the original recording.

mod part_request;

pub use part_request::{AnalysisStatus, Params, PartRequest, of_settings, validate};

use serde::{Deserialize, Serialize};

use crate::plan::PlanFeature;

/// Longest question about a text, in characters.
pub const MAX_QUESTION: usize = 2000;

wire_enum! {
    /// A part of the analysis of a text; each is requested, stored and repeated separately.
    Part {
        /// Shorter text of about a given number of words.
        Summary => "summary",
        /// Sentiment of the text: overall, by segment, over time.
        Sentiment => "sentiment",
        /// How well each of the user's labels fits.
        Classification => "classification",
        /// Words that distinguish the text from others.
        Keywords => "keywords",
        /// Consecutive parts with titles.
        Chapters => "chapters",
        /// Answer to the user's own instruction.
        Prompt => "prompt",
        /// The text in another language.
        Translation => "translation",
        /// The subtitles in another language.
        SubtitleTranslation => "subtitle_translation",
    }
}

impl Part {
    /// The plan feature it requires; keywords are made for every transcript.
    #[must_use]
    pub const fn plan_feature(self) -> Option<PlanFeature> {
        match self {
            Self::Keywords => None,
            Self::Translation | Self::SubtitleTranslation => Some(PlanFeature::Translation),
            Self::Summary
            | Self::Sentiment
            | Self::Classification
            | Self::Chapters
            | Self::Prompt => Some(PlanFeature::Analytics),
        }
    }
}

wire_enum! {
    /// The kind of engine that gave an answer.
    EngineKind {
        /// A model inside the program: nothing leaves the machine.
        Embedded => "embedded",
        /// A chat endpoint that the administrator configured.
        Endpoint => "endpoint",
    }
}

/// The engine that gave an answer; stored with it and shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct EngineName {
    /// Its kind.
    pub kind: EngineKind,
    /// Name of the model, as configured.
    pub model: String,
}

/// A place in the recording that supports a statement.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Moment {
    /// Id of the segment.
    pub segment: String,
    /// Start of the segment.
    pub start: f64,
    /// End of the segment.
    pub end: f64,
}

/// A sentence of a summary.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SummarySentence {
    /// The sentence.
    pub text: String,
    /// The places that support it; empty if the engine did not give any.
    pub moments: Vec<Moment>,
}

/// A summary.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Summary {
    /// Its sentences.
    pub sentences: Vec<SummarySentence>,
    /// Number of words in it.
    pub words: u32,
    /// Whether its sentences are quoted from the text.
    pub extractive: bool,
}

wire_enum! {
    /// The sentiment of a text.
    Mood {
        /// Positive.
        Positive => "positive",
        /// Neutral.
        Neutral => "neutral",
        /// Negative.
        Negative => "negative",
    }
}

/// Sentiment at a moment of the recording.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SentimentPoint {
    /// The moment.
    pub moment: Moment,
    /// -1 (negative) to 1 (positive).
    pub score: f64,
}

/// Sentiment of a text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Sentiment {
    /// Overall.
    pub mood: Mood,
    /// Overall, -1 to 1.
    pub score: f64,
    /// The reason, if the engine gives one.
    pub reason: Option<String>,
    /// By segment, in order of time. At most one point per segment; a long text may have fewer.
    pub points: Vec<SentimentPoint>,
}

/// A label and its score.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct LabelScore {
    /// The label, as the user wrote it.
    pub label: String,
    /// 0 to 1; the label counts as found from 0.5. Labels are independent: the scores need not add
    /// up to 1.
    pub score: f64,
    /// The reason, if the engine gives one.
    pub reason: Option<String>,
    /// The best matching places, at most three.
    pub moments: Vec<Moment>,
}

/// Minimum score of a label to be assigned; labels below are displayed as not found.
pub const LABEL_FOUND: f64 = 0.5;

/// Classification by the user's labels, the best first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Classification {
    /// Every label of the settings, without duplicates.
    pub labels: Vec<LabelScore>,
}

/// A word or phrase that distinguishes the text from others.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Keyword {
    /// As it is written in the text.
    pub text: String,
    /// 0 to 1.
    pub score: f64,
    /// Number of occurrences.
    pub count: u32,
    /// The places where it is said, at most twenty.
    pub moments: Vec<Moment>,
}

/// Keywords, the best first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Keywords {
    /// At most 30.
    pub keywords: Vec<Keyword>,
}

/// One of the consecutive parts of a text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Chapter {
    /// Short title.
    pub title: String,
    /// One or two sentences; may be empty.
    pub summary: String,
    /// Its beginning.
    pub start: Moment,
}

/// Chapters in order of time; the first begins with the text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Chapters {
    /// The chapters, which cover the text without gaps.
    pub chapters: Vec<Chapter>,
}

/// The answer to the user's own instruction.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PromptAnswer {
    /// Markdown as the model wrote it. It must be rendered safely, never as HTML.
    pub markdown: String,
}

/// A segment in another language.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct TranslatedSegment {
    /// The segment it translates.
    pub moment: Moment,
    /// Its speaker, as in the text.
    pub speaker: Option<String>,
    /// The translation.
    pub text: String,
}

/// A text in another language.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Translation {
    /// One for each segment of the text, in the same order.
    pub segments: Vec<TranslatedSegment>,
}

/// A subtitle in another language.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct TranslatedCue {
    /// Start in seconds, as in the original.
    pub start: f64,
    /// End in seconds, as in the original.
    pub end: f64,
    /// Its lines; their number and length are limited by [`crate::subtitles`].
    pub lines: Vec<String>,
}

/// Subtitles in another language, with the times of the original.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SubtitleTranslation {
    /// One for each subtitle of the original.
    pub cues: Vec<TranslatedCue>,
}

/// The result of one part of the analysis.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "part", rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Outcome {
    /// See [`Summary`].
    Summary(Summary),
    /// See [`Sentiment`].
    Sentiment(Sentiment),
    /// See [`Classification`].
    Classification(Classification),
    /// See [`Keywords`].
    Keywords(Keywords),
    /// See [`Chapters`].
    Chapters(Chapters),
    /// See [`PromptAnswer`].
    Prompt(PromptAnswer),
    /// See [`Translation`].
    Translation(Translation),
    /// See [`SubtitleTranslation`].
    SubtitleTranslation(SubtitleTranslation),
}

impl Outcome {
    /// The kind of analysis.
    #[must_use]
    pub const fn part(&self) -> Part {
        match self {
            Self::Summary(_) => Part::Summary,
            Self::Sentiment(_) => Part::Sentiment,
            Self::Classification(_) => Part::Classification,
            Self::Keywords(_) => Part::Keywords,
            Self::Chapters(_) => Part::Chapters,
            Self::Prompt(_) => Part::Prompt,
            Self::Translation(_) => Part::Translation,
            Self::SubtitleTranslation(_) => Part::SubtitleTranslation,
        }
    }
}

/// Statistics of one speaker in a recording.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SpeakerStatistics {
    /// Displayed name; null for speech without a known speaker.
    pub speaker: Option<String>,
    /// Seconds of speech.
    pub talk_time: f64,
    /// Share of all speakers' speech, 0 to 1.
    pub share: f64,
    /// Number of words.
    pub words: u32,
    /// Words per minute of speech; 0 if there is no speech.
    pub words_a_minute: f64,
    /// Number of turns.
    pub turns: u32,
    /// Duration of the longest turn, including its pauses, in seconds.
    pub longest_turn: f64,
    /// How often the speaker began before another had ended, and the other then ended first.
    pub interruptions: u32,
}

/// Statistics of the speech in a recording, computed from the current text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Statistics {
    /// Seconds of the recording.
    pub duration: f64,
    /// Seconds in which at least one speaker speaks.
    pub speech: f64,
    /// Seconds without speech.
    pub silence: f64,
    /// Number of words.
    pub words: u32,
    /// How often two or more speakers speak at once.
    pub overlaps: u32,
    /// Seconds in which they do.
    pub overlapped: f64,
    /// The speakers, by talk time, the longest first.
    pub speakers: Vec<SpeakerStatistics>,
}
