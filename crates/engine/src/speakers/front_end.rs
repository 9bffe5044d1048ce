//! The input features of a speaker embedding: a mel filter bank.
//!
//! Models differ in the details, so they are configurable: an external embedding comes with a JSON
//! file that contains a [`FrontEnd`].

use std::f64::consts::TAU;
use std::sync::Arc;

use serde::Deserialize;
use slovo_signal::{RealToComplex, forward_f64};

use crate::vad::SAMPLE_RATE;

/// The description of a speaker embedding: its input features and how to interpret its vectors.
/// Defaults are those of Kaldi's filter banks, which most embeddings use.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FrontEnd {
    /// Sample rate in Hz; only 16000 is supported.
    pub sample_rate: usize,
    /// Number of mel bands, 1 to 256.
    pub bands: usize,
    /// Samples per frame, 2 to 4096.
    pub window: usize,
    /// Samples between the starts of two frames, 1 to 4096.
    pub hop: usize,
    /// Lowest frequency of the bands, in Hz.
    pub low_hz: f64,
    /// Highest frequency of the bands, in Hz; at most half the sample rate.
    pub high_hz: f64,
    /// The window function of a frame.
    pub shape: Shape,
    /// The mel scale of the bands.
    pub mel: Mel,
    /// Pre-emphasis: the share of the previous sample that is subtracted, 0 to 1.
    pub preemphasis: f64,
    /// Whether a frame's mean is subtracted from it.
    pub remove_offset: bool,
    /// Whether the network takes logarithms.
    pub logarithm: bool,
    /// Whether every band's mean over the frames is subtracted.
    pub remove_mean: bool,
    /// Whether the network's input is bands by frames instead of frames by bands.
    pub transposed: bool,
    /// Name of the network's input; `None` for the first one.
    pub input: Option<String>,
    /// The fewest frames that the network accepts; shorter audio is repeated.
    pub least_frames: usize,
    /// The most frames per vector: of longer pieces only the middle is used, for speed.
    pub most_frames: usize,
    /// The cosine of two groups' means above which they are one speaker, -1 to 1.
    pub threshold: f32,
}

/// A window function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Shape {
    /// A Hann window to the power of 0.85, as in Kaldi.
    Povey,
    /// A periodic Hann window.
    Hann,
    /// A Hamming window.
    Hamming,
}

/// A mel scale.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mel {
    /// Triangles on the mel scale, all of height one.
    Kaldi,
    /// Slaney's: linear up to 1 kHz, triangles of equal area.
    Slaney,
}

impl Default for FrontEnd {
    fn default() -> Self {
        Self {
            sample_rate: SAMPLE_RATE,
            bands: 80,
            window: 400,
            hop: 160,
            low_hz: 20.0,
            high_hz: 8_000.0,
            shape: Shape::Povey,
            mel: Mel::Kaldi,
            preemphasis: 0.97,
            remove_offset: true,
            logarithm: true,
            remove_mean: true,
            transposed: false,
            input: None,
            least_frames: 50,
            most_frames: 128,
            threshold: super::THRESHOLD,
        }
    }
}

impl FrontEnd {
    /// Reads the description of an embedding.
    ///
    /// # Errors
    /// An English message if the JSON is not a valid description or a value is out of range.
    pub fn read(json: &[u8]) -> Result<Self, String> {
        // Only an object: serde would also accept a list of the fields' values.
        let fields: serde_json::Map<String, serde_json::Value> =
            serde_json::from_slice(json).map_err(|error| error.to_string())?;
        let description: Self =
            serde_json::from_value(fields.into()).map_err(|error| error.to_string())?;
        let nyquist = SAMPLE_RATE as f64 / 2.0;
        let is_valid = description.sample_rate == SAMPLE_RATE
            && (1..=256).contains(&description.bands)
            && (2..=4096).contains(&description.window)
            && (1..=4096).contains(&description.hop)
            && description.low_hz >= 0.0
            && description.low_hz < description.high_hz
            && description.high_hz <= nyquist
            && (0.0..=1.0).contains(&description.preemphasis)
            && (1..=10_000).contains(&description.least_frames)
            && (description.least_frames..=10_000).contains(&description.most_frames)
            && (-1.0..=1.0).contains(&description.threshold);
        if is_valid {
            Ok(description)
        } else {
            Err("a number of the description is outside its range".to_owned())
        }
    }
}

/// Computes mel bands as described by a [`FrontEnd`].
pub(super) struct FilterBank {
    description: FrontEnd,
    fft: Arc<dyn RealToComplex<f64>>,
    shape: Vec<f64>,
    /// First bin and weights of each band.
    bands: Vec<(usize, Vec<f64>)>,
}

impl FilterBank {
    pub(super) fn new(description: FrontEnd) -> Self {
        let size = description.window.next_power_of_two();
        let fft = forward_f64(size);
        let length = description.window as f64;
        let shape = (0..description.window)
            .map(|place| {
                let cosine = |length: f64| (TAU * place as f64 / length).cos();
                match description.shape {
                    Shape::Povey => (0.5 - 0.5 * cosine(length - 1.0)).powf(0.85),
                    Shape::Hann => 0.5 - 0.5 * cosine(length),
                    Shape::Hamming => 0.54 - 0.46 * cosine(length - 1.0),
                }
            })
            .collect();
        let bands = bands(&description, size);
        Self {
            description,
            fft,
            shape,
            bands,
        }
    }

    pub(super) const fn description(&self) -> &FrontEnd {
        &self.description
    }

