//! What a recording contains, and faults of files and jobs.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A fault of a file or a job: a code, whose text is in the locale files.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Fault {
    /// Stable `snake_case` code.
    pub code: String,
    /// Parameters of the code's text.
    #[serde(default)]
    pub params: BTreeMap<String, Value>,
}

impl Fault {
    /// A fault without parameters.
    #[must_use]
    pub fn new(code: &str) -> Self {
        Self {
            code: code.to_owned(),
            params: BTreeMap::new(),
        }
    }
}

/// Contents of a complete file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Media {
    /// The container, for example `mp4`.
    pub container: String,
    /// The audio codec, for example `aac`.
    pub codec: String,
    /// Seconds according to the file; `None` if it does not say.
    pub duration: Option<f64>,
    /// Number of audio tracks.
    pub tracks: u32,
    /// Channels of the default track.
    pub channels: u32,
    /// Whether it has a video track.
    pub has_video: bool,
    /// The audio tracks; empty in rows stored before this field existed.
    #[serde(default)]
    pub audio_tracks: Vec<AudioTrack>,
}

/// An audio track, as described by the file's header.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AudioTrack {
    /// Index among the audio tracks, from 0.
    pub index: u32,
    /// Codec, lower case.
    pub codec: String,
    /// Language tag from the file, for example `uk` or `ukr`.
    pub language: Option<String>,
    /// Title from the file, cleaned for display.
    pub title: Option<String>,
    /// Channels, 0 if unknown.
    pub channels: u32,
    /// Hz, 0 if unknown.
    pub sample_rate: u32,
    /// Whether the file marks it as a default track.
    pub default: bool,
}
