//! Cuts audio into pieces of one voice each, with their embedding vectors.

use super::clustering::dot;
use super::embedding::{Embedding, MIN_FRAMES};
use super::front_end::FrontEnd;
use super::network::Network;
use super::segmentation::{Activity, FRAME, MARGIN, Run, WINDOW};
use crate::vad::{SAMPLE_RATE, seconds};

/// Distance of two windows: a window without its margins.
const STEP: usize = WINDOW - 2 * MARGIN;
/// Windows that are segmented together. The recurrent layers read their weights once per batch: two
/// windows take 0.85 of the time of two single ones, four take 0.8 and twice the memory.
const BATCH: usize = 2;
/// Segmentation frames in the longest piece: a quarter of the distance of two windows, 2.1 s.
const PIECE: usize = STEP.div_ceil(4 * FRAME);
/// Pieces of at least this many seconds take part in clustering.
const MIN_CLUSTERED_SECONDS: f32 = 0.7;
/// A window whose loudest parts are below this level is amplified.
const QUIET: f32 = 0.05;
/// The level to which it is amplified.
const LOUD: f32 = 0.1;
/// The highest gain: 50 dB.
const MAX_GAIN: f32 = 300.0;

/// A stretch of one voice.
#[derive(Clone, Debug)]
pub(super) struct VoiceStretch {
    /// Seconds in the recording.
    pub start: f64,
    /// Seconds in the recording.
    pub end: f64,
    /// Index of the window.
    pub window: u32,
    /// Index of the voice within the window.
    pub voice: usize,
    /// Seconds in which only this voice speaks.
    pub seconds: f32,
    /// Unit vector; `None` if there is too little audio of this voice alone.
    pub vector: Option<Vec<f32>>,
}

impl VoiceStretch {
    /// Whether it is long enough to take part in clustering.
    pub(super) fn is_long_enough(&self) -> bool {
        self.seconds >= MIN_CLUSTERED_SECONDS
    }
}

/// The mean similarity of pieces that the segmentation takes for one voice. In noise and at a
/// distance from the microphone it is low, and so the pieces of one speaker are less similar, too.
/// Infinite if there are too few pieces to tell.
pub(super) fn similarity_within_voices(pieces: &[VoiceStretch]) -> f32 {
    const MIN_PAIRS: usize = 4;
    let (mut pairs, mut sum, mut weight) = (0, 0.0, 0.0);
    for (place, first) in pieces.iter().enumerate() {
        let later = pieces[place + 1..].iter();
        let of_the_window = later.take_while(|piece| piece.window == first.window);
        for second in of_the_window.filter(|piece| piece.voice == first.voice) {
            let (Some(a), Some(b)) = (&first.vector, &second.vector) else {
                continue;
            };
            if first.is_long_enough() && second.is_long_enough() {
                let seconds = first.seconds * second.seconds;
                pairs += 1;
                sum += dot(a, b) * seconds;
                weight += seconds;
            }
        }
    }
    if pairs < MIN_PAIRS {
        return f32::INFINITY;
    }
    sum / weight
}

/// Collects pieces from a stream of audio.
pub(super) struct PieceCollector<'a> {
    segmentation: &'a Network,
    embedding: &'a Embedding,
    /// Audio from the start of the next window on.
    sound: Vec<f32>,
    /// Index of the first sample of `sound`.
    start: u64,
    window: u32,
    pieces: Vec<VoiceStretch>,
}

impl<'a> PieceCollector<'a> {
    pub(super) fn new(segmentation: &'a Network, embedding: &'a Embedding) -> Self {
        Self {
            segmentation,
            embedding,
            sound: Vec::with_capacity(BATCH * WINDOW),
            start: 0,
            window: 0,
            pieces: Vec::new(),
        }
    }

    pub(super) fn push(&mut self, samples: &[f32]) -> Result<(), String> {
        self.sound.extend_from_slice(samples);
        // A window is processed only when there is audio after it, because the last window of the
        // recording is evaluated up to its end.
        while self.sound.len() > WINDOW + (BATCH - 1) * STEP {
            self.process(BATCH, false)?;
            self.sound.drain(..BATCH * STEP);
            self.start += (BATCH * STEP) as u64;
        }
        Ok(())
    }

    /// The pieces in order of the windows, and the length of the recording in seconds.
    pub(super) fn finish(mut self) -> Result<(Vec<VoiceStretch>, f64), String> {
        let windows = 1 + self.sound.len().saturating_sub(WINDOW).div_ceil(STEP);
        self.process(windows, true)?;
        let length = seconds(self.start + self.sound.len() as u64);
        Ok((self.pieces, length))
    }

    /// Processes the next windows; `ends`: whether the recording ends with them.
    fn process(&mut self, count: usize, ends: bool) -> Result<(), String> {
        let windows: Vec<Vec<f32>> = (0..count)
            .map(|number| {
                let sound = &self.sound[number * STEP..];
                let mut window = sound[..sound.len().min(WINDOW)].to_vec();
                amplify_if_quiet(&mut window);
                window
            })
            .collect();
        let activities = Activity::run(self.segmentation, &windows)?;
        for (number, (sound, activity)) in windows.iter().zip(&activities).enumerate() {
            let start = self.start + (number * STEP) as u64;
            self.collect(start, sound, activity, ends && number + 1 == count)?;
            self.window += 1;
        }
        Ok(())
    }

