//! Which channels of a track carry the same sound.

/// Tracks with more channels are not compared: no conversation is recorded on so many, and the
/// number of pairs grows with the square.
pub(super) const MAX_CHANNELS: usize = 16;

/// A second quieter than this (mean square, -70 dB) is ignored.
const QUIET: f64 = 1e-7;

/// Two channels carry the same sound in a second if the square of their correlation is at least
/// this. A copy through a lossy codec stays above it, also if it is louder or inverted; two
/// microphones in one room stay far below.
const SAME: f64 = 0.96;

/// A channel that is this much quieter than another (-40 dB) is silence or crosstalk, not a copy of
/// it.
const FAINT: f64 = 1e-4;

/// Which sound a reader delivers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ChannelSelection {
    /// The mix of all channels.
    Mix,
    /// One channel, from 0.
    Channel(usize),
    /// The mix, while the channels are being compared.
    Compared,
}

/// The channels of a track.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Channels {
    /// How many there are.
    pub(crate) count: usize,
    /// Those that are not copies of an earlier one, from 0, in rising order.
    pub(crate) distinct: Vec<usize>,
}

/// Compares channels second by second. Two count as the same sound until a second shows a
/// difference.
#[derive(Debug, Default)]
pub(super) struct Comparison {
    count: usize,
    /// Pairs that have not differed so far.
    pairs: Vec<Pair>,
    /// Sum of squares of each channel in the current second.
    energies: Vec<f64>,
    frames: usize,
}

#[derive(Debug)]
struct Pair {
    first: usize,
    second: usize,
    /// Sum of products of the two in the current second.
    product: f64,
}

impl Comparison {
    /// Adds interleaved frames.
    pub(super) fn push(&mut self, interleaved: &[f32], channels: usize, rate: u32) {
        if channels != self.count {
            self.begin(channels);
        }
        for frame in interleaved.chunks_exact(channels.max(1)) {
            if self.pairs.is_empty() {
                return;
            }
            for (energy, sample) in self.energies.iter_mut().zip(frame) {
                *energy += square(*sample);
            }
            for pair in &mut self.pairs {
                let product = f64::from(frame[pair.first]) * f64::from(frame[pair.second]);
                if product.is_finite() {
                    pair.product += product;
                }
            }
            self.frames += 1;
            if self.frames >= rate as usize {
                self.judge();
            }
        }
    }

    /// Whether further frames cannot change the outcome.
    pub(super) fn is_settled(&self) -> bool {
        self.count > 0 && self.pairs.is_empty()
    }

    /// The outcome for the frames so far.
    pub(super) fn channels(&self) -> Channels {
        let is_copy = |channel: usize| self.pairs.iter().any(|pair| pair.second == channel);
        Channels {
            count: self.count,
            distinct: (0..self.count)
                .filter(|channel| !is_copy(*channel))
                .collect(),
        }
    }

    /// Sets or changes the number of channels: those that are added later are not copies.
    fn begin(&mut self, channels: usize) {
        let is_first = self.count == 0;
        self.count = self.count.max(channels);
        self.energies = vec![0.0; self.count];
        self.frames = 0;
        if is_first && channels <= MAX_CHANNELS {
            let pairs =
                (0..channels).flat_map(|second| (0..second).map(move |first| (first, second)));
            self.pairs = pairs
                .map(|(first, second)| Pair {
                    first,
                    second,
                    product: 0.0,
                })
                .collect();
        } else {
            self.pairs.clear();
        }
    }

    /// Drops the pairs that differ in the second that has ended.
    fn judge(&mut self) {
        let quiet = QUIET * self.frames as f64;
        let energies = &self.energies;
        self.pairs.retain(|pair| {
            let (first, second) = (energies[pair.first], energies[pair.second]);
            let (less, more) = (first.min(second), first.max(second));
            more < quiet
                || (less > FAINT * more && pair.product * pair.product >= SAME * first * second)
        });
        self.energies.fill(0.0);
        self.pairs.iter_mut().for_each(|pair| pair.product = 0.0);
        self.frames = 0;
    }
}

/// Samples that are not finite count as silence.
fn square(sample: f32) -> f64 {
    let square = f64::from(sample) * f64::from(sample);
    if square.is_finite() { square } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RATE: u32 = 8_000;

    /// Compares `seconds` of frames; `frame` makes each from its time.
    fn compared(seconds: u32, frame: impl Fn(f64) -> Vec<f32>) -> Comparison {
        let mut comparison = Comparison::default();
        for block in 0..seconds * 2 {
            let times = (0..RATE / 2).map(|n| f64::from(block * RATE / 2 + n) / f64::from(RATE));
            let frames: Vec<Vec<f32>> = times.map(&frame).collect();
            comparison.push(&frames.concat(), frames[0].len(), RATE);
        }
        comparison
    }

    fn tone(hertz: f64, time: f64) -> f32 {
        (time * hertz * std::f64::consts::TAU).sin() as f32 * 0.3
    }

    fn distinct(comparison: &Comparison) -> Vec<usize> {
        comparison.channels().distinct
    }

    #[test]
    fn copies_are_found_even_if_quieter_inverted_or_noisy() {
        let comparison = compared(3, |time| {
            let sound = tone(440.0, time);
            let noise = tone(3_217.0, time) * 0.1;
            vec![sound, sound, sound * 0.2, -sound, sound + noise]
        });
        assert_eq!(distinct(&comparison), [0]);
        assert_eq!(comparison.channels().count, 5);
        assert!(!comparison.is_settled());
    }

    #[test]
    fn different_channels_are_known_after_a_second() {
        let comparison = compared(2, |time| vec![tone(440.0, time), tone(523.0, time), 0.0]);
        assert_eq!(distinct(&comparison), [0, 1, 2]);
        assert!(comparison.is_settled());
    }

    #[test]
    fn one_different_second_makes_channels_distinct() {
        let comparison = compared(60, |time| {
            let other = if (40.0..41.0).contains(&time) {
                700.0
            } else {
                440.0
            };
            vec![tone(440.0, time), tone(other, time)]
        });
        assert_eq!(distinct(&comparison), [0, 1]);
    }

    #[test]
    fn two_equal_channels_among_three_count_as_one() {
        let comparison = compared(2, |time| {
            vec![tone(440.0, time), tone(523.0, time), tone(440.0, time)]
        });
        assert_eq!(distinct(&comparison), [0, 1]);
        assert_eq!(distinct(&compared(2, |_| vec![0.0, 1e-5])), [0]);
    }

    #[test]
    fn invalid_samples_and_changing_channel_counts_are_tolerated() {
        let comparison = compared(2, |time| vec![tone(440.0, time), f32::NAN, f32::INFINITY]);
        assert_eq!(distinct(&comparison), [0, 1]);
        let mut comparison = compared(1, |time| vec![tone(440.0, time); 2]);
        comparison.push(&[0.1; 4], 4, RATE);
        assert_eq!(distinct(&comparison), [0, 1, 2, 3]);
        comparison.push(&[], 0, RATE);
        let many = compared(1, |time| vec![tone(440.0, time); MAX_CHANNELS + 1]);
        assert_eq!(many.channels().distinct.len(), MAX_CHANNELS + 1);
    }
}
