//! The reader that the pipeline pulls from: decoded, mixed to mono, at 16 kHz, without gaps in
//! time.

use std::panic::{AssertUnwindSafe, catch_unwind};

use serde_json::Value;
use slovo_rules::transcript::Warning;

use super::comparison::{ChannelSelection, Comparison};
use super::info::MediaInfo;
use super::limits::Limits;
use super::resample::Resampler;
use super::step::{Decoder, Frames, Step};
use super::{MediaError, SAMPLE_RATE};

/// Samples in a full block: one second.
const BLOCK: usize = SAMPLE_RATE as usize;
/// Seconds by which packet times may differ from the sample count before the packet times are used.
/// Containers round to milliseconds, and recorders jitter by some tens of them.
const MAX_DRIFT: f64 = 0.1;
/// A jump in time longer than this, in seconds, is a wrong time stamp and not a gap.
const MAX_GAP: f64 = 6.0 * 3600.0;
/// How far beyond the stated length audio may still begin, in seconds: headers are written early
/// and rounded, and tracks differ in length.
const MAX_BEYOND: f64 = 10.0;
/// A stated encoder delay longer than this, in seconds, is ignored.
const MAX_DELAY: f64 = 10.0;

/// The most seconds at the end that may be encoder padding: a few of the longest frames. This much
/// is held back until the end is known.
const MAX_PADDING: f64 = 0.25;

/// What is known about the end of the audio before it is reached.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct EndOfAudio {
    /// The length in seconds according to a reliable header: if less is decoded, the end is
    /// damaged.
    pub(super) declared: Option<f64>,
    /// Where the audio ends in seconds; a little more is encoder padding.
    pub(super) exact: Option<f64>,
    /// Whether the container shows that the end is missing.
    pub(super) is_cut: bool,
}

impl EndOfAudio {
    pub(super) fn declared(seconds: Option<f64>) -> Self {
        Self {
            declared: seconds,
            ..Self::default()
        }
    }
}

/// One second of audio, or less at the end.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// Start in the recording, in seconds. Always the number of samples before it divided by
    /// 16,000: gaps in the file's timeline are filled with silence.
    pub start_seconds: f64,
    /// 16 kHz mono, full scale is 1, all finite.
    pub samples: Vec<f32>,
}

/// A pull reader of 16 kHz mono audio. Memory does not grow with the file.
///
/// Dropping it kills the external decoder, if one is running.
pub struct Pcm {
    info: MediaInfo,
    limits: Limits,
    take: ChannelSelection,
    comparison: Comparison,
    decoder: Option<Box<dyn Decoder>>,
    frames: Frames,
    resampler: Option<Resampler>,
    mono: Vec<f32>,
    ready: Vec<f32>,
    /// Samples returned in blocks so far.
    delivered: u64,
    /// Seconds of audio and silence processed so far.
    position: f64,
    /// Seconds to add to packet times that were found to be wrong.
    rebase: f64,
    /// Seconds of silence still to be inserted.
    silence: f64,
    /// Whether `mono` holds audio that follows that silence.
    is_waiting: bool,
    heard_anything: bool,
    bad_in_a_row: u32,
    bad: u32,
    first_bad: f64,
    cpu: f64,
    ending: EndOfAudio,
    warnings: Vec<Warning>,
}

impl std::fmt::Debug for Pcm {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Pcm")
            .field("info", &self.info)
            .field("position", &self.position)
            .finish_non_exhaustive()
    }
}

impl Pcm {
    pub(super) fn new(
        info: MediaInfo,
        decoder: Box<dyn Decoder>,
        ending: EndOfAudio,
        take: ChannelSelection,
        limits: &Limits,
    ) -> Result<Self, MediaError> {
        let mut pcm = Self {
            info,
            limits: limits.clone(),
            take,
            comparison: Comparison::default(),
            decoder: Some(decoder),
            frames: Frames::new(),
            resampler: None,
            mono: Vec::new(),
            ready: Vec::new(),
            delivered: 0,
            position: 0.0,
            rebase: 0.0,
            silence: 0.0,
            is_waiting: false,
            heard_anything: false,
            bad_in_a_row: 0,
            bad: 0,
            first_bad: 0.0,
            cpu: 0.0,
            ending,
            warnings: Vec::new(),
        };
        while pcm.decoder.is_some() && !pcm.heard_anything {
            pcm.pump()?;
        }
        Ok(pcm)
    }

    /// The file's description, from its headers.
    #[must_use]
    pub const fn info(&self) -> &MediaInfo {
        &self.info
    }

    /// Damage that did not prevent reading; complete once [`Self::next_block`] has returned `None`.
    /// Codes: `damaged_tail {at_seconds}` (the audio ends there, earlier than the file states),
    /// `damaged_parts {count, first_at_seconds}` (packets that failed to decode were replaced by
    /// silence).
    #[must_use]
    pub fn warnings(&self) -> Vec<Warning> {
        self.warnings.clone()
    }

