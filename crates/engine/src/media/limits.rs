//! Resource limits for reading hostile files.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// Limits for reading a media file. No genuine recording reaches the defaults. A file that exceeds
/// one is refused with a [`super::MediaError`] or, if some audio was already read, ends there with
/// a warning.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Limits {
    /// Longest recording in seconds of decoded audio. Default 12 h, within the range that sample
    /// counters and checkpoints were tested for.
    pub max_seconds: f64,
    /// Lowest sample rate in Hz. Default 4000: half of telephone speech.
    pub min_rate: u32,
    /// Highest sample rate in Hz. Default 384,000, the highest of available converters.
    pub max_rate: u32,
    /// Most channels in one track. Default 32.
    pub max_channels: usize,
    /// Most tracks in one file. Default 64.
    pub max_tracks: usize,
    /// Consecutive packets that fail to decode before the rest counts as damaged. Default 500
    /// (about 10 s of audio).
    pub max_bad_packets: u32,
    /// Bytes that may be read to open a file or to reach its next packet; this bounds the memory of
    /// one step. Default 64 MiB, four times the largest video frames met in practice.
    pub max_step_bytes: u64,
    /// CPU seconds that decoding may take beyond [`Limits::max_cpu_per_second`] for each decoded
    /// second. Default 60.
    pub max_cpu_seconds: f64,
    /// CPU seconds allowed for each decoded second. Default 0.5, a hundred times what the slowest
    /// decoder needs.
    pub max_cpu_per_second: f64,
    /// How long the external decoder may give no output. Default 60 s.
    pub max_silence: Duration,
    /// Address space of the external decoder in bytes. Default 2 GiB (its libraries alone take 0.5
    /// GiB).
    pub max_decoder_memory: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_seconds: 12.0 * 3600.0,
            min_rate: 4_000,
            max_rate: 384_000,
            max_channels: 32,
            max_tracks: 64,
            max_bad_packets: 500,
            max_step_bytes: 64 << 20,
            max_cpu_seconds: 60.0,
            max_cpu_per_second: 0.5,
            max_silence: Duration::from_secs(60),
            max_decoder_memory: 2 << 30,
        }
    }
}
