//! When each cue starts and ends.
//!
//! A cue starts with its first word and extends into the silence after its last one, as long as
//! reading takes. If that is not enough, the next cue may start a little late, or this one a little
//! early in silence: chosen are the shifts with the fewest cues that are too fast or too short, and
//! among those the ones closest to the speech.

use super::SubtitleLimits;
use crate::seconds::finite;

/// Maximum seconds that a cue starts before its first word, in silence. (BBC subtitle guidelines
/// allow 1.5.)
const LEAD_SECONDS: f64 = 1.0;
/// Step size of early and late starts, in seconds.
const STEP_SECONDS: f64 = 0.05;
/// The number of early steps, on-time steps and late steps.
const EARLY: usize = 20;
const STEPS: usize = EARLY + 1 + 12;
/// Where much is said at once, the minimum seconds between two starts, if the recording has room.
const DENSE_SECONDS: f64 = 0.5;
/// The same if it does not.
const MIN_SECONDS: f64 = 0.1;
/// Share of the maximum speed that is comfortable to read: a cue lasts this long if nothing
/// follows.
const COMFORTABLE_SHARE: f64 = 0.85;
/// A pause shorter than this many seconds is filled by the preceding cue, except for the gap.
const FILLED_SECONDS: f64 = 0.5;
/// Minimum cost of a cue that is too fast or too short.
const BAD: f64 = 10.0;

/// The speech in a cue.
#[derive(Clone, Copy, Debug)]
pub(super) struct CueSpeech {
    /// Start of its first word, in seconds; never before that of the preceding cue.
    pub start: f64,
    /// End of its last word.
    pub end: f64,
    /// Number of characters to read, including the speaker's name.
    pub characters: usize,
}

/// What limits the times of cues.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    /// From when on the first cue may start early, because of silence; `None`: it may not.
    pub silent_from: Option<f64>,
    /// When the next one begins; infinite without one.
    pub next: f64,
    /// Whether `next` already includes the gap.
    pub keeps_gap: bool,
    /// End of the recording; 0: unknown.
    pub duration: f64,
}

/// Starts and ends in seconds, rounded to milliseconds: ascending, separated by the gap.
pub(super) fn times(
    speech: &[CueSpeech],
    bounds: Bounds,
    limits: &SubtitleLimits,
) -> Vec<(f64, f64)> {
    let Some(frame) = Frame::of(speech, bounds, limits) else {
        return Vec::new();
    };
    let steps = frame.best_steps();
    let starts: Vec<f64> = steps
        .iter()
        .enumerate()
        .map(|(at, &step)| rounded(frame.start(at, step)))
        .collect();
    let mut times = Vec::with_capacity(speech.len());
    for (at, &start) in starts.iter().enumerate() {
        let follows = starts
            .get(at + 1)
            .map_or(frame.close, |next| next - frame.gap);
        times.push((start, frame.end(at, start, follows)));
    }
    times
}

/// The cues with their limits.
struct Frame<'a> {
    speech: &'a [CueSpeech],
    /// The on-time start of each.
    desired_starts: Vec<f64>,
    limits: &'a SubtitleLimits,
    gap: f64,
    /// The latest end of the last cue.
    close: f64,
    /// The minimum duration of each.
    min_distance: f64,
    silent_from: Option<f64>,
    /// Whether another cue follows the last one.
    is_followed: bool,
}

impl<'a> Frame<'a> {
    fn of(speech: &'a [CueSpeech], bounds: Bounds, limits: &'a SubtitleLimits) -> Option<Self> {
        let first = speech.first()?;
        let count = f64::from(u32::try_from(speech.len()).unwrap_or(u32::MAX));
        // A duration that ends before the speech is ignored.
        let speech_end = speech.iter().map(|cue| cue.end).fold(first.end, f64::max);
        let end = if bounds.duration > 0.0 {
            let min_end = first.start + count * MIN_SECONDS;
            bounds.duration.max(speech_end).max(min_end)
        } else {
            f64::INFINITY
        };
        let room = bounds.next.min(end) - first.start;
        let spacing = DENSE_SECONDS.min(room / count).max(0.004);
        let gap = limits.gap().min(spacing / 2.0);
        let close = if bounds.keeps_gap {
            bounds.next
        } else if bounds.next.is_finite() {
            (bounds.next - gap).min(end)
        } else {
            end
        };
        Some(Self {
            speech,
            desired_starts: spaced(speech, spacing, close.max(first.start + count * spacing)),
            limits,
            gap,
            close: close.max(first.start + count * spacing),
            min_distance: spacing / 2.0,
            silent_from: bounds.silent_from,
            is_followed: bounds.next.is_finite(),
        })
    }

    fn start(&self, at: usize, step: usize) -> f64 {
        self.desired_starts[at] + shift(step)
    }

