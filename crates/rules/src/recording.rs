//! Recording from the microphone.

use serde::{Deserialize, Serialize};

/// Sample rate requested from the microphone, in hertz.
pub const SAMPLE_RATE: u32 = 44_100;
/// Interval of the timer, in milliseconds.
pub const TIMER_TICK_MS: u32 = 1000;

/// Constraints for the microphone, as in `getUserMedia`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
pub struct RecordingConstraints {
    /// Echo cancellation.
    pub echo_cancellation: bool,
    /// Noise suppression.
    pub noise_suppression: bool,
    /// In hertz.
    pub sample_rate: u32,
}

/// The constraints of a recording.
pub const CONSTRAINTS: RecordingConstraints = RecordingConstraints {
    echo_cancellation: true,
    noise_suppression: true,
    sample_rate: SAMPLE_RATE,
};

/// The timer's `mm:ss`; minutes continue above 59. Non-finite values are displayed as zero.
#[must_use]
pub fn timer(seconds: f64) -> String {
    // The cast saturates, and NaN becomes 0.
    let seconds = seconds as u64;
    format!("{:02}:{:02}", seconds / 60, seconds % 60)
}
