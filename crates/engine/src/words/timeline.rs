//! Where in a window's sound a word can stand.

use slovo_rules::transcript::rounded;

use crate::event::RecognisedWord;
use crate::vad::seconds;
use crate::windows::Window;

/// A word that the alignment lets begin this long before the sound does is moved to
/// the sound: 60 ms, twice the voice detector's step.
const SLACK: f64 = 0.06;

/// A word with less of it in the sound before a pause belongs to the sound after, in
/// seconds: the voice detector hears sound out a little late.
const LEFTOVER: f64 = 0.12;

/// The same for the first word after a full stop, which a pause follows more often than not.
const LEFTOVER_AFTER_STOP: f64 = 0.3;

/// The length of a word that was moved to the sound after a pause, in seconds.
const MOVED: f64 = 0.2;

/// How much of the sound after its aligned end a word may take, in seconds.
const LONGEST_TAIL: f64 = 0.4;

/// The shortest word that is written.
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

    /// Alignment gives a word's end well and lets the next word begin there, pause or
    /// not. So a start in silence moves on to the next sound, an end in silence back to
    /// the sound before. A word of which hardly anything lies in that sound belongs to
    /// the sound after the pause.
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

    /// The last word before a pause ends with its sound: alignment ends it up to a third
    /// of a second early.
    pub(super) fn let_sound_out(&self, words: &mut [RecognisedWord]) {
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

    /// The pause that holds this time, or holds it but for [`SLACK`]: the end of the
    /// sound before it, and the start of the sound after it.
    fn pause_at(&self, time: f64) -> Option<(f64, Option<f64>)> {
        let next = self
            .voiced
            .partition_point(|(from, _)| from + SLACK <= time);
        let (_, sound_end) = *self.voiced.get(next.checked_sub(1)?)?;
        (sound_end < time).then(|| (sound_end, self.voiced.get(next).map(|(from, _)| *from)))
    }
}
