//! Voice activity detection: the speech probability of each frame of a stream of any length.
//!
//! whisper.cpp's silero resets its state at every call, so the stream is cut into pieces at fixed
//! positions, each preceded by audio that only warms up the state. The result does not depend on
//! the size of the input blocks, and memory is one piece.

use std::path::Path;

use whisper_rs::{WhisperVadContext, WhisperVadContextParams};

use crate::level;

/// Sample rate everywhere in the engine, in Hz.
pub(crate) const SAMPLE_RATE: usize = 16_000;

/// Converts a number of samples to seconds.
pub(crate) fn seconds(samples: u64) -> f64 {
    samples as f64 / SAMPLE_RATE as f64
}

/// Samples of one frame: silero's window, 32 ms.
pub(crate) const FRAME: usize = 512;

/// Frames of a piece, 8 s: long enough that warming up costs little, short enough that the first
/// text comes soon.
const PIECE_FRAMES: usize = 250;

/// Frames of the preceding piece that are processed again, 0.96 s, so that the model has the state
/// of running audio when the piece begins.
const WARM_UP_FRAMES: usize = 30;

/// A piece that never exceeds this level (-80 dB) is skipped as silence.
const NOTHING: f32 = 1e-4;

/// Rates frames. Implemented by [`Silero`] and, in unit tests, by a formula.
pub(crate) trait SpeechModel {
    /// One probability per frame of `samples`, whose last frame may be short.
    fn rate(&mut self, samples: &[f32]) -> Result<Vec<f32>, String>;
}

/// Silero as whisper.cpp runs it.
pub(crate) struct Silero(WhisperVadContext);

impl Silero {
    /// Loads the model; about 1 MB and some milliseconds.
    pub(crate) fn load(path: &Path) -> Result<Self, String> {
        let path = path.to_str().ok_or("the path is not UTF-8")?;
        let mut params = WhisperVadContextParams::new();
        params.set_n_threads(1);
        WhisperVadContext::new(path, params)
            .map(Self)
            .map_err(|error| error.to_string())
    }
}

impl SpeechModel for Silero {
    fn rate(&mut self, samples: &[f32]) -> Result<Vec<f32>, String> {
        self.0
            .detect_speech(samples)
            .map_err(|error| error.to_string())?;
        Ok(self.0.probabilities().to_vec())
    }
}

/// Turns a stream of samples into a stream of speech probabilities.
pub(crate) struct SpeechRater<M> {
    model: M,
    /// Warm-up audio followed by audio that is not rated yet.
    buffered: Vec<f32>,
    /// Number of samples at the start of `buffered` that are warm-up.
    warm_up: usize,
}

impl<M: SpeechModel> SpeechRater<M> {
    pub(crate) fn new(model: M) -> Self {
        // The first piece is preceded by silence, or the model would miss a word with which the
        // recording begins.
        let mut buffered = Vec::with_capacity((PIECE_FRAMES + WARM_UP_FRAMES) * FRAME);
        buffered.resize(WARM_UP_FRAMES * FRAME, 0.0);
        Self {
            model,
            buffered,
            warm_up: WARM_UP_FRAMES * FRAME,
        }
    }

    /// Adds samples and returns the probabilities of the frames that can now be rated.
    pub(crate) fn push(&mut self, mut samples: &[f32]) -> Result<Vec<f32>, String> {
        let mut rated = Vec::new();
        while !samples.is_empty() {
            let needed = self.warm_up + PIECE_FRAMES * FRAME - self.buffered.len();
            let (now, later) = samples.split_at(needed.min(samples.len()));
            self.buffered.extend_from_slice(now);
            samples = later;
            if self.buffered.len() == self.warm_up + PIECE_FRAMES * FRAME {
                rated.extend(self.rate_buffer()?);
                let processed = self.buffered.len() - WARM_UP_FRAMES * FRAME;
                self.buffered.drain(..processed);
                self.warm_up = WARM_UP_FRAMES * FRAME;
            }
        }
        Ok(rated)
    }