    /// The early or late step of each.
    fn best_steps(&self) -> Vec<usize> {
        let many = self.speech.len();
        // Backwards from the last cue: the minimum cost of the rest for each step of this cue, and
        // the resulting step of the next one.
        let mut after = [0.0_f64; STEPS];
        let mut choices: Vec<[u8; STEPS]> = Vec::with_capacity(many);
        for at in (0..many).rev() {
            let mut costs = [f64::INFINITY; STEPS];
            let mut choice = [0_u8; STEPS];
            for step in 0..STEPS {
                let shifted = self.shift_cost(at, step);
                if !shifted.is_finite() {
                    continue;
                }
                let start = self.start(at, step);
                if at + 1 == many {
                    costs[step] = shifted + self.cost(at, start, self.close);
                    continue;
                }
                for (next, &rest) in (0_u8..).zip(&after) {
                    let follows = self.start(at + 1, usize::from(next)) - self.gap;
                    let cost = shifted + rest + self.cost(at, start, follows);
                    if cost < costs[step] {
                        costs[step] = cost;
                        choice[step] = next;
                    }
                }
            }
            after = costs;
            choices.push(choice);
        }
        let cheapest = (0..STEPS).min_by(|a, b| after[*a].total_cmp(&after[*b]));
        let mut step = cheapest
            .filter(|step| after[*step].is_finite())
            .unwrap_or(EARLY);
        let mut steps = Vec::with_capacity(many);
        for choice in choices.iter().rev() {
            steps.push(step);
            step = usize::from(choice[step]);
        }
        steps
    }

    /// The cost of an early or late start; infinite if it is not possible.
    fn shift_cost(&self, at: usize, step: usize) -> f64 {
        if step == EARLY {
            return 0.0;
        }
        let by = shift(step);
        let start = self.start(at, step);
        if at == 0 && self.silent_from.is_none() {
            return f64::INFINITY;
        }
        if by > 0.0 {
            return 3.0 * by + 8.0 * by * by;
        }
        // Early only in silence.
        let silent = at
            .checked_sub(1)
            .map_or(self.silent_from.unwrap_or(0.0), |before| {
                self.speech[before].end.min(self.desired_starts[at]) + self.gap
            });
        if start < silent - 1e-9 {
            return f64::INFINITY;
        }
        4.0 * -by + 8.0 * by * by
    }

    /// The cost of a cue with this start and this latest end.
    fn cost(&self, at: usize, start: f64, follows: f64) -> f64 {
        let room = (follows - start).min(self.limits.max_seconds);
        if room < self.min_distance - 1e-9 {
            return f64::INFINITY;
        }
        let too_fast = self.reading(at) / room - 1.0;
        let too_short = self.limits.min_seconds - room;
        let fast = if too_fast > 1e-9 {
            BAD + 20.0 * too_fast.min(4.0)
        } else {
            0.0
        };
        let short = if too_short > 1e-9 {
            BAD + 20.0 * too_short
        } else {
            0.0
        };
        fast + short
    }

    /// Seconds that reading it takes at the maximum speed.
    fn reading(&self, at: usize) -> f64 {
        let characters = u32::try_from(self.speech[at].characters).unwrap_or(u32::MAX);
        f64::from(characters) / self.limits.max_cps
    }

    fn end(&self, at: usize, start: f64, follows: f64) -> f64 {
        let last = (start + self.limits.max_seconds).min(follows);
        let needed = self.reading(at).max(self.limits.min_seconds);
        let ease = needed.max(self.reading(at) / COMFORTABLE_SHARE);
        let desired = self.speech[at].end.max(start + ease);
        let is_followed = at + 1 < self.speech.len() || self.is_followed;
        let filled = is_followed && follows - desired < FILLED_SECONDS;
        let end = if filled { follows } else { desired }.min(last);
        // Never rounded up beyond what follows.
        round_up(end).min(round_down(last)).max(start + 0.001)
    }
}

/// The on-time starts: those of the speech, but with a minimum distance, and early enough that the
/// last cue has its time before the end.
fn spaced(speech: &[CueSpeech], spacing: f64, close: f64) -> Vec<f64> {
    let mut starts: Vec<f64> = Vec::with_capacity(speech.len());
    let mut floor = f64::NEG_INFINITY;
    for cue in speech {
        let start = finite(cue.start).unwrap_or(0.0).max(floor);
        floor = start + spacing;
        starts.push(start);
    }
    let mut ceiling = close - spacing;
    let first = starts.first().copied().unwrap_or(0.0);
    for start in starts.iter_mut().rev() {
        if *start <= ceiling {
            break;
        }
        *start = ceiling.max(first);
        ceiling = *start - spacing;
    }
    starts
}

fn shift(step: usize) -> f64 {
    let step = f64::from(u32::try_from(step).unwrap_or(u32::MAX));
    step * STEP_SECONDS - LEAD_SECONDS
}

fn rounded(seconds: f64) -> f64 {
    (seconds * 1_000.0).round() / 1_000.0
}

fn round_down(seconds: f64) -> f64 {
    (seconds * 1_000.0 + 1e-6).floor() / 1_000.0
}

fn round_up(seconds: f64) -> f64 {
    (seconds * 1_000.0 - 1e-6).ceil() / 1_000.0
}
