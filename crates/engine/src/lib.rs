//! The transcription engine: turns a media file into timed words, with progress, partial results,
//! checkpoints and cancellation. No HTTP, no SQL.
//!
//! [`Engine::transcribe`] runs the file through a pipeline of bounded memory: decoded audio
//! ([`media`]) -> voice activity -> windows of voiced sound -> recognition by whisper.cpp in
//! parallel -> words -> sentences. It reports [`Event`]s. An interrupted run continues from its
//! [`Event::Chunk`]s, passed in as [`Resume`].

mod cancel;
mod config;
mod engine;
mod error;
mod event;
mod guards;
mod host;
mod inputs;
mod isolation;
mod language;
mod level;
mod passages;
mod peaks;
mod pipeline;
mod pool;
mod progress;
mod prompts;
mod queue;
mod recognition;
mod remote;
mod remote_words;
mod repairs;
mod request;
mod sentences;
mod shared;
mod skipped_speech;
mod stages;
mod stretch;
mod stretch_audio;
mod style;
mod vad;
mod vocabulary;
mod windows;
mod words;

pub mod device;
pub mod media;
pub mod speakers;

pub use cancel::CancelToken;
pub use config::{Decoding, EngineConfig, Isolation};
pub use engine::Engine;
pub use error::EngineError;
pub use event::{ChunkResult, Event, RecognisedWord};
pub use host::serve as serve_isolated;
pub use language::DetectedLanguage;
pub use peaks::{Peaks, Waveform};
pub use remote::{Remote, RemoteAudio, RemoteEngine, RemoteError, RemoteText, TimedText};
pub use request::{LanguageChoice, Request, Resume, Stretch};
pub use slovo_model_catalogue as models;
pub use stages::StageTimes;

/// The README's example is compiled by `cargo test --doc`.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
