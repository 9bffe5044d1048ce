//! Merges the segments of several streams in order of time.

use std::collections::VecDeque;

use slovo_rules::transcript::{Segment, speaker_name};

use crate::event::RecognisedWord;
use crate::repairs::Repairs;
use crate::sentences::SentenceMaker;
use crate::vad::seconds;
use crate::windows::{OVERLAP, Window};
use crate::words;

/// The state of one stream (the mix or a channel) between words and segments.
struct Lane {
    sentences: SentenceMaker,
    repairs: Repairs,
    /// Words of the last window, held back because the next window may change its end.
    pending: Vec<RecognisedWord>,
    /// Whether the window of the held words began with a forced cut.
    held_after_cut: bool,
    /// Start times in seconds of windows that were cut and whose words have not arrived.
    open: VecDeque<f64>,
    /// No window still to be cut begins before this, in seconds.
    uncut: f64,
    /// Complete segments that wait because a segment of another lane may come before them.
    ready: VecDeque<Segment>,
}

/// All streams of a job. A segment is emitted once none can come before it.
pub(super) struct Lanes {
    lanes: Vec<Lane>,
    next_index: u32,
}

impl Lanes {
    /// `count` streams; `with_words`: whether the segments contain their words. If there are several
    /// streams, each is one speaker.
    pub(super) fn new(count: usize, with_words: bool, repairs: Repairs) -> Self {
        let lane = || Lane {
            sentences: SentenceMaker::new(with_words),
            repairs,
            pending: Vec::new(),
            held_after_cut: false,
            open: VecDeque::new(),
            uncut: 0.0,
            ready: VecDeque::new(),
        };
        Self {
            lanes: std::iter::repeat_with(lane).take(count.max(1)).collect(),
            next_index: 0,
        }
    }

    /// Sets the language of words without a language of their own.
    pub(super) fn set_language(&mut self, code: &str) {
        for lane in &mut self.lanes {
            lane.repairs.set_language(code);
        }
    }

    /// Registers a window that was cut, with its start in seconds.
    pub(super) fn opened(&mut self, lane: usize, start: f64) {
        let lane = &mut self.lanes[lane];
        lane.open.push_back(start);
        // The windows of a stream arrive in the order of their starts.
        lane.uncut = lane.uncut.max(start);
    }

    /// Adds the words of a lane's next window.
    pub(super) fn push(&mut self, lane: usize, window: &Window, words: Vec<RecognisedWord>) {
        self.lanes[lane].push(window, words);
    }

    /// Sets up to where windows were cut, by lane, in seconds.
    pub(super) fn cut_until(&mut self, seconds: &[f64]) {
        for (lane, seconds) in self.lanes.iter_mut().zip(seconds) {
            lane.uncut = lane.uncut.max(*seconds);
        }
    }

    /// Marks the end: nothing follows.
    pub(super) fn finish(&mut self) {
        for lane in &mut self.lanes {
            lane.push_held();
            lane.ready.extend(lane.sentences.finish());
            lane.open.clear();
            lane.uncut = f64::INFINITY;
        }
    }

    /// The segments that can be emitted, numbered and with their speakers.
    pub(super) fn due(&mut self) -> Vec<Segment> {
        let mut due = Vec::new();
        while let Some((lane, start)) = self.earliest() {
            let is_due = |(number, other): (usize, &Lane)| number == lane || other.bound() >= start;
            if !self.lanes.iter().enumerate().all(is_due) {
                break;
            }
            let Some(mut segment) = self.lanes[lane].ready.pop_front() else {
                break;
            };
            segment.index = self.next_index;
            self.next_index += 1;
            if self.lanes.len() > 1 {
                segment.speaker = Some(speaker_name(lane));
            }
            due.push(segment);
        }
        due
    }

    /// The lane whose first complete segment begins first, and when. The lowest lane wins a tie.
    fn earliest(&self) -> Option<(usize, f64)> {
        let starts = self.lanes.iter().enumerate();
        let starts = starts.filter_map(|(number, lane)| Some((number, lane.ready.front()?.start)));
        starts.min_by(|a, b| a.1.total_cmp(&b.1))
    }
}

impl Lane {
    fn push(&mut self, window: &Window, words: Vec<RecognisedWord>) {
        self.open.pop_front();
        // Here and not where a window is recognised: stored windows keep what the model wrote.
        let mut words = self.repairs.window(words);
        if let Some(cut) = window.forced_start {
            words = words::join(&mut self.pending, words, seconds(cut), seconds(OVERLAP));
        }
        self.push_held();
        let after_cut = window.forced_start.is_some();
        if window.forced_end {
            self.pending = words;
            self.held_after_cut = after_cut;
        } else {
            self.push_words(words, after_cut);
        }
    }

    fn push_held(&mut self) {
        let pending = std::mem::take(&mut self.pending);
        self.push_words(pending, self.held_after_cut);
    }

