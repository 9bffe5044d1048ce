//! Cuts the recording into windows for the recogniser.
//!
//! Whisper processes at most 30 s at once. A window contains voiced regions and the pauses between
//! them, as long as no pause exceeds two seconds; it ends in a silence. Only speech without any
//! pause is cut by force: then the next window repeats the last second, and `words::join` merges
//! the duplicate words.

use crate::vad::{FRAME, SAMPLE_RATE, seconds};

/// Speech begins at a frame with at least this probability.
const ON: f32 = 0.5;

/// Speech may end at frames below this probability; between the two thresholds it continues.
const OFF: f32 = 0.35;

/// Consecutive frames without speech that end a voiced region: 96 ms.
const MIN_SILENCE: usize = 3;

/// Shorter voiced regions are clicks: 160 ms. Short words ("yes") take 200 ms or more.
const MIN_SPEECH: usize = 5;

/// A longer pause ends the window: 2 s. Whisper loses sentences across longer pauses.
const MAX_PAUSE: usize = 2 * SAMPLE_RATE / FRAME;

/// The longest distance from the first voiced frame to the last, 27.5 s: with the padding at both
/// ends it stays below 28 s, beyond which Whisper's last words suffer.
const MAX_EXTENT: usize = 27 * SAMPLE_RATE / FRAME + SAMPLE_RATE / FRAME / 2;

/// A window is not cut earlier than this, to use the encoder's 30 s well: 40% of the extent.
const EARLY: usize = MAX_EXTENT * 2 / 5;

/// A forced cut is placed within this many last frames: 8 s.
const FORCED_RANGE: usize = 8 * SAMPLE_RATE / FRAME;

/// Audio kept before and after the voiced region: 200 ms.
pub(crate) const PADDING: u64 = SAMPLE_RATE as u64 / 5;

/// Overlap of the windows on both sides of a forced cut: 1 s before and after it.
pub(crate) const OVERLAP: u64 = SAMPLE_RATE as u64;

/// The most samples that Whisper processes at once: 30 s.
const LONGEST: u64 = 30 * SAMPLE_RATE as u64;

/// A voiced region in frames, the end excluded.
type Region = std::ops::Range<usize>;

/// A window of the recording.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Window {
    /// Number, from 0.
    pub index: usize,
    /// First sample.
    pub start: u64,
    /// The end, exclusive; at most 30 s after `start`.
    pub end: u64,
    /// The voiced regions inside, in samples of the recording.
    pub voiced: Vec<(u64, u64)>,
    /// The sample of the forced cut at the window's beginning, if there was one.
    pub forced_start: Option<u64>,
    /// Whether a forced cut ends the window, so that the next one repeats the last second.
    pub forced_end: bool,
}

impl Window {
    /// Seconds of voiced sound.
    pub(crate) fn voiced_seconds(&self) -> f64 {
        voiced_seconds(&self.voiced)
    }
}

/// Seconds of voiced sound in some regions of a window.
pub(crate) fn voiced_seconds(regions: &[(u64, u64)]) -> f64 {
    let samples: u64 = regions.iter().map(|(start, end)| end - start).sum();
    seconds(samples)
}

/// Makes windows out of a stream of speech probabilities.
#[derive(Default)]
pub(crate) struct WindowCutter {
    /// Frames seen so far.
    frames: usize,
    /// Closed voiced regions of the current window.
    regions: Vec<Region>,
    /// Start of the voiced region that is still open.
    open: Option<usize>,
    /// First silent frame at the end of the open region.
    silent_since: Option<usize>,
    /// Probabilities since the open region began, for a forced cut.
    open_probabilities: Vec<f32>,
    /// The next window's index.
    index: usize,
    /// The end of the last window, exclusive.
    previous_end: u64,
    /// Set if the current window began with a forced cut.
    forced_start: Option<u64>,
}

