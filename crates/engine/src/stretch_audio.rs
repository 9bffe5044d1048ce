//! The audio that is processed for a stretch of a recording: the stretch and a margin on both
//! sides, so that words at its edges are recognised as a whole.

use crate::media::{Block, SAMPLE_RATE};
use crate::request::{Request, Stretch};

/// Seconds that are processed before and after the stretch: about the length of a word.
const MARGIN: f64 = 0.3;

/// The range of samples that is processed for a stretch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct StretchAudio {
    /// First sample of the recording.
    pub(crate) from: u64,
    /// The end, exclusive.
    to: u64,
    /// The stretch, in seconds from the first sample.
    stretch: Stretch,
}

impl Request {
    /// The audio of the stretch; `None` if it is the whole recording.
    pub(crate) fn stretch_audio(&self) -> Option<StretchAudio> {
        self.stretch.as_ref().map(StretchAudio::of)
    }
}

impl StretchAudio {
    pub(crate) fn of(stretch: &Stretch) -> Self {
        let rate = f64::from(SAMPLE_RATE);
        // A negative or infinite float is cut off by the conversion.
        let sample = |time: f64| (time * rate).round() as u64;
        let from = sample(stretch.start - MARGIN);
        let start = from as f64 / rate;
        Self {
            from,
            to: sample(stretch.end + MARGIN).max(from),
            stretch: Stretch {
                start: stretch.start - start,
                end: stretch.end - start,
            },
        }
    }

    /// Seconds.
    pub(crate) fn seconds(self) -> f64 {
        (self.to - self.from) as f64 / f64::from(SAMPLE_RATE)
    }

    /// The samples of a block that are processed, which may be none; `None` after the end.
    pub(crate) fn part_of(self, mut block: Block) -> Option<Block> {
        let start = (block.start_seconds * f64::from(SAMPLE_RATE)).round() as u64;
        if start >= self.to {
            return None;
        }
        let place = |sample: u64| {
            let offset = usize::try_from(sample.saturating_sub(start)).unwrap_or(usize::MAX);
            offset.min(block.samples.len())
        };
        let (from, to) = (place(self.from), place(self.to));
        block.samples.truncate(to);
        block.samples.drain(..from.min(to));
        Some(block)
    }

    /// Whether a word or passage with this time, from the first sample on, belongs to the stretch.
    pub(crate) fn keeps(self, start: f64, end: f64) -> bool {
        let middle = f64::midpoint(start, end);
        (self.stretch.start..=self.stretch.end).contains(&middle)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RATE: usize = SAMPLE_RATE as usize;

    fn block(second: usize) -> Block {
        Block {
            start_seconds: second as f64,
            samples: vec![second as f32; RATE],
        }
    }

    fn audio(start: f64, end: f64) -> StretchAudio {
        StretchAudio::of(&Stretch { start, end })
    }

    #[test]
    fn only_the_stretch_and_its_margins_are_listened_to() {
        let audio = audio(2.5, 4.0);
        let parts: Vec<Option<usize>> = (0..6)
            .map(|second| Some(audio.part_of(block(second))?.samples.len()))
            .collect();
        let ends = RATE * 3 / 10;
        assert_eq!(
            parts,
            [
                Some(0),
                Some(0),
                Some(RATE - RATE / 5),
                Some(RATE),
                Some(ends),
                None
            ]
        );
        assert!((audio.seconds() - 2.1).abs() < 1e-9);
    }

    #[test]
    fn a_stretch_at_the_beginning_has_no_margin_before_it() {
        let audio = audio(0.1, 0.5);
        assert_eq!(audio.from, 0);
        assert!(audio.keeps(0.0, 0.3), "its middle is in the stretch");
        assert!(!audio.keeps(0.0, 0.1));
        assert!(!audio.keeps(0.5, 0.7));
    }

    #[test]
    fn words_of_the_margins_are_left_out() {
        let audio = audio(10.0, 12.0);
        // Seconds from 9.7 on.
        assert!(!audio.keeps(0.0, 0.5));
        assert!(audio.keeps(0.2, 0.5));
        assert!(audio.keeps(2.0, 2.5));
        assert!(!audio.keeps(2.2, 2.6));
    }

    #[test]
    fn impossible_times_listen_to_nothing() {
        for (start, end) in [(f64::NAN, f64::NAN), (5.0, 1.0), (-3.0, -2.0)] {
            let audio = audio(start, end);
            let samples = audio.part_of(block(0)).map_or(0, |part| part.samples.len());
            assert_eq!(samples, 0, "{start} to {end}");
        }
    }
}
