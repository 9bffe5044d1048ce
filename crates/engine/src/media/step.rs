//! What a decoder gives to the pipeline, whichever decoder it is.

use super::MediaError;
use super::mix::Mix;

/// Decoded frames of one packet.
pub(super) struct Frames {
    /// Interleaved samples, full scale at 1.
    pub(super) samples: Vec<f32>,
    /// Sample rate in Hz.
    pub(super) rate: u32,
    /// The channels, as the weights of their sum.
    pub(super) mix: Mix,
    /// When the first frame is heard, in seconds of the presentation; may be negative for
    /// an encoder's delay. `None`: right after what came before.
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

/// What one step of a decoder came to.
#[derive(Debug, PartialEq)]
pub(super) enum Step {
    /// Frames were decoded.
    Frames,
    /// A packet that is not ours, or has no sound in it.
    Idle,
    /// A packet of ours that does not decode; the next one may.
    Bad,
    /// The end of the sound.
    End,
    /// The rest cannot be read, with the reason in a few English words.
    Broken(String),
}

/// A source of decoded frames. Dropping it ends all it has started.
pub(super) trait Decoder: Send {
    /// Goes one packet further. An error means that nothing can be said of the file.
    fn step(&mut self, frames: &mut Frames) -> Result<Step, MediaError>;
}