    /// The comparison of the channels, if the reader was opened for it.
    pub(super) const fn comparison(&self) -> &Comparison {
        &self.comparison
    }

    /// The next second of audio; `None` at the end.
    ///
    /// # Errors
    /// [`MediaError::TooLong`] and [`MediaError::TooSlow`] when a limit is reached,
    /// [`MediaError::BadSampleRate`] and [`MediaError::BadChannels`] when the stream changes to an
    /// unsupported format. Damage after the first decoded audio is a warning, not an error.
    pub fn next_block(&mut self) -> Result<Option<Block>, MediaError> {
        let reserve = if self.ending.exact.is_some() {
            (MAX_PADDING * f64::from(SAMPLE_RATE)) as usize
        } else {
            0
        };
        while self.ready.len() < BLOCK + reserve && self.decoder.is_some() {
            self.pump()?;
        }
        if self.ready.is_empty() {
            return Ok(None);
        }
        let count = self.ready.len().min(BLOCK);
        let samples = self.ready.drain(..count).collect();
        let start_seconds = self.delivered as f64 / f64::from(SAMPLE_RATE);
        self.delivered += count as u64;
        Ok(Some(Block {
            start_seconds,
            samples,
        }))
    }

    /// Takes one step: a second of silence or one packet.
    fn pump(&mut self) -> Result<(), MediaError> {
        if self.silence > 0.0 {
            return self.take_silence();
        }
        if self.is_waiting {
            return self.take_mono();
        }
        match self.step()? {
            Step::Frames => {
                self.bad_in_a_row = 0;
                self.take_frames()
            }
            Step::Idle => Ok(()),
            Step::Bad => self.count_bad(),
            Step::End => self.finish(None),
            Step::Broken(reason) => self.finish(Some(&reason)),
        }
    }

    /// One step of the decoder; panics are caught and CPU time is measured.
    fn step(&mut self) -> Result<Step, MediaError> {
        let Some(decoder) = &mut self.decoder else {
            return Ok(Step::End);
        };
        let frames = &mut self.frames;
        let before = cpu_seconds();
        let outcome = catch_unwind(AssertUnwindSafe(|| decoder.step(frames)));
        self.cpu += (cpu_seconds() - before).max(0.0);
        if self.cpu > self.limits.max_cpu_seconds + self.position * self.limits.max_cpu_per_second {
            return Err(MediaError::TooSlow);
        }
        match outcome {
            Ok(step) => step,
            Err(_) => Ok(Step::Broken(
                "the decoder met a state that it does not know".to_owned(),
            )),
        }
    }

    fn take_frames(&mut self) -> Result<(), MediaError> {
        let rate = self.frames.rate;
        let channels = self.frames.mix.channels();
        if channels == 0 || channels > self.limits.max_channels {
            return Err(MediaError::BadChannels { channels });
        }
        if !(self.limits.min_rate..=self.limits.max_rate).contains(&rate) {
            return Err(MediaError::BadSampleRate { rate });
        }
        self.switch_rate(rate)?;
        self.mono.clear();
        let (mix, samples) = (&self.frames.mix, self.frames.samples.as_slice());
        match self.take {
            ChannelSelection::Channel(channel) => mix.only(channel, samples, &mut self.mono),
            ChannelSelection::Mix => mix.sum(samples, &mut self.mono),
            ChannelSelection::Compared => {
                self.comparison.push(samples, channels, rate);
                mix.sum(samples, &mut self.mono);
            }
        }
        let dropped = self.place();
        if dropped >= self.mono.len() {
            return Ok(());
        }
        self.mono.drain(..dropped);
        self.heard_anything = true;
        self.is_waiting = true;
        if self.silence > 0.0 {
            Ok(())
        } else {
            self.take_mono()
        }
    }

    fn take_mono(&mut self) -> Result<(), MediaError> {
        self.is_waiting = false;
        let Some(resampler) = &mut self.resampler else {
            return Ok(());
        };
        resampler.push(&self.mono, &mut self.ready)?;
        let seconds = self.mono.len() as f64 / f64::from(resampler.rate());
        self.advance(seconds)
    }

    /// Compares the frames' time with the audio so far: schedules silence for a gap, and returns
    /// how many frames at the start are encoder delay.
    fn place(&mut self) -> usize {
        let Some(time) = self.frames.time else {
            return 0;
        };
        let gap = time + self.rebase - self.position;
        if !gap.is_finite() || gap > MAX_GAP || self.exceeds_stated_length(gap) {
            self.rebase = if time.is_finite() {
                self.position - time
            } else {
                0.0
            };
            return 0;
        }
        if !self.heard_anything {
            if gap < 0.0 && gap > -MAX_DELAY {
                return (-gap * f64::from(self.frames.rate)).round() as usize;
            }
            self.silence = gap.max(0.0);
            if gap < 0.0 {
                self.rebase -= gap;
            }
        } else if gap > MAX_DRIFT {
            self.silence = gap;
        } else if gap < -MAX_DRIFT {
            self.rebase -= gap;
        }
        0
    }

