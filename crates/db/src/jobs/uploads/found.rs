//! What is found in a file, and what is wrong with it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What is wrong with a file or a job, as data: the text comes from the locale files by code.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Fault {
    /// Stable `snake_case` code.
    pub code: String,
    /// What the code's text names, by parameter.
    #[serde(default)]
    pub params: BTreeMap<String, Value>,
}

impl Fault {
    /// A fault whose text names nothing.
    #[must_use]
    pub fn new(code: &str) -> Self {
        Self {
            code: code.to_owned(),
            params: BTreeMap::new(),
        }
    }
}

/// What was found in a complete file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Media {
    /// The container, for example `mp4`.
    pub container: String,
    /// The audio codec, for example `aac`.
    pub codec: String,
    /// Seconds, as the file says; `None` where it does not.
    pub duration: Option<f64>,
    /// Audio tracks.
    pub tracks: u32,
    /// Channels of the track that is taken when nobody chooses one.
    pub channels: u32,
    /// Whether there are pictures to see.
    pub has_video: bool,
    /// The audio tracks one by one; none in what was stored before they were kept.
    #[serde(default)]
    pub audio_tracks: Vec<AudioTrack>,
}

/// One audio track of a file, as its header describes it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AudioTrack {
    /// Place among the audio tracks, from 0.
    pub index: u32,
    /// Codec, lower case.
    pub codec: String,
    /// Language tag as the file has it, for example `uk` or `ukr`.
    pub language: Option<String>,
    /// The name that the file gives it, cleaned for display.
    pub title: Option<String>,
    /// Channels, 0 where unknown.
    pub channels: u32,
    /// Hz, 0 where unknown.
    pub sample_rate: u32,
    /// Whether the file marks it as one to play.
    pub default: bool,
}