    /// Adds the words of a window. `after_cut`: it began with a forced cut, not in a pause.
    fn push_words(&mut self, words: Vec<RecognisedWord>, after_cut: bool) {
        let repairs = self.repairs;
        let mut is_border = !after_cut;
        let segments = self.sentences.push(words, |last, next| {
            repairs.between(last, next, std::mem::take(&mut is_border));
        });
        self.ready.extend(segments);
    }

    /// No further segment of this lane begins before this, in seconds.
    fn bound(&self) -> f64 {
        let starts = [
            self.ready.front().map(|segment| segment.start),
            self.sentences.current_start(),
            self.pending.first().map(|word| word.start),
            self.open.front().copied(),
        ];
        starts.into_iter().flatten().fold(self.uncut, f64::min)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vad::SAMPLE_RATE;

    fn window(start: u64, end: u64) -> Window {
        let rate = SAMPLE_RATE as u64;
        Window {
            index: 0,
            start: start * rate,
            end: end * rate,
            voiced: Vec::new(),
            forced_start: None,
            forced_end: false,
        }
    }

    fn spoken_words(text: &str, start: f64) -> Vec<RecognisedWord> {
        vec![RecognisedWord {
            start,
            end: start + 0.5,
            text: text.to_owned(),
            spaced: true,
            confidence: 0.9,
            language: None,
        }]
    }

    fn texts(segments: &[Segment]) -> Vec<(u32, &str, Option<&str>)> {
        segments
            .iter()
            .map(|segment| {
                (
                    segment.index,
                    segment.text.as_str(),
                    segment.speaker.as_deref(),
                )
            })
            .collect()
    }

    #[test]
    fn a_single_stream_is_emitted_at_once_without_speakers() {
        let mut lanes = Lanes::new(1, true, Repairs::default());
        lanes.opened(0, 1.0);
        lanes.push(0, &window(1, 3), spoken_words("One.", 1.0));
        lanes.opened(0, 5.0);
        lanes.push(0, &window(5, 7), spoken_words("Two.", 5.0));
        assert_eq!(texts(&lanes.due()), [(0, "One.", None)]);
        lanes.finish();
        assert_eq!(texts(&lanes.due()), [(1, "Two.", None)]);
    }

    #[test]
    fn words_are_repaired_within_and_between_windows() {
        let mut lanes = Lanes::new(1, true, Repairs::default());
        lanes.set_language("uk");
        for (at, text) in [
            (1, "п'ять"),
            (2, "і."),
            (3, "На"),
            (4, "підлозі."),
            (6, "подласка"),
        ] {
            let at = f64::from(at);
            lanes.opened(0, at);
            lanes.push(0, &window(at as u64, at as u64 + 1), spoken_words(text, at));
        }
        lanes.finish();
        let segments = lanes.due();
        assert_eq!(
            texts(&segments),
            [(0, "П’ять і на підлозі.", None), (1, "Будь ласка", None)]
        );
        assert_eq!(segments[1].words.len(), 2);
        assert_eq!((segments[1].words[0].start, segments[1].end), (6.0, 6.5));
    }

    #[test]
    fn segments_of_two_streams_are_merged_in_order_of_time() {
        let mut lanes = Lanes::new(2, false, Repairs::default());
        lanes.opened(0, 1.0);
        lanes.opened(1, 4.0);
        lanes.opened(0, 8.0);
        lanes.push(1, &window(4, 6), spoken_words("Good.", 4.0));
        lanes.push(0, &window(1, 3), spoken_words("How are you?", 1.0));
        assert!(
            lanes.due().is_empty(),
            "neither sentence is known to be over"
        );
        lanes.push(0, &window(8, 9), spoken_words("Fine.", 8.0));
        assert_eq!(
            texts(&lanes.due()),
            [(0, "How are you?", Some("SPEAKER_0"))]
        );
        // The other stream may still have something before 8 s.
        lanes.cut_until(&[20.0, 20.0]);
        lanes.finish();
        assert_eq!(
            texts(&lanes.due()),
            [
                (1, "Good.", Some("SPEAKER_1")),
                (2, "Fine.", Some("SPEAKER_0"))
            ]
        );
    }

    #[test]
    fn a_silent_stream_does_not_hold_up_the_others() {
        let mut lanes = Lanes::new(2, false, Repairs::default());
        for (at, text) in [(1, "One."), (5, "Two."), (9, "Three.")] {
            lanes.opened(0, at as f64);
            lanes.push(0, &window(at, at + 2), spoken_words(text, at as f64));
        }
        assert!(lanes.due().is_empty());
        lanes.cut_until(&[10.0, 6.0]);
        assert_eq!(texts(&lanes.due()).len(), 2);
        lanes.cut_until(&[10.0, 2.0]);
        lanes.finish();
        assert_eq!(texts(&lanes.due()), [(2, "Three.", Some("SPEAKER_0"))]);
    }
}