    /// The pieces of a window that begins at the sample `start`.
    fn collect(
        &mut self,
        start: u64,
        sound: &[f32],
        activity: &Activity,
        is_last: bool,
    ) -> Result<(), String> {
        let from = if start == 0 { 0 } else { MARGIN / FRAME };
        let to = if is_last {
            sound.len() / FRAME
        } else {
            (MARGIN + STEP) / FRAME
        };
        let runs = activity.runs(from, to);
        if runs.is_empty() {
            return Ok(());
        }
        let frames = self.embedding.frames(sound);
        for run in runs {
            self.cut(start, &run, activity, &frames)?;
        }
        Ok(())
    }

    /// Cuts a stretch of one voice into pieces of about the same length.
    fn cut(
        &mut self,
        window: u64,
        run: &Run,
        activity: &Activity,
        frames: &[f32],
    ) -> Result<(), String> {
        let length = run.end - run.start;
        let count = length.div_ceil(PIECE);
        for number in 0..count {
            let start = run.start + length * number / count;
            let end = run.start + length * (number + 1) / count;
            let alone = self.alone(run.voice, start..end, activity, frames);
            let count = alone.len() / self.embedding.description().bands;
            let vector = if count >= MIN_FRAMES {
                Some(self.embedding.vector(alone)?)
            } else {
                None
            };
            let time = |frame: usize| seconds(window + (frame * FRAME) as u64);
            self.pieces.push(VoiceStretch {
                start: time(start),
                end: time(end),
                window: self.window,
                voice: run.voice,
                seconds: (count * self.embedding.description().hop) as f32 / SAMPLE_RATE as f32,
                vector,
            });
        }
        Ok(())
    }

    /// The embedding frames in which only this voice speaks.
    fn alone(
        &self,
        voice: usize,
        range: std::ops::Range<usize>,
        activity: &Activity,
        frames: &[f32],
    ) -> Vec<f32> {
        let &FrontEnd { bands, hop, .. } = self.embedding.description();
        let first = range.start * FRAME / hop;
        let last = (range.end * FRAME).div_ceil(hop);
        let mut alone = Vec::new();
        for (number, frame) in frames
            .chunks_exact(bands)
            .enumerate()
            .skip(first)
            .take(last - first)
        {
            if activity.is_alone(number * hop / FRAME, voice) {
                alone.extend_from_slice(frame);
            }
        }
        alone
    }
}

/// Amplifies a quiet window; clicks in it are clipped.
pub(super) fn amplify_if_quiet(samples: &mut [f32]) {
    let mut loudness: Vec<f32> = samples
        .chunks(SAMPLE_RATE / 50)
        .map(|step| (step.iter().map(|s| s * s).sum::<f32>() / step.len() as f32).sqrt())
        .collect();
    if loudness.is_empty() {
        return;
    }
    let place = (loudness.len() - 1) * 95 / 100;
    let (_, speech, _) = loudness.select_nth_unstable_by(place, f32::total_cmp);
    let speech = *speech;
    if speech >= QUIET || speech <= f32::EPSILON {
        return;
    }
    let gain = (LOUD / speech).min(MAX_GAIN);
    for sample in samples {
        *sample = (*sample * gain).clamp(-1.0, 1.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quiet_sound_is_amplified_and_other_sound_is_unchanged() {
        let tone = |amplitude: f32| -> Vec<f32> {
            (0..SAMPLE_RATE)
                .map(|i| (i as f32 * 0.1).sin() * amplitude)
                .collect()
        };
        let mut quiet = tone(0.001);
        quiet[5] = 0.5;
        amplify_if_quiet(&mut quiet);
        assert_eq!(quiet[5], 1.0);
        let peak = quiet[6..].iter().fold(0.0_f32, |peak, s| peak.max(s.abs()));
        assert!((0.1..0.2).contains(&peak), "{peak}");
        let mut loud = tone(0.2);
        amplify_if_quiet(&mut loud);
        assert_eq!(loud, tone(0.2));
        let mut silence = vec![0.0; 1000];
        amplify_if_quiet(&mut silence);
        assert_eq!(silence, vec![0.0; 1000]);
        amplify_if_quiet(&mut []);
    }

    #[test]
    fn the_similarity_within_voices_needs_several_pieces_of_one_voice() {
        let piece = |window, voice, vector: [f32; 2]| VoiceStretch {
            start: 0.0,
            end: 1.0,
            window,
            voice,
            seconds: 1.0,
            vector: Some(vector.to_vec()),
        };
        let similar = |window| [piece(window, 0, [1.0, 0.0]), piece(window, 0, [0.6, 0.8])];
        let other = piece(1, 1, [0.0, 1.0]);
        let few = [similar(0).as_slice(), &similar(1), &[other]].concat();
        assert_eq!(similarity_within_voices(&few), f32::INFINITY);
        let enough = [few.as_slice(), &similar(2), &similar(3)].concat();
        assert!((similarity_within_voices(&enough) - 0.6).abs() < 1e-6);
        assert_eq!(similarity_within_voices(&[]), f32::INFINITY);
    }
}