impl WindowCutter {
    /// Adds the probability of the next frame; returns a window when one is complete.
    pub(crate) fn push(&mut self, probability: f32) -> Option<Window> {
        let frame = self.frames;
        self.frames += 1;
        self.follow(frame, probability);
        let first = self.first_frame()?;
        if self.open.is_none() {
            let end = self.regions.last().map_or(first, |region| region.end);
            return (self.frames - end >= MAX_PAUSE)
                .then(|| self.take(self.regions.len(), u64::MAX));
        }
        (self.frames - first >= MAX_EXTENT).then(|| self.cut())
    }

    /// The last window, at the end of a recording of `total` samples.
    pub(crate) fn finish(&mut self, total: u64) -> Option<Window> {
        self.close(self.silent_since.unwrap_or(self.frames));
        if self.regions.is_empty() {
            return None;
        }
        Some(self.take(self.regions.len(), total))
    }

    /// The first sample that a later window can need.
    pub(crate) fn needed_from(&self) -> u64 {
        let first = self.first_frame().unwrap_or(self.frames);
        let earliest = self
            .forced_start
            .map_or((first * FRAME) as u64, |cut| cut.saturating_sub(OVERLAP));
        earliest.min((first * FRAME) as u64).saturating_sub(PADDING)
    }

    fn first_frame(&self) -> Option<usize> {
        self.regions
            .first()
            .map(|region| region.start)
            .or(self.open)
    }

    /// Tracks speech with hysteresis: it begins at `ON` and ends after some frames below `OFF`.
    fn follow(&mut self, frame: usize, probability: f32) {
        if self.open.is_none() {
            if probability >= ON {
                self.open = Some(frame);
                self.open_probabilities.clear();
                self.open_probabilities.push(probability);
            }
            return;
        }
        self.open_probabilities.push(probability);
        if probability >= ON {
            self.silent_since = None;
        } else if probability < OFF {
            let since = *self.silent_since.get_or_insert(frame);
            if frame + 1 - since >= MIN_SILENCE {
                self.close(since);
            }
        }
    }

    fn close(&mut self, end: usize) {
        self.silent_since = None;
        let Some(start) = self.open.take() else {
            return;
        };
        // A region after a forced cut is the end of speech and never a click: if it were dropped,
        // no window would begin at the cut, and its audio would be kept forever.
        let follows_cut = self.forced_start == Some((start * FRAME) as u64);
        if follows_cut || end.saturating_sub(start) >= MIN_SPEECH {
            self.regions.push(start..end.max(start + 1));
        }
    }

    /// Cuts a window that has become too long while somebody speaks.
    fn cut(&mut self) -> Window {
        let first = self.first_frame().unwrap_or(self.frames);
        let starts = self.regions.iter().skip(1).map(|region| region.start);
        let pauses: Vec<(usize, usize, usize)> = self
            .regions
            .iter()
            .zip(starts.chain(self.open))
            .enumerate()
            .map(|(count, (region, next))| (count + 1, region.end, next - region.end))
            .collect();
        let late = pauses.iter().any(|(_, at, _)| at - first >= EARLY);
        let best = pauses
            .into_iter()
            .filter(|(_, at, _)| !late || at - first >= EARLY)
            .max_by_key(|&(_, at, pause)| (pause.min(SAMPLE_RATE / FRAME), at));
        match best {
            Some((regions, _, _)) => self.take(regions, u64::MAX),
            None => self.force_cut(),
        }
    }

