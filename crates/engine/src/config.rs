//! Settings of an engine: model folder, default models, threads, limits.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use slovo_rules::settings::TranscriptionType;

use crate::media;

/// How the decoder searches for the text of a window.
///
/// Greedy is the default because it costs less: on 32 minutes of English speech a beam of 5 has 0.3
/// to 0.4 percentage points fewer word errors (7.2% instead of 7.5%, 11.6% instead of 12.0%) and
/// takes 1.6 to 1.7 times the processor time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Decoding {
    /// Takes the most probable token at each step.
    #[default]
    Greedy,
    /// Beam search with this many hypotheses (2 to 8).
    Beam(u8),
}

/// How the engine's process is started, and its limits.
#[derive(Clone, Debug)]
pub struct Isolation {
    /// A program that calls [`crate::serve_isolated`] when it is started with `arguments`.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<OsString>,
    /// Most memory for its data, in bytes (`RLIMIT_DATA`); `None` for no limit. Allocations beyond
    /// it fail, and the process ends.
    pub max_memory: Option<u64>,
    /// The longest that a run may take between two events. Then the process is killed. Recognising a
    /// window of 30 s with the largest model on a slow processor takes some minutes.
    pub max_silence: Duration,
}

impl Isolation {
    /// The longest silence, if nothing else is known.
    pub const MAX_SILENCE: Duration = Duration::from_mins(30);
}

/// Settings of an [`crate::Engine`]; they apply to all its jobs.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct EngineConfig {
    /// Folder of the model files (`ggml-<id>.bin`).
    pub models_dir: PathBuf,
    /// Model id for Full, for example `base-q8_0`.
    pub full_model: String,
    /// Model id for Lite, for example `tiny.en-q8_0`.
    pub lite_model: String,
    /// Windows recognised at the same time over all jobs together, at least 1. Each uses one core
    /// and about 170 MB with the base model.
    pub threads: usize,
    /// The number of the GPU on which Whisper models run, from 0; `None` for the processor. Without
    /// that GPU, or without a backend for it ([`crate::device::backends`]), the processor is used.
    pub gpu: Option<u32>,
    /// How the decoder searches. Greedy by default.
    pub decoding: Decoding,
    /// Whether sentences in the language of the speech stand before each window's text, so that the
    /// model writes full stops. Only languages and models that gain have some. On by default.
    pub style_prompts: bool,
    /// An ONNX file with another speaker embedding. Its description ([`crate::speakers::FrontEnd`])
    /// is the `.json` file of the same name beside it. `None` for the engine's own embedding.
    pub speaker_embedding: Option<PathBuf>,
    /// Resource limits for decoding a media file.
    pub limits: media::Limits,
    /// Run everything in a process of its own; `None`: in this one.
    #[serde(skip)]
    pub isolation: Option<Isolation>,
}

impl EngineConfig {
    /// The default models in `models_dir`, with as many threads as the machine has cores.
    #[must_use]
    pub fn new(models_dir: PathBuf) -> Self {
        Self {
            models_dir,
            full_model: "base-q8_0".to_owned(),
            lite_model: "tiny.en-q8_0".to_owned(),
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            gpu: Some(0),
            decoding: Decoding::default(),
            style_prompts: true,
            speaker_embedding: None,
            limits: media::Limits::default(),
            isolation: None,
        }
    }

    /// The id of the model that is used for this mode.
    #[must_use]
    pub fn model_for(&self, mode: TranscriptionType) -> &str {
        match mode {
            TranscriptionType::Full => &self.full_model,
            TranscriptionType::Lite => &self.lite_model,
        }
    }
}
