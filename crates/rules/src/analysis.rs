//! Results of analyses, as exchanged between engines, database, server and browser. Times are
//! seconds from the start of the original recording.

mod part_request;

pub use part_request::{AnalysisStatus, Params, PartRequest, of_settings, validate};

use serde::{Deserialize, Serialize};

use crate::plan::PlanFeature;

/// Longest question about a text, in characters.
pub const MAX_QUESTION: usize = 2000;

wire_enum! {
    /// One thing that can be made of a text; each is asked for, stored, and made again alone.
    Part {
        /// Shorter text of about a given number of words.
        Summary => "summary",
        /// How the text sounds: overall, by segment, over time.
        Sentiment => "sentiment",
        /// How well each of the user's labels fits.
        Classification => "classification",
        /// Words that tell the text from others.
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
    /// What kind of engine gave an answer.
    EngineKind {
        /// A model inside the program: nothing left the machine.
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

/// A place in the recording that a statement rests on.
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
    /// What it rests on; empty where the engine could not tell.
    pub moments: Vec<Moment>,
}

/// A summary.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Summary {
    /// Its sentences.
    pub sentences: Vec<SummarySentence>,
    /// Words that it has.
    pub words: u32,
    /// Whether its sentences are the speakers' own.
    pub extractive: bool,
}

wire_enum! {
    /// How a text sounds.
    Mood {
        /// Good.
        Positive => "positive",
        /// Neither.
        Neutral => "neutral",
        /// Bad.
        Negative => "negative",
    }
}

/// Sentiment at one stretch of time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SentimentPoint {
    /// The stretch.
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
    /// Why, where the engine can say.
    pub reason: Option<String>,
    /// By segment, in order of time: the curve. At most one point a segment; a long text may have
    /// fewer.
    pub points: Vec<SentimentPoint>,
}

/// One label and how well it fits.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct LabelScore {
    /// The label, as the user wrote it.
    pub label: String,
    /// 0 to 1; found in the text from 0.5 on. Labels do not exclude one another: the scores need
    /// not add up to 1.
    pub score: f64,
    /// Why, where the engine can say.
    pub reason: Option<String>,
    /// Where it fits best, at most three places.
    pub moments: Vec<Moment>,
}

/// Minimum score of a label to be assigned; labels below are displayed as not found.
pub const LABEL_FOUND: f64 = 0.5;

/// Classification by the user's labels, the best first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Classification {
    /// Every label of the settings, each once.
    pub labels: Vec<LabelScore>,
}

/// A word or phrase that tells the text from others.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Keyword {
    /// As it is written in the text.
    pub text: String,
    /// 0 to 1.
    pub score: f64,
    /// How often it is said.
    pub count: u32,
    /// Where, at most twenty places.
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
    /// Short.
    pub title: String,
    /// A sentence or two; may be empty.
    pub summary: String,
    /// Where it begins.
    pub start: Moment,
}

/// Chapters in order of time; the first begins where the text does.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Chapters {
    /// They cover the text without gaps.
    pub chapters: Vec<Chapter>,
}

/// The answer to the user's own instruction.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PromptAnswer {
    /// Markdown as the model wrote it: to be shown safely, never as HTML.
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
    /// As many as the text has, in its order.
    pub segments: Vec<TranslatedSegment>,
}

/// A subtitle in another language.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct TranslatedCue {
    /// As in the original.
    pub start: f64,
    /// As in the original.
    pub end: f64,
    /// At most as many and as long as [`crate::subtitles`] allows.
    pub lines: Vec<String>,
}

/// Subtitles in another language, timed as the original's.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SubtitleTranslation {
    /// As many as the original has.
    pub cues: Vec<TranslatedCue>,
}

/// What came out of one part.
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

/// What one speaker did in a recording.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SpeakerStatistics {
    /// Name, as it is shown; null for what no speaker is known of.
    pub speaker: Option<String>,
    /// Seconds of speech.
    pub talk_time: f64,
    /// Share of all speakers' speech, 0 to 1.
    pub share: f64,
    /// Words.
    pub words: u32,
    /// Pace: words a minute of speech; 0 where there is no speech.
    pub words_a_minute: f64,
    /// How often the speaker took the word.
    pub turns: u32,
    /// Seconds of the longest turn, with its pauses.
    pub longest_turn: f64,
    /// How often the speaker began before another had ended, and the other then ended first.
    pub interruptions: u32,
}

/// Figures of a recording's speech; reckoned from the text as it stands.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Statistics {
    /// Seconds of the recording.
    pub duration: f64,
    /// Seconds in which somebody speaks.
    pub speech: f64,
    /// Seconds in which nobody does.
    pub silence: f64,
    /// Words.
    pub words: u32,
    /// How often two or more speak at once.
    pub overlaps: u32,
    /// Seconds in which they do.
    pub overlapped: f64,
    /// The speakers, the one who talks most first.
    pub speakers: Vec<SpeakerStatistics>,
}
