//! Log mel features as NeMo computes them for its Conformer models.

use std::sync::Arc;

use slovo_signal::{Complex, RealToComplex, forward_f32};

use crate::SAMPLE_RATE;

/// Samples from one frame to the next: 10 ms.
pub const HOP: usize = 160;

/// Points of the Fourier transform.
const FFT: usize = 512;

/// Samples under the window function: 25 ms, in the middle of the transform.
const WINDOW: usize = 400;

/// Pre-emphasis: this share of the sample before is subtracted from each.
const PREEMPHASIS: f32 = 0.97;

/// Added to every energy before its logarithm.
const LOG_GUARD: f32 = 1.0 / (1 << 24) as f32;

/// Added to every standard deviation.
const DEVIATION_GUARD: f64 = 1e-5;

/// Features of one window: `bands` rows of `frames` values each.
#[derive(Clone, Debug, PartialEq)]
pub struct Features {
    /// Values by band, then by frame.
    pub values: Vec<f32>,
    /// Frames in each row, one more than `valid`: the last one has zeros only.
    pub frames: usize,
    /// Frames that belong to the audio.
    pub valid: usize,
}

/// Computes features for a number of mel bands.
pub struct FeatureExtractor {
    bands: Vec<Band>,
    window: Vec<f32>,
    fft: Arc<dyn RealToComplex<f32>>,
}

/// Weights of neighbouring frequency bins; all others weigh nothing.
struct Band {
    first: usize,
    weights: Vec<f32>,
}

impl FeatureExtractor {
    /// An extractor for `bands` mel bands from 0 to 8000 Hz.
    #[must_use]
    pub fn new(bands: usize) -> Self {
        let mut window = vec![0.0; FFT];
        let offset = (FFT - WINDOW) / 2;
        for (place, value) in window[offset..offset + WINDOW].iter_mut().enumerate() {
            // The symmetric form of the Hann window, whose last value is zero again.
            let angle = std::f64::consts::TAU * place as f64 / (WINDOW - 1) as f64;
            *value = (0.5 - 0.5 * angle.cos()) as f32;
        }
        Self {
            bands: mel_bands(bands),
            window,
            fft: forward_f32(FFT),
        }
    }

    /// The number of mel bands.
    #[must_use]
    pub fn bands(&self) -> usize {
        self.bands.len()
    }

    /// The features of 16 kHz audio with values from -1 to 1. Less than two frames (20 ms) give
    /// zeros, since a deviation needs two values.
    #[must_use]
    pub fn extract(&self, samples: &[f32]) -> Features {
        let valid = samples.len() / HOP;
        let frames = valid + 1;
        let mut values = vec![0.0; self.bands.len() * frames];
        if valid < 2 {
            return Features {
                values,
                frames,
                valid,
            };
        }
        let padded = emphasised(samples);
        let mut input = self.fft.make_input_vec();
        let mut spectrum = self.fft.make_output_vec();
        let mut scratch = self.fft.make_scratch_vec();
        let mut energies = vec![0.0_f32; spectrum.len()];
        for frame in 0..valid {
            let part = &padded[frame * HOP..frame * HOP + FFT];
            for ((value, sample), weight) in input.iter_mut().zip(part).zip(&self.window) {
                *value = sample * weight;
            }
            self.fft
                .process_with_scratch(&mut input, &mut spectrum, &mut scratch)
                .expect("the buffers were made for this transform");
            for (energy, bin) in energies.iter_mut().zip(&spectrum) {
                *energy = Complex::norm_sqr(bin);
            }
            for (row, band) in self.bands.iter().enumerate() {
                values[row * frames + frame] = (band.energy(&energies) + LOG_GUARD).ln();
            }
        }
        for row in values.chunks_exact_mut(frames) {
            normalise(&mut row[..valid]);
        }
        Features {
            values,
            frames,
            valid,
        }
    }
}

impl Band {
    fn energy(&self, energies: &[f32]) -> f32 {
        let part = &energies[self.first..self.first + self.weights.len()];
        part.iter().zip(&self.weights).map(|(a, b)| a * b).sum()
    }
}

