//! The waveform of a recording: its peak level per stretch of time.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::cancel::CancelToken;
use crate::error::EngineError;
use crate::media::{self, Limits, SAMPLE_RATE};

/// The most stretches: no screen shows more points.
pub const MAX_PEAKS: usize = 2000;
/// Initial samples per stretch: a hundredth of a second.
const FIRST_STRETCH: usize = 160;
/// A recording whose peak is below this fraction of full scale is silence and drawn flat.
const SILENCE: f32 = 0.001;

/// What a recording looks like.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Waveform {
    /// Length of the audio in seconds.
    pub seconds: f64,
    /// See [`Peaks`].
    pub peaks: Vec<u8>,
}

/// Decodes a recording for its waveform. `audio_track` is from 0; `None` is the file's default track.
pub(crate) fn waveform(
    input: &Path,
    audio_track: Option<usize>,
    limits: &Limits,
    cancel: &CancelToken,
) -> Result<Waveform, EngineError> {
    let mut pcm = media::open(input, audio_track, limits)?;
    let mut peaks = Peaks::default();
    let mut samples: u64 = 0;
    while let Some(block) = pcm.next_block()? {
        if cancel.is_cancelled() {
            return Err(EngineError::Cancelled);
        }
        peaks.push(&block.samples);
        samples += block.samples.len() as u64;
    }
    Ok(Waveform {
        seconds: samples as f64 / f64::from(SAMPLE_RATE),
        peaks: peaks.finish(),
    })
}

/// Computes the peaks of a stream without keeping it. The length need not be known in advance: when
/// there are too many stretches, neighbouring ones are merged.
#[derive(Clone, Debug)]
pub struct Peaks {
    done: Vec<f32>,
    stretch: usize,
    current: f32,
    consumed: usize,
}

impl Default for Peaks {
    fn default() -> Self {
        Self {
            done: Vec::with_capacity(MAX_PEAKS),
            stretch: FIRST_STRETCH,
            current: 0.0,
            consumed: 0,
        }
    }
}

impl Peaks {
    /// Adds the next samples.
    pub fn push(&mut self, samples: &[f32]) {
        let mut rest = samples;
        while !rest.is_empty() {
            let (now, later) = rest.split_at(rest.len().min(self.stretch - self.consumed));
            // Samples that are not a number are ignored.
            self.current = now
                .iter()
                .fold(self.current, |peak, sample| peak.max(sample.abs()));
            self.consumed += now.len();
            rest = later;
            if self.consumed == self.stretch {
                self.close();
            }
        }
    }

    fn close(&mut self) {
        if self.done.len() == MAX_PEAKS {
            let pairs = self.done.chunks(2);
            self.done = pairs.map(loudest).collect();
            // The stretch that ends here is the first half of a new, longer one.
            self.stretch *= 2;
            return;
        }
        self.done.push(self.current);
        self.current = 0.0;
        self.consumed = 0;
    }

    /// The maximum of two waveforms of the same time, point by point.
    #[must_use]
    pub fn pointwise_max(mut self, mut other: Self) -> Self {
        self.end();
        other.end();
        if self.stretch < other.stretch {
            std::mem::swap(&mut self, &mut other);
        }
        let step = self.stretch / other.stretch;
        let others = other.done.chunks(step).map(loudest);
        for (at, peak) in others.enumerate() {
            match self.done.get_mut(at) {
                Some(own) => *own = own.max(peak),
                None => self.done.push(peak),
            }
        }
        self
    }

    /// Ends the last stretch, which may be a short one.
    fn end(&mut self) {
        if self.consumed > 0 && self.done.len() < MAX_PEAKS {
            self.done.push(self.current);
        }
        self.current = 0.0;
        self.consumed = 0;
    }

    /// The peak of each stretch, at most [`MAX_PEAKS`]; 255 is the highest of all.
    #[must_use]
    pub fn finish(mut self) -> Vec<u8> {
        self.end();
        let top = loudest(&self.done);
        if top < SILENCE {
            return vec![0; self.done.len()];
        }
        let peaks = self.done.iter().map(|peak| peak / top * 255.0);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "0 to 255"
        )]
        peaks.map(|peak| peak.round() as u8).collect()
    }
}

fn loudest(values: &[f32]) -> f32 {
    values.iter().copied().fold(0.0, f32::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Peaks of `seconds` of silence with one click at `at`, pushed in blocks of uneven length.
    fn click(seconds: usize, at: f64) -> Vec<u8> {
        let mut samples = vec![0.0; seconds * 16_000];
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a place"
        )]
        let place = (at * 16_000.0) as usize;
        samples[place] = -0.5;
        let mut peaks = Peaks::default();
        for piece in samples.chunks(997) {
            peaks.push(piece);
        }
        peaks.finish()
    }

    #[test]
    fn a_click_keeps_its_relative_position_at_any_length() {
        for seconds in [1, 19, 20, 21, 40, 41, 333] {
            let at = f64::from(u32::try_from(seconds).unwrap()) * 0.75;
            let peaks = click(seconds, at);
            assert!(peaks.len() <= MAX_PEAKS, "{seconds}: {}", peaks.len());
            assert!(peaks.len() >= 100, "{seconds}: {}", peaks.len());
            let loud: Vec<usize> = (0..peaks.len()).filter(|&n| peaks[n] > 0).collect();
            assert_eq!(loud.len(), 1, "{seconds}");
            let share = loud[0] as f64 / peaks.len() as f64;
            assert!((share - 0.75).abs() < 0.01, "{seconds}: {share}");
            assert_eq!(peaks[loud[0]], 255);
        }
    }

    #[test]
    fn combining_two_recordings_keeps_the_louder_peaks() {
        let mut first = Peaks::default();
        let mut second = Peaks::default();
        let click = |at: usize, length: usize| {
            let mut samples = vec![0.0; length * 16_000];
            samples[at * 16_000] = 0.5;
            samples
        };
        first.push(&click(10, 30));
        second.push(&click(5, 15));
        let peaks = first.clone().pointwise_max(second.clone()).finish();
        assert_eq!(peaks, second.pointwise_max(first).finish());
        let loud: Vec<usize> = (0..peaks.len()).filter(|&n| peaks[n] > 0).collect();
        assert_eq!(loud, [250, 500], "{}", peaks.len());
    }

    #[test]
    fn silence_and_invalid_samples_give_flat_peaks() {
        let mut peaks = Peaks::default();
        peaks.push(&[0.0005, f32::NAN, -0.0002]);
        assert_eq!(peaks.finish(), [0]);
        assert!(Peaks::default().finish().is_empty());
    }
}