    /// The frames one after the other, one number per band.
    pub(super) fn frames(&self, samples: &[f32]) -> Vec<f32> {
        let FrontEnd { window, hop, .. } = self.description;
        let count = samples.len().saturating_sub(window) / hop + 1;
        let mut input = self.fft.make_input_vec();
        let mut spectrum = self.fft.make_output_vec();
        let mut scratch = self.fft.make_scratch_vec();
        let mut power = vec![0.0; spectrum.len()];
        let mut frames = Vec::with_capacity(count * self.bands.len());
        for start in (0..).step_by(hop).take(count) {
            let Some(frame) = samples.get(start..start + window) else {
                break;
            };
            self.shape_frame(frame, &mut input);
            // Fails only if lengths differ, and all lengths come from the planner.
            let outcome = self
                .fft
                .process_with_scratch(&mut input, &mut spectrum, &mut scratch);
            debug_assert!(outcome.is_ok());
            for (power, bin) in power.iter_mut().zip(&spectrum) {
                *power = bin.norm_sqr();
            }
            frames.extend(self.bands.iter().map(|(first, weights)| {
                let sum: f64 = power[*first..]
                    .iter()
                    .zip(weights)
                    .map(|(power, weight)| power * weight)
                    .sum();
                if self.description.logarithm {
                    sum.max(1e-16).ln() as f32
                } else {
                    sum as f32
                }
            }));
        }
        frames
    }

    fn shape_frame(&self, frame: &[f32], input: &mut [f64]) {
        let mean = if self.description.remove_offset {
            frame.iter().map(|s| f64::from(*s)).sum::<f64>() / frame.len() as f64
        } else {
            0.0
        };
        input.fill(0.0);
        // The first sample is its own predecessor.
        let mut before = f64::from(frame[0]) - mean;
        for ((sample, shape), place) in frame.iter().zip(&self.shape).zip(input) {
            let sample = f64::from(*sample) - mean;
            *place = (sample - self.description.preemphasis * before) * shape;
            before = sample;
        }
    }
}

/// First bin and weights of every band.
fn bands(description: &FrontEnd, size: usize) -> Vec<(usize, Vec<f64>)> {
    let mel = |hz: f64| match description.mel {
        Mel::Kaldi => 1127.0 * (1.0 + hz / 700.0).ln(),
        Mel::Slaney if hz < 1000.0 => hz * 0.015,
        Mel::Slaney => 15.0 + (hz / 1000.0).ln() / (6.4_f64.ln() / 27.0),
    };
    let back = |mel: f64| match description.mel {
        Mel::Kaldi => 700.0 * ((mel / 1127.0).exp() - 1.0),
        Mel::Slaney if mel < 15.0 => mel / 0.015,
        Mel::Slaney => 1000.0 * ((mel - 15.0) * (6.4_f64.ln() / 27.0)).exp(),
    };
    let (low, high) = (mel(description.low_hz), mel(description.high_hz));
    let step = (high - low) / (description.bands + 1) as f64;
    let bin = SAMPLE_RATE as f64 / size as f64;
    (0..description.bands)
        .map(|band| {
            let edge = |number: usize| low + step * number as f64;
            let (left, centre, right) = (edge(band), edge(band + 1), edge(band + 2));
            let weight = |hz: f64| match description.mel {
                Mel::Kaldi => {
                    let mel = mel(hz);
                    ((mel - left) / (centre - left)).min((right - mel) / (right - centre))
                }
                Mel::Slaney => {
                    let (left, centre, right) = (back(left), back(centre), back(right));
                    let height = 2.0 / (right - left);
                    height * ((hz - left) / (centre - left)).min((right - hz) / (right - centre))
                }
            };
            let weights: Vec<f64> = (0..size / 2)
                .map(|place| weight(place as f64 * bin).max(0.0))
                .collect();
            let first = weights.iter().position(|w| *w > 0.0).unwrap_or(0);
            let last = weights
                .iter()
                .rposition(|w| *w > 0.0)
                .map_or(first, |l| l + 1);
            (first, weights[first..last].to_vec())
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tone(hertz: f64) -> Vec<f32> {
        (0..SAMPLE_RATE)
            .map(|i| ((i as f64 / SAMPLE_RATE as f64 * hertz * TAU).sin() * 0.1) as f32)
            .collect()
    }

    #[test]
    fn a_tone_is_in_its_band_and_a_second_has_98_frames() {
        let bank = FilterBank::new(FrontEnd::default());
        for (hertz, expected) in [(300.0, 11), (1000.0, 27), (4000.0, 60)] {
            let frames = bank.frames(&tone(hertz));
            assert_eq!(frames.len(), 98 * 80);
            let loudest = frames[40 * 80..41 * 80].iter().enumerate();
            let (band, _) = loudest.max_by(|a, b| a.1.total_cmp(b.1)).unwrap();
            assert!(band.abs_diff(expected) <= 1, "{hertz} Hz in band {band}");
        }
        assert!(bank.frames(&[0.0; 399]).is_empty());
        assert_eq!(bank.frames(&[0.0; 400]).len(), 80);
    }

    #[test]
    fn valid_descriptions_are_read_and_invalid_ones_are_refused() {
        let description =
            FrontEnd::read(br#"{"bands": 40, "mel": "slaney", "shape": "hann"}"#).unwrap();
        assert_eq!(
            (description.bands, description.mel, description.hop),
            (40, Mel::Slaney, 160)
        );
        for wrong in [
            "{\"bands\": 0}",
            "{\"sample_rate\": 8000}",
            "{\"hop\": 0}",
            "{\"high_hz\": 9000}",
            "{\"threshold\": 2}",
            "{\"least_frames\": 300}",
            "{\"unknown\": 1}",
            "[]",
            "",
        ] {
            assert!(FrontEnd::read(wrong.as_bytes()).is_err(), "{wrong}");
        }
    }
}