/// The audio after pre-emphasis, with half a transform of silence before and after it.
fn emphasised(samples: &[f32]) -> Vec<f32> {
    let mut padded = vec![0.0; samples.len() + FFT];
    let mut before = 0.0;
    for (value, sample) in padded[FFT / 2..].iter_mut().zip(samples) {
        *value = sample - PREEMPHASIS * before;
        before = *sample;
    }
    padded
}

/// Gives a row a mean of 0 and a deviation of 1.
fn normalise(row: &mut [f32]) {
    let count = row.len() as f64;
    let mean = row.iter().map(|value| f64::from(*value)).sum::<f64>() / count;
    let squares: f64 = row
        .iter()
        .map(|value| (f64::from(*value) - mean).powi(2))
        .sum();
    let deviation = (squares / (count - 1.0)).sqrt() + DEVIATION_GUARD;
    for value in row {
        *value = ((f64::from(*value) - mean) / deviation) as f32;
    }
}

/// Triangles of equal area, evenly spaced on Slaney's mel scale.
fn mel_bands(count: usize) -> Vec<Band> {
    let top = mel_of(SAMPLE_RATE as f64 / 2.0);
    let edges: Vec<f64> = (0..count + 2)
        .map(|place| frequency_of(top * place as f64 / (count + 1) as f64))
        .collect();
    edges
        .windows(3)
        .map(|edge| triangle(edge[0], edge[1], edge[2]))
        .collect()
}

fn triangle(low: f64, middle: f64, high: f64) -> Band {
    let bin_width = SAMPLE_RATE as f64 / FFT as f64;
    let weights: Vec<f32> = (0..=FFT / 2)
        .map(|bin| {
            let frequency = bin as f64 * bin_width;
            let rising = (frequency - low) / (middle - low);
            let falling = (high - frequency) / (high - middle);
            (rising.min(falling).max(0.0) * 2.0 / (high - low)) as f32
        })
        .collect();
    let first = weights.iter().position(|weight| *weight > 0.0);
    let last = weights.iter().rposition(|weight| *weight > 0.0);
    match first.zip(last) {
        Some((first, last)) => Band {
            first,
            weights: weights[first..=last].to_vec(),
        },
        // Narrower than a bin.
        None => Band {
            first: 0,
            weights: Vec::new(),
        },
    }
}

/// Mels per hertz below 1000 Hz.
const LINEAR_STEP: f64 = 200.0 / 3.0;

/// Growth per mel above 1000 Hz, as a natural logarithm.
fn log_step() -> f64 {
    6.4_f64.ln() / 27.0
}

fn mel_of(frequency: f64) -> f64 {
    if frequency < 1000.0 {
        frequency / LINEAR_STEP
    } else {
        1000.0 / LINEAR_STEP + (frequency / 1000.0).ln() / log_step()
    }
}

fn frequency_of(mel: f64) -> f64 {
    let border = 1000.0 / LINEAR_STEP;
    if mel < border {
        mel * LINEAR_STEP
    } else {
        1000.0 * ((mel - border) * log_step()).exp()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn very_short_audio_has_no_numbers_that_are_none() {
        let extractor = FeatureExtractor::new(80);
        for length in [0, 1, 159, 160, 319, 320, 480] {
            let features = extractor.extract(&vec![0.5; length]);
            assert_eq!(features.valid, length / HOP);
            assert_eq!(features.frames, features.valid + 1);
            assert_eq!(features.values.len(), 80 * features.frames);
            assert!(features.values.iter().all(|value| value.is_finite()));
        }
    }

    #[test]
    fn rows_are_normalised_and_the_last_frame_is_empty() {
        let samples: Vec<f32> = (0..16_000).map(|n| (n as f32 * 0.3).sin() * 0.4).collect();
        let features = FeatureExtractor::new(128).extract(&samples);
        for row in features.values.chunks_exact(features.frames) {
            let mean = row.iter().sum::<f32>() / features.valid as f32;
            assert!(mean.abs() < 1e-3, "{mean}");
            assert_eq!(row[features.valid], 0.0);
        }
    }

    #[test]
    fn mels_and_frequencies_are_inverse() {
        for frequency in [0.0, 440.0, 999.0, 1000.0, 3000.0, 8000.0] {
            assert!((frequency_of(mel_of(frequency)) - frequency).abs() < 1e-6);
        }
    }
}
