//! The parameters of one transcription.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use slovo_rules::language::Language;
use slovo_rules::language_set::LanguageSet;
use slovo_rules::settings::TranscriptionType;

use crate::event::ChunkResult;
use crate::language::DetectedLanguage;
use crate::remote::Remote;

/// The language of the speech.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LanguageChoice {
    /// Detected among [`Request::languages`], for each passage (Full only).
    Auto,
    /// One of the codes in [`slovo_rules::language::LANGUAGES`], for example `uk`.
    Code(String),
}

impl From<Option<Language>> for LanguageChoice {
    fn from(chosen: Option<Language>) -> Self {
        chosen.map_or(Self::Auto, |language| {
            Self::Code(language.as_str().to_owned())
        })
    }
}

/// One transcription.
#[derive(Clone, Debug)]
pub struct Request {
    /// The media file; its format is detected from the content, not from the name.
    pub input: PathBuf,
    /// Full or Lite.
    pub mode: TranscriptionType,
    /// Id of the recognition model; `None` for the engine's model of the mode.
    pub model: Option<String>,
    /// The language spoken. Lite supports English only and treats `Auto` as English.
    pub language: LanguageChoice,
    /// The languages that may be spoken, for [`LanguageChoice::Auto`].
    pub languages: LanguageSet,
    /// Translate the text to English (not with Lite).
    pub translate: bool,
    /// Whether the segments include their words.
    pub words: bool,
    /// Names and terms that recognition should prefer, most important first. Those that do not fit
    /// the model's prompt are left out, with a warning.
    pub vocabulary: Vec<String>,
    /// An engine on another machine that recognises instead of the model, which is then used only if
    /// that engine fails, see [`Remote::falls_back`].
    pub remote: Option<Remote>,
    /// Windows recognised at the same time for this job; `None` for the engine's setting.
    pub threads: Option<usize>,
    /// The audio track, from 0; `None` for the file's default track.
    pub audio_track: Option<usize>,
    /// Recognise each channel of the track separately, as one speaker; the text is merged in order
    /// of time. Channels with the same sound are recognised once. If there is only one distinct
    /// sound, or more than eight, the mix is recognised instead, with a warning.
    pub multichannel: bool,
    /// Recognise only this part of the recording; `None` for all of it.
    pub stretch: Option<Stretch>,
    /// The finished parts of an interrupted run of the same request.
    pub resume: Resume,
    /// Run it in a process for it alone, because it may have crashed the engine's; only with
    /// [`crate::EngineConfig::isolation`].
    pub alone: bool,
}

/// A part of a recording. All reported times are those of the recording; the transcript's duration
/// and the progress are those of the part. Words whose middle is outside it are left out.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stretch {
    /// Seconds, from 0.
    pub start: f64,
    /// Seconds, after `start`. What is beyond the recording's end is ignored.
    pub end: f64,
}

impl Request {
    /// A request with default settings: Full, language detected, no words.
    #[must_use]
    pub fn new(input: PathBuf) -> Self {
        Self {
            input,
            mode: TranscriptionType::Full,
            model: None,
            language: LanguageChoice::Auto,
            languages: LanguageSet::ANY,
            translate: false,
            words: false,
            vocabulary: Vec::new(),
            remote: None,
            threads: None,
            audio_track: None,
            multichannel: false,
            stretch: None,
            resume: Resume::default(),
            alone: false,
        }
    }
}

/// The finished parts of an interrupted run, from its events.
///
/// Decoding and voice activity detection are repeated; windows found here are not recognised again.
/// The final transcript equals that of an uninterrupted run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Resume {
    /// From [`crate::Event::Language`], if it was reported.
    pub language: Option<DetectedLanguage>,
    /// From [`crate::Event::Chunk`], in any order.
    pub chunks: Vec<ChunkResult>,
}
