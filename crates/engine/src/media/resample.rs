//! Resamples any rate to 16 kHz, block by block, without delay and without drift.

use slovo_signal::{Indexing, InterleavedSlice, Resampler as SignalResampler, resampler};

use super::{MediaError, SAMPLE_RATE};

/// Approximate number of input frames per conversion: the converter rounds it to its own block
/// size.
const CHUNK: usize = 4096;
/// Parts of a chunk, each as long as the filter: 1024 frames preserve speech up to 7.8 kHz.
const SUB_CHUNKS: usize = 4;

/// Converts one mono stream to 16 kHz.
pub(super) struct Resampler {
    rate: u32,
    fft: Option<Box<dyn SignalResampler<f32>>>,
    input: Vec<f32>,
    output: Vec<f32>,
    /// Output samples still to be dropped: the converter's own delay.
    to_drop: usize,
    consumed: u64,
    produced: u64,
}

impl Resampler {
    /// A converter from `rate` Hz.
    pub(super) fn new(rate: u32) -> Result<Self, MediaError> {
        let fft = if rate == SAMPLE_RATE {
            None
        } else {
            let converter = resampler(rate as usize, SAMPLE_RATE as usize, CHUNK, SUB_CHUNKS);
            Some(converter.map_err(|_| MediaError::BadSampleRate { rate })?)
        };
        let to_drop = fft.as_ref().map_or(0, |fft| fft.output_delay());
        let output = vec![0.0; fft.as_ref().map_or(0, |fft| fft.output_frames_max())];
        Ok(Self {
            rate,
            fft,
            input: Vec::new(),
            output,
            to_drop,
            consumed: 0,
            produced: 0,
        })
    }

    pub(super) const fn rate(&self) -> u32 {
        self.rate
    }

    /// Converts `samples` and appends what is ready to `out`.
    pub(super) fn push(&mut self, samples: &[f32], out: &mut Vec<f32>) -> Result<(), MediaError> {
        self.consumed += samples.len() as u64;
        if self.fft.is_none() {
            out.extend_from_slice(samples);
            return Ok(());
        }
        self.input.extend_from_slice(samples);
        self.convert(out, u64::MAX)
    }

    /// Flushes the rest: the output is then as long as the input, to half a sample.
    pub(super) fn finish(&mut self, out: &mut Vec<f32>) -> Result<(), MediaError> {
        let Some(fft) = &self.fft else { return Ok(()) };
        let total = (self.consumed * u64::from(SAMPLE_RATE) + u64::from(self.rate) / 2)
            / u64::from(self.rate);
        let silence = fft.input_frames_next();
        while self.produced < total {
            self.input.resize(self.input.len() + silence, 0.0);
            self.convert(out, total)?;
        }
        self.input.clear();
        Ok(())
    }

    fn convert(&mut self, out: &mut Vec<f32>, total: u64) -> Result<(), MediaError> {
        let Some(fft) = &mut self.fft else {
            return Ok(());
        };
        let failed = |_| MediaError::damaged("the sound cannot be converted to 16 kHz");
        let mut used = 0;
        loop {
            let needed = fft.input_frames_next();
            let rest = &self.input[used..];
            if rest.len() < needed {
                break;
            }
            let source = InterleavedSlice::new(rest, 1, rest.len())
                .map_err(|_| MediaError::damaged("the sound cannot be converted to 16 kHz"))?;
            let frames = self.output.len();
            let mut target = InterleavedSlice::new_mut(&mut self.output, 1, frames)
                .map_err(|_| MediaError::damaged("the sound cannot be converted to 16 kHz"))?;
            let (read, written) = fft
                .process_into_buffer(&source, &mut target, None::<&Indexing>)
                .map_err(failed)?;
            used += read;
            let dropped = self.to_drop.min(written);
            self.to_drop -= dropped;
            let room = usize::try_from(total - self.produced).unwrap_or(usize::MAX);
            let accepted = (written - dropped).min(room);
            out.extend_from_slice(&self.output[dropped..dropped + accepted]);
            self.produced += accepted as u64;
        }
        self.input.drain(..used);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tone(rate: u32, seconds: f64) -> Vec<f32> {
        let count = (f64::from(rate) * seconds) as u32;
        (0..count)
            .map(|i| (f64::from(i) / f64::from(rate) * 440.0 * std::f64::consts::TAU).sin() as f32)
            .collect()
    }

    #[test]
    fn every_rate_keeps_length_and_phase() {
        for rate in [
            4_000, 8_000, 11_025, 16_000, 22_050, 44_100, 48_000, 96_000, 44_099,
        ] {
            let mut resampler = Resampler::new(rate).unwrap();
            let mut out = Vec::new();
            for block in tone(rate, 1.5).chunks(997) {
                resampler.push(block, &mut out).unwrap();
            }
            resampler.finish(&mut out).unwrap();
            let expected = tone(SAMPLE_RATE, 1.5);
            assert!(
                out.len().abs_diff(expected.len()) <= 1,
                "{rate}: {} samples",
                out.len()
            );
            // The edges ring; inside, the same wave must come out, apart from half a sample where
            // the converter's filter has an odd length.
            let shift = 440.0 * std::f32::consts::TAU / 2.0 / rate.min(SAMPLE_RATE) as f32;
            let worst = (2_000..out.len() - 2_000)
                .map(|i| (out[i] - expected[i]).abs())
                .fold(0.0, f32::max);
            assert!(worst < 0.01 + shift, "{rate}: off by {worst}");
        }
    }
}