    /// Whether a gap reaches beyond the stated length: then the packet's time is damaged, and
    /// silence for it would shift all that follows.
    fn exceeds_stated_length(&self, gap: f64) -> bool {
        gap > MAX_BEYOND
            && self
                .info
                .duration
                .is_some_and(|stated| self.position + gap > stated + MAX_BEYOND)
    }

    fn take_silence(&mut self) -> Result<(), MediaError> {
        let seconds = self.silence.min(1.0);
        self.silence -= seconds;
        let Some(resampler) = &mut self.resampler else {
            return Ok(());
        };
        let count = (seconds * f64::from(resampler.rate())).round() as usize;
        let taken = count as f64 / f64::from(resampler.rate());
        if count == 0 {
            self.silence = 0.0;
            return Ok(());
        }
        resampler.push(&vec![0.0; count], &mut self.ready)?;
        self.advance(taken)
    }

    fn advance(&mut self, seconds: f64) -> Result<(), MediaError> {
        self.position += seconds;
        if self.position > self.limits.max_seconds {
            return Err(MediaError::TooLong {
                limit_seconds: self.limits.max_seconds,
            });
        }
        Ok(())
    }

    fn switch_rate(&mut self, rate: u32) -> Result<(), MediaError> {
        if self
            .resampler
            .as_ref()
            .is_none_or(|resampler| resampler.rate() != rate)
        {
            if let Some(mut old) = self.resampler.take() {
                old.finish(&mut self.ready)?;
            }
            self.resampler = Some(Resampler::new(rate)?);
        }
        Ok(())
    }

    fn count_bad(&mut self) -> Result<(), MediaError> {
        if self.bad == 0 {
            self.first_bad = self.position;
        }
        self.bad += 1;
        self.bad_in_a_row += 1;
        if self.bad_in_a_row >= self.limits.max_bad_packets {
            return self.finish(Some("nothing of its sound can be decoded"));
        }
        Ok(())
    }

    /// Ends the stream; `broken` is the reason if the decoder could not go on.
    fn finish(&mut self, broken: Option<&str>) -> Result<(), MediaError> {
        self.decoder = None;
        if !self.heard_anything {
            return Err(match broken {
                Some(reason) => MediaError::damaged(reason),
                None if self.bad > 0 => MediaError::damaged("nothing of its sound can be decoded"),
                None => MediaError::NoSamples,
            });
        }
        if let Some(resampler) = &mut self.resampler {
            resampler.finish(&mut self.ready)?;
        }
        let padding = self.position - self.ending.exact.unwrap_or(self.position);
        if (0.0..MAX_PADDING).contains(&padding) {
            let padding = (padding * f64::from(SAMPLE_RATE)).round() as usize;
            self.ready
                .truncate(self.ready.len().saturating_sub(padding));
        }
        if let Some(reason) = broken {
            tracing::info!(reason, at_seconds = self.position, "the sound ends early");
        }
        let missing = self.ending.declared.or(self.ending.exact).unwrap_or(0.0) - self.position;
        let is_short = missing > (self.position * 0.01).max(0.5);
        let has_bad_end = self.bad_in_a_row > 2;
        if broken.is_some() || self.ending.is_cut || is_short || has_bad_end {
            self.warn("damaged_tail", &[("at_seconds", rounded(self.position))]);
        }
        let inner_bad = if has_bad_end {
            self.bad - self.bad_in_a_row
        } else {
            self.bad
        };
        if inner_bad > 0 {
            let first = rounded(self.first_bad);
            self.warn(
                "damaged_parts",
                &[("count", inner_bad.into()), ("first_at_seconds", first)],
            );
        }
        Ok(())
    }

    fn warn(&mut self, code: &str, params: &[(&str, Value)]) {
        let params = params
            .iter()
            .map(|(key, value)| ((*key).to_owned(), value.clone()))
            .collect();
        self.warnings.push(Warning {
            code: code.to_owned(),
            params,
        });
    }
}

fn rounded(seconds: f64) -> Value {
    Value::from((seconds * 1000.0).round() / 1000.0)
}

/// CPU time of this thread in seconds. Wall time would make a file look hostile on a busy machine.
fn cpu_seconds() -> f64 {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    now.tv_sec as f64 + now.tv_nsec as f64 / 1e9
}

#[cfg(test)]
mod tests;
