//! The time spans of a window in which words can be.

use slovo_rules::transcript::rounded;

use crate::event::RecognisedWord;
use crate::vad::seconds;
use crate::windows::Window;

/// A word whose aligned start is at most this long before the audio of a voiced region is moved to
/// it: 60 ms, twice the voice detector's step.
const SLACK: f64 = 0.06;

/// A word with fewer seconds than this in the region before a pause belongs to the region after it:
/// the voice detector ends regions a little late.
const LEFTOVER: f64 = 0.12;

/// The same for the first word after a full stop, which usually follows a pause.
const LEFTOVER_AFTER_STOP: f64 = 0.3;

/// The length in seconds of a word that was moved to the region after a pause.
const MOVED: f64 = 0.2;

/// By how many seconds a word may be extended beyond its aligned end into voiced sound.
const LONGEST_TAIL: f64 = 0.4;

/// The shortest word in seconds.
const SHORTEST: f64 = 0.02;

/// The voiced regions of a window in seconds, to which words are moved.
pub(super) struct Timeline {
    offset: f64,
    end: f64,
    voiced: Vec<(f64, f64)>,
}

impl Timeline {
    pub(super) fn new(window: &Window) -> Self {
        Self {
            offset: seconds(window.start),
            end: seconds(window.end),
            voiced: window
                .voiced
                .iter()
                .map(|&(start, end)| (seconds(start), seconds(end)))
                .collect(),
        }
    }

    /// The end of the window in seconds.
    pub(super) fn end(&self) -> f64 {
        self.end
    }

    /// The alignment finds a word's end well but lets the next word begin there, even if a pause
    /// follows. So a start in silence moves forward to the next voiced region, and an end in
    /// silence back to the previous one. A word of which hardly any part lies in that region
    /// belongs to the region after the pause.
    pub(super) fn place(&self, start: f64, end: f64, after_stop: bool) -> (f64, f64) {
        let (mut start, mut end) = (self.offset + start, (self.offset + end).min(self.end));
        if let Some((sound_end, next_start)) = self.pause_at(end) {
            let leftover = if after_stop {
                LEFTOVER_AFTER_STOP
            } else {
                LEFTOVER
            };
            if start < sound_end - leftover {
                end = sound_end;
            } else if let Some(next) = next_start {
                (start, end) = (next, (next + MOVED).min(self.end));
            }
        }
        if let Some(&(from, _)) = self
            .voiced
            .iter()
            .rev()
            .find(|(from, _)| *from < end - SLACK)
            && from > start
        {
            start = from;
        }
        start = start.min(self.end - SHORTEST).max(self.offset);
        (start, end.max(start + SHORTEST))
    }

    /// Extends the last word before a pause to the end of its region: the alignment ends it up to a
    /// third of a second early.
    pub(super) fn extend_to_sound_end(&self, words: &mut [RecognisedWord]) {
        for place in 0..words.len() {
            let next = words
                .get(place + 1)
                .map_or(f64::INFINITY, |word| word.start);
            let word = &mut words[place];
            let sound = self
                .voiced
                .iter()
                .find(|(from, to)| (*from..*to).contains(&word.end));
            if let Some(&(_, sound_end)) = sound
                && sound_end <= next
                && sound_end - word.end <= LONGEST_TAIL
            {
                word.end = rounded(sound_end.min(self.end));
            }
        }
    }

    /// The pause at this time, with a tolerance of [`SLACK`]: the end of the region before it and
    /// the start of the region after it.
    fn pause_at(&self, time: f64) -> Option<(f64, Option<f64>)> {
        let next = self
            .voiced
            .partition_point(|(from, _)| from + SLACK <= time);
        let (_, sound_end) = *self.voiced.get(next.checked_sub(1)?)?;
        (sound_end < time).then(|| (sound_end, self.voiced.get(next).map(|(from, _)| *from)))
    }
}
