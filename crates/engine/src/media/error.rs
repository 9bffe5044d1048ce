//! Why a media file cannot be used, in machine-readable form.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::damage;

/// Why no audio can be read from a media file.
///
/// [`MediaError::code`] and [`MediaError::params`] are stable and feed the texts of the web
/// application; `Display` is the sentence of the command line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, thiserror::Error)]
pub enum MediaError {
    /// The file has no bytes.
    #[error("the file is empty (0 bytes)")]
    EmptyFile,
    /// Not one of the supported formats.
    #[error(
        "unsupported format: {found} (supported: mp3, wav, m4a, flac, ogg, webm, mp4, avi, mov, mkv)"
    )]
    UnsupportedFormat {
        /// The format found: a short stable name, or `unknown`.
        found: String,
    },
    /// One of the ten formats, but damaged.
    #[error("the file is damaged: {what}")]
    Damaged {
        /// What is wrong, in a few English words from a decoder or from a reader here.
        what: String,
    },
    /// Readable, but without an audio track.
    #[error("the file has no audio track ({container})")]
    NoAudioTrack {
        /// The container.
        container: String,
    },
    /// The requested audio track does not exist.
    #[error("there is no audio track {track}: the file has {tracks}")]
    NoSuchTrack {
        /// The requested track, from 0.
        track: usize,
        /// How many there are.
        tracks: usize,
    },
    /// There is a header but no audio sample.
    #[error("the file holds a header and no sound")]
    NoSamples,
    /// The container is readable, but its codec is not supported.
    #[error("unsupported audio codec: {codec}")]
    UnsupportedCodec {
        /// The codec's name.
        codec: String,
    },
    /// A sample rate outside [`super::Limits`].
    #[error("impossible sample rate: {rate} Hz")]
    BadSampleRate {
        /// The rate in Hz.
        rate: u32,
    },
    /// A channel count of 0 or above the limit.
    #[error("impossible number of channels: {channels}")]
    BadChannels {
        /// The count.
        channels: usize,
    },
    /// More decoded audio than [`super::Limits::max_seconds`].
    #[error("the recording is longer than the limit of {} minutes", (limit_seconds / 60.0).round())]
    TooLong {
        /// The limit in seconds.
        limit_seconds: f64,
    },
    /// Decoding takes far more CPU time than any valid file needs.
    #[error("the file takes too long to decode: it is damaged or made to do so")]
    TooSlow,
    /// The external decoder that this codec needs is not installed.
    #[error("this file needs {program}, which is not installed")]
    DecoderMissing {
        /// The program.
        program: String,
    },
    /// The operating system returned an error.
    #[error("the file cannot be read: {what}")]
    Io {
        /// The system's message.
        what: String,
    },
}

impl MediaError {
    /// A stable `snake_case` code.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::EmptyFile => "empty_file",
            Self::UnsupportedFormat { .. } => "unsupported_format",
            Self::Damaged { .. } => "damaged",
            Self::NoAudioTrack { .. } => "no_audio_track",
            Self::NoSuchTrack { .. } => "no_such_track",
            Self::NoSamples => "no_samples",
            Self::UnsupportedCodec { .. } => "unsupported_codec",
            Self::BadSampleRate { .. } => "bad_sample_rate",
            Self::BadChannels { .. } => "bad_channels",
            Self::TooLong { .. } => "too_long",
            Self::TooSlow => "too_slow",
            Self::DecoderMissing { .. } => "decoder_missing",
            Self::Io { .. } => "unreadable",
        }
    }

    /// The parameters of the code's message, by name. The damage of a file is a code of
    /// `slovo_rules::codes::DAMAGES`; messages of decoders and of the system are only logged.
    #[must_use]
    pub fn params(&self) -> BTreeMap<String, Value> {
        let pairs: Vec<(&str, Value)> = match self {
            Self::UnsupportedFormat { found } => vec![("found", found.as_str().into())],
            Self::Damaged { what } => vec![("what", damage::code_of(what).into())],
            Self::NoAudioTrack { container } => vec![("container", container.as_str().into())],
            Self::NoSuchTrack { track, tracks } => {
                vec![("track", (*track).into()), ("tracks", (*tracks).into())]
            }
            Self::UnsupportedCodec { codec } => vec![("codec", codec.as_str().into())],
            Self::BadSampleRate { rate } => vec![("rate", (*rate).into())],
            Self::BadChannels { channels } => vec![("channels", (*channels).into())],
            Self::TooLong { limit_seconds } => vec![("limit_seconds", (*limit_seconds).into())],
            Self::DecoderMissing { program } => vec![("program", program.as_str().into())],
            Self::EmptyFile | Self::NoSamples | Self::TooSlow | Self::Io { .. } => Vec::new(),
        };
        pairs
            .into_iter()
            .map(|(key, value)| (key.to_owned(), value))
            .collect()
    }

    pub(super) fn damaged(what: impl Into<String>) -> Self {
        Self::Damaged { what: what.into() }
    }

    pub(super) fn io(error: &std::io::Error) -> Self {
        Self::Io {
            what: error.to_string(),
        }
    }
}
