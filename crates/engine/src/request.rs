//! What one transcription is asked to do.

use std::path::PathBuf;

use slovo_rules::settings::TranscriptionType;

use crate::event::ChunkResult;
use crate::language::Detected;

/// The language of the speech.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LanguageChoice {
    /// Found from the first voiced windows.
    Auto,
    /// One of the codes in [`slovo_rules::language::LANGUAGES`], for example `uk`.
    Code(String),
}

/// One transcription.
#[derive(Clone, Debug)]
pub struct Request {
    /// The media file; its format is found by content, not by name.
    pub input: PathBuf,
    /// Which of the two models recognises.
    pub mode: TranscriptionType,
    /// Id of the model that recognises; the engine's own for the mode if `None`.
    pub model: Option<String>,
    /// The language spoken. Lite knows English only and treats `Auto` as English.
    pub language: LanguageChoice,
    /// Text in English whatever is spoken (not with Lite).
    pub translate: bool,
    /// Whether the segments carry their words.
    pub words: bool,
    /// Names and terms that recognition should prefer, the most important first.
    /// What exceeds the model's prompt is left out, with a warning.
    pub vocabulary: Vec<String>,
    /// Windows recognised at the same time for this job; the engine's number if `None`.
    pub threads: Option<usize>,
    /// The audio track to take; the file's default one if `None`.
    pub audio_track: Option<usize>,
    /// Each channel of the track on its own, as a speaker; the text is merged in time.
    /// Channels that carry the same sound are recognised once. Where there is only one such
    /// sound, or more than eight, their mix is recognised, with a warning.
    pub multichannel: bool,
    /// What an interrupted run of the same request had finished.
    pub resume: Resume,
}

impl Request {
    /// A request with everything else at its default: Full, language found, no words.
    #[must_use]
    pub fn new(input: PathBuf) -> Self {
        Self {
            input,
            mode: TranscriptionType::Full,
            model: None,
            language: LanguageChoice::Auto,
            translate: false,
            words: false,
            vocabulary: Vec::new(),
            threads: None,
            audio_track: None,
            multichannel: false,
            resume: Resume::default(),
        }
    }
}

/// The finished parts of an interrupted run, as its events told them.
///
/// Decoding and voice activity are repeated; windows found here are not recognised
/// again. The final transcript equals that of a run without interruption.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Resume {
    /// From [`crate::Event::Language`], if it had been told.
    pub language: Option<Detected>,
    /// From [`crate::Event::Chunk`], in any order.
    pub chunks: Vec<ChunkResult>,
}