    /// Rates the rest at the end of the stream; its last frame may be short.
    pub(crate) fn finish(&mut self) -> Result<Vec<f32>, String> {
        if self.buffered.len() == self.warm_up {
            return Ok(Vec::new());
        }
        self.rate_buffer()
    }

    fn rate_buffer(&mut self) -> Result<Vec<f32>, String> {
        if self.buffered.iter().all(|sample| sample.abs() < NOTHING) {
            let frames = self.buffered.len() - self.warm_up;
            return Ok(vec![0.0; frames.div_ceil(FRAME)]);
        }
        let gain = level::gain_for_detection(&self.buffered);
        let mut rated = if gain > 1.0 {
            let louder: Vec<f32> = self.buffered.iter().map(|sample| sample * gain).collect();
            self.model.rate(&louder)?
        } else {
            self.model.rate(&self.buffered)?
        };
        rated.drain(..(self.warm_up / FRAME).min(rated.len()));
        Ok(rated)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rates a frame by its mean, so that each frame is distinguishable in tests.
    struct MeanRater;

    impl SpeechModel for MeanRater {
        fn rate(&mut self, samples: &[f32]) -> Result<Vec<f32>, String> {
            Ok(samples
                .chunks(FRAME)
                .map(|frame| frame.iter().sum::<f32>() / frame.len() as f32)
                .collect())
        }
    }

    fn ramp(frames: usize, extra: usize) -> Vec<f32> {
        (0..frames * FRAME + extra)
            .map(|index| ((index / FRAME) % 97) as f32 / 97.0 + 0.2)
            .collect()
    }

    fn rate_in_blocks(samples: &[f32], block: usize) -> Vec<f32> {
        let mut rater = SpeechRater::new(MeanRater);
        let mut rated = Vec::new();
        for block in samples.chunks(block) {
            rated.extend(rater.push(block).expect("the formula cannot fail"));
        }
        rated.extend(rater.finish().expect("the formula cannot fail"));
        rated
    }

    #[test]
    fn every_frame_is_rated_once_for_any_block_size() {
        let samples = ramp(777, 100);
        let at_once = rate_in_blocks(&samples, samples.len());
        assert_eq!(at_once.len(), 778);
        for (frame, probability) in at_once.iter().enumerate() {
            let expected = (frame % 97) as f32 / 97.0 + 0.2;
            assert!((probability - expected).abs() < 1e-3, "frame {frame}");
        }
        for block in [1_000, 16_000, FRAME, PIECE_FRAMES * FRAME] {
            assert_eq!(
                rate_in_blocks(&samples, block),
                at_once,
                "blocks of {block}"
            );
        }
    }

    #[test]
    fn digital_silence_is_not_passed_to_the_model() {
        struct FailingRater;
        impl SpeechModel for FailingRater {
            fn rate(&mut self, _: &[f32]) -> Result<Vec<f32>, String> {
                Err("asked".to_owned())
            }
        }
        let mut rater = SpeechRater::new(FailingRater);
        let mut rated = rater.push(&vec![0.0; 1000 * FRAME]).expect("not asked");
        rated.extend(rater.finish().expect("not asked"));
        assert_eq!(rated, vec![0.0; 1000]);
    }

    #[test]
    fn the_buffer_never_exceeds_one_piece() {
        let mut rater = SpeechRater::new(MeanRater);
        for _ in 0..100 {
            rater.push(&ramp(100, 0)).expect("the formula cannot fail");
            assert!(rater.buffered.len() <= (PIECE_FRAMES + WARM_UP_FRAMES) * FRAME);
        }
    }

    #[test]
    fn an_empty_stream_has_no_frames() {
        let mut rater = SpeechRater::new(MeanRater);
        assert_eq!(rater.finish(), Ok(Vec::new()));
    }
}