    /// Cuts speech without a pause at the frame with the lowest probability of speech.
    fn force_cut(&mut self) -> Window {
        let start = self.open.unwrap_or(self.frames);
        let smooth = |at: usize| -> f32 {
            let around = &self.open_probabilities[at - 2..at + 3];
            around.iter().sum()
        };
        let length = self.open_probabilities.len();
        let from = length.saturating_sub(FORCED_RANGE).max(2);
        let at = (from..length.saturating_sub(2).max(from + 1))
            .min_by(|&a, &b| smooth(a).total_cmp(&smooth(b)))
            .unwrap_or(length / 2);
        let cut = start + at;
        self.regions.push(start..cut);
        let mut window = self.take(self.regions.len(), u64::MAX);
        let sample = (cut * FRAME) as u64;
        // The window may extend beyond the cut, as far as there is audio.
        window.end = (sample + OVERLAP)
            .min((self.frames * FRAME) as u64)
            .min(window.start + LONGEST);
        window.forced_end = true;
        self.previous_end = sample.saturating_sub(OVERLAP);
        self.forced_start = Some(sample);
        self.open = Some(cut);
        self.open_probabilities.drain(..at);
        self.silent_since = self.silent_since.map(|since| since.max(cut));
        window
    }

    /// Makes a window out of the first `count` regions.
    fn take(&mut self, count: usize, total: u64) -> Window {
        let taken: Vec<Region> = self.regions.drain(..count).collect();
        let sample = |frame: usize| (frame * FRAME) as u64;
        let (first, last) = (taken[0].start, taken[taken.len() - 1].end);
        let forced_start = self.forced_start.take();
        let start = match forced_start {
            Some(cut) => cut.saturating_sub(OVERLAP),
            None => sample(first).saturating_sub(PADDING).max(self.previous_end),
        };
        let mut end = (sample(last) + PADDING).min(total).min(start + LONGEST);
        if let Some(next) = self.first_frame() {
            // A short pause is divided equally between two windows.
            end = end.min((sample(last) + sample(next)) / 2);
        }
        self.previous_end = end;
        let window = Window {
            index: self.index,
            start,
            end,
            voiced: taken
                .iter()
                .map(|region| (sample(region.start), sample(region.end).min(total)))
                .collect(),
            forced_start,
            forced_end: false,
        };
        self.index += 1;
        window
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PER_SECOND: f64 = SAMPLE_RATE as f64 / FRAME as f64;

    fn seconds(sample: u64) -> f64 {
        sample as f64 / SAMPLE_RATE as f64
    }

    /// Windows for speech given as (seconds of speech, seconds of pause after it).
    fn windows(parts: &[(f64, f64)]) -> Vec<Window> {
        let mut cutter = WindowCutter::default();
        let mut windows = Vec::new();
        let mut frames = 0;
        for &(speech, pause) in parts {
            for (length, probability) in [(speech, 0.9), (pause, 0.05)] {
                for _ in 0..(length * PER_SECOND).round() as usize {
                    windows.extend(cutter.push(probability));
                    frames += 1;
                    let needed = cutter.needed_from();
                    assert!(
                        frames * FRAME - needed as usize <= 30 * SAMPLE_RATE,
                        "bounded"
                    );
                }
            }
        }
        windows.extend(cutter.finish((frames * FRAME) as u64));
        for (place, window) in windows.iter().enumerate() {
            assert_eq!(window.index, place);
            assert!(window.end > window.start);
            assert!(
                window.end - window.start <= 29 * SAMPLE_RATE as u64,
                "{window:?}"
            );
        }
        windows
    }

    #[test]
    fn silence_and_clicks_give_no_windows() {
        assert_eq!(windows(&[(0.0, 100.0)]), []);
        assert_eq!(windows(&[(0.1, 10.0)]), []);
    }

    #[test]
    fn sentences_with_short_pauses_share_a_window() {
        let windows = windows(&[(3.0, 0.5), (4.0, 1.0), (5.0, 1.5), (2.0, 5.0)]);
        assert_eq!(windows.len(), 1);
        assert_eq!(windows[0].voiced.len(), 4);
        assert!((seconds(windows[0].end) - 17.2).abs() < 0.1);
    }

    #[test]
    fn a_long_pause_ends_the_window() {
        let windows = windows(&[(3.0, 2.5), (4.0, 0.0)]);
        assert_eq!(windows.len(), 2);
        assert!((seconds(windows[0].end) - 3.2).abs() < 0.1);
        assert!((seconds(windows[1].start) - 5.3).abs() < 0.1);
    }

    #[test]
    fn a_full_window_ends_at_its_longest_late_pause() {
        let windows = windows(&[(4.0, 1.5), (9.0, 0.2), (5.0, 0.8), (3.0, 0.2), (10.0, 1.0)]);
        assert_eq!(windows.len(), 2);
        // 4 + 1.5 + 9 + 0.2 + 5 = 19.7, then only the padding.
        assert!((seconds(windows[0].end) - 19.9).abs() < 0.15, "{windows:?}");
        assert_eq!(windows[0].voiced.len(), 3);
        assert_eq!(windows[1].voiced.len(), 2);
    }

    #[test]
    fn speech_without_a_pause_is_cut_by_force_with_an_overlap() {
        let windows = windows(&[(100.0, 3.0)]);
        assert!(windows.len() >= 4, "{}", windows.len());
        assert_eq!(windows[0].forced_start, None);
        for pair in windows.windows(2) {
            let cut = pair[1].forced_start.expect("cut by force");
            assert_eq!(pair[1].start, cut - OVERLAP);
            assert!(pair[0].end >= cut && pair[0].end <= cut + OVERLAP);
        }
        let covered: f64 = windows.iter().map(Window::voiced_seconds).sum();
        assert!((covered - 100.0).abs() < 0.1, "{covered}");
    }

    /// Windows for these probabilities, each repeated for a number of frames, and the first sample
    /// still needed at the end.
    fn rated(parts: &[(usize, f32)]) -> (Vec<Window>, u64) {
        let mut cutter = WindowCutter::default();
        let mut windows = Vec::new();
        let mut frames = 0;
        for &(count, probability) in parts {
            for _ in 0..count {
                windows.extend(cutter.push(probability));
                frames += 1;
                let buffered = frames * FRAME - cutter.needed_from() as usize;
                assert!(buffered <= 30 * SAMPLE_RATE, "bounded");
            }
        }
        let needed = cutter.needed_from();
        windows.extend(cutter.finish((frames * FRAME) as u64));
        for window in &windows {
            assert!(window.end > window.start, "{window:?}");
            assert!(window.end - window.start <= LONGEST, "{window:?}");
        }
        (windows, needed)
    }

    #[test]
    fn audio_is_released_when_speech_ends_right_after_a_forced_cut() {
        let quiet = 60 * SAMPLE_RATE / FRAME;
        for extra in 0..8 {
            let speech = MAX_EXTENT - 4 + extra;
            let (windows, needed) = rated(&[(speech, 0.9), (quiet, 0.05), (200, 0.9)]);
            assert!(
                needed > (quiet * FRAME) as u64,
                "{extra}: still needs {needed}"
            );
            let last = &windows[windows.len() - 1];
            assert_eq!(last.forced_start, None, "{extra}: {last:?}");
            assert!(last.end - last.start < 7 * SAMPLE_RATE as u64, "{last:?}");
        }
    }

    #[test]
    fn an_uncertain_silence_before_a_forced_cut_gives_valid_regions() {
        let parts = [(MAX_EXTENT - 400, 0.9), (1, 0.3), (500, 0.4), (3000, 0.05)];
        let (windows, needed) = rated(&parts);
        assert!(needed > 3000 * FRAME as u64, "{needed}");
        for window in windows {
            assert!(window.voiced.iter().all(|(from, to)| from < to));
        }
    }

    #[test]
    fn neighbouring_windows_do_not_overlap_at_a_pause() {
        let windows = windows(&[(15.0, 0.15), (15.0, 0.15), (15.0, 0.15), (15.0, 0.15)]);
        for pair in windows.windows(2) {
            assert!(pair[0].end <= pair[1].start, "{pair:?}");
        }
    }
}
