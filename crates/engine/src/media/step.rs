//! The interface between a decoder and the pipeline.

use super::MediaError;
use super::mix::Mix;

/// Decoded frames of one packet.
pub(super) struct Frames {
    /// Interleaved samples, full scale at 1.
    pub(super) samples: Vec<f32>,
    /// Sample rate in Hz.
    pub(super) rate: u32,
    /// The weights with which the channels are mixed.
    pub(super) mix: Mix,
    /// Presentation time of the first frame in seconds; may be negative for encoder delay. `None`:
    /// directly after the frames before.
    pub(super) time: Option<f64>,
}

impl Frames {
    pub(super) fn new() -> Self {
        Self {
            samples: Vec::new(),
            rate: 0,
            mix: Mix::even(1),
            time: None,
        }
    }
}

/// The result of one step of a decoder.
#[derive(Debug, PartialEq)]
pub(super) enum Step {
    /// Frames were decoded.
    Frames,
    /// A packet of another track, or one without audio.
    Idle,
    /// A packet of this track that cannot be decoded; the next one may succeed.
    Bad,
    /// The end of the audio.
    End,
    /// The rest cannot be read, with the reason in a few English words.
    Broken(String),
}

/// A source of decoded frames. Dropping it ends any process it has started.
pub(super) trait Decoder: Send {
    /// Processes one more packet. An error does not describe the file.
    fn step(&mut self, frames: &mut Frames) -> Result<Step, MediaError>;
}
