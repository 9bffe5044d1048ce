//! Downmix of several channels to one that keeps speech audible in whichever channel it is.

use symphonia::core::audio::{Channels, Position};

/// The weight of each channel in the mono sum. For known layouts the weights sum to one, so the sum
/// never clips.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Mix {
    weights: Vec<f32>,
}

impl Mix {
    /// The mix for channels of known positions.
    ///
    /// In films and conferences speech is in the centre: it gets half of the sum, the sides
    /// share the rest, low-frequency effects are left out.
    pub(super) fn of(channels: &Channels, count: usize) -> Self {
        match channels {
            Channels::Positioned(positions) if positions.iter().count() == count && count > 2 => {
                let loudness: Vec<f32> = positions.iter().map(loudness).collect();
                Self::normalised(&loudness)
            }
            _ => Self::even(count),
        }
    }

    /// The mix for `count` channels of unknown positions. More than two are most likely separate
    /// microphones with few people speaking at once, so their power is kept.
    pub(super) fn even(count: usize) -> Self {
        let weight = match count {
            0 | 1 => 1.0,
            2 => 0.5,
            more => 1.0 / (more as f32).sqrt(),
        };
        Self {
            weights: vec![weight; count.max(1)],
        }
    }

    /// The mix for the usual order of `count` channels (front left, front right, centre, effects,
    /// surround), which the external decoder uses.
    pub(super) fn usual(count: usize) -> Self {
        match count {
            3 => Self::normalised(&[0.4, 0.4, 1.0]),
            6 => Self::normalised(&[0.4, 0.4, 1.0, 0.0, 0.1, 0.1]),
            7 => Self::normalised(&[0.4, 0.4, 1.0, 0.0, 0.1, 0.1, 0.1]),
            8 => Self::normalised(&[0.4, 0.4, 1.0, 0.0, 0.1, 0.1, 0.1, 0.1]),
            other => Self::even(other),
        }
    }

    fn normalised(loudness: &[f32]) -> Self {
        let sum: f32 = loudness.iter().sum();
        if sum <= 0.0 {
            return Self::even(loudness.len());
        }
        Self {
            weights: loudness.iter().map(|weight| weight / sum).collect(),
        }
    }

    pub(super) fn channels(&self) -> usize {
        self.weights.len()
    }

    /// Appends one channel (from 0) of interleaved frames, cleaned as in [`Self::sum`]. A channel
    /// that the frames lack is silent: the number of channels may change within a stream.
    pub(super) fn only(&self, channel: usize, interleaved: &[f32], mono: &mut Vec<f32>) {
        let frames = interleaved.chunks_exact(self.weights.len());
        mono.extend(frames.map(|frame| frame.get(channel).copied().map_or(0.0, clean)));
    }

    /// Appends the mono sum of interleaved frames. Samples that are not finite become silence;
    /// samples more than 24 dB over full scale are clipped.
    pub(super) fn sum(&self, interleaved: &[f32], mono: &mut Vec<f32>) {
        mono.reserve(interleaved.len() / self.weights.len());
        match self.weights.as_slice() {
            [_] => mono.extend(interleaved.iter().map(|sample| clean(*sample))),
            weights => mono.extend(interleaved.chunks_exact(weights.len()).map(|frame| {
                frame
                    .iter()
                    .zip(weights)
                    .map(|(sample, weight)| clean(*sample) * weight)
                    .sum::<f32>()
            })),
        }
    }
}

/// Replaces invalid samples as described at [`Mix::sum`].
fn clean(sample: f32) -> f32 {
    if sample.is_finite() {
        sample.clamp(-16.0, 16.0)
    } else {
        0.0
    }
}

fn loudness(position: Position) -> f32 {
    if position == Position::FRONT_CENTER {
        1.0
    } else if position == Position::LFE1 || position == Position::LFE2 {
        0.0
    } else if position == Position::FRONT_LEFT || position == Position::FRONT_RIGHT {
        0.4
    } else {
        0.1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mono(mix: &Mix, frame: &[f32]) -> f32 {
        let mut sum = Vec::new();
        mix.sum(frame, &mut sum);
        assert_eq!(sum.len(), 1);
        sum[0]
    }

    #[test]
    fn speech_in_the_centre_of_5_1_stays_loud() {
        let positions = Position::from_wave_channel_count(6).unwrap();
        let mix = Mix::of(&Channels::Positioned(positions), 6);
        let centre = mono(&mix, &[0.0, 0.0, 1.0, 0.0, 0.0, 0.0]);
        assert!(centre >= 0.5, "{centre}");
        assert_eq!(mono(&mix, &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0]), 0.0);
        assert!((mono(&mix, &[1.0; 6]) - 1.0).abs() < 1e-6);
        assert_eq!(Mix::usual(6), mix);
    }

    #[test]
    fn mono_is_untouched_and_stereo_is_the_mean() {
        assert_eq!(mono(&Mix::even(1), &[0.001]), 0.001);
        assert_eq!(mono(&Mix::even(2), &[0.5, -0.25]), 0.125);
    }

    #[test]
    fn invalid_samples_become_silence() {
        let mut sum = Vec::new();
        Mix::even(2).sum(
            &[f32::NAN, 1.0, f32::INFINITY, f32::NEG_INFINITY, 1e30, 0.0],
            &mut sum,
        );
        assert_eq!(sum, [0.5, 0.0, 8.0]);
    }
}
