//! When each cue comes and goes.
//!
//! A cue comes with its first word and stays into the silence behind its last one, as long as reading
//! it takes. Where that is not enough, the cue after it may come a little late, or it comes a little
//! early out of the silence before it: of all ways the one with the fewest cues that are too fast or
//! too short, and of those the one nearest to what is heard.

use super::SubtitleLimits;
use crate::seconds::finite;

/// Most seconds that a cue comes before its first word is heard, out of silence. (The BBC's guide lets
/// a subtitle anticipate speech by 1.5.)
const LEAD_SECONDS: f64 = 1.0;
/// Steps in which a cue comes early or late.
const STEP_SECONDS: f64 = 0.05;
/// The steps: early, in time, late.
const EARLY: usize = 20;
const STEPS: usize = EARLY + 1 + 12;
/// Where much is said at once, this many seconds are between two beginnings, if the recording has them.
const CRAMMED_SECONDS: f64 = 0.5;
/// The same where the recording has not even that.
const LEAST_SECONDS: f64 = 0.1;
/// Part of the highest speed that is read with ease: a cue stays so long if nothing follows.
const EASE: f64 = 0.85;
/// A pause shorter than this many seconds, but for the gap, is filled by the cue before it.
const FILLED_SECONDS: f64 = 0.5;
/// What a cue that is too fast or too short costs at least.
const BAD: f64 = 10.0;

/// What is said in a cue.
#[derive(Clone, Copy, Debug)]
pub(super) struct Heard {
    /// When its first word begins, in seconds; never before that of the cue before it.
    pub start: f64,
    /// When its last word ends.
    pub end: f64,
    /// Characters to read, with the speaker's name.
    pub characters: usize,
}

/// What cues keep clear of.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    /// From when on the first one may come early: nothing is before it; `None`: it may not.
    pub silent_from: Option<f64>,
    /// When the next one begins; infinite where there is none.
    pub next: f64,
    /// Whether the gap before the next one is kept by `next` already.
    pub keeps_gap: bool,
    /// Where the recording ends; 0: unknown.
    pub duration: f64,
}

/// Starts and ends, in seconds with whole milliseconds: rising, apart by the gap of the limits.
pub(super) fn times(heard: &[Heard], bounds: Bounds, limits: &SubtitleLimits) -> Vec<(f64, f64)> {
    let Some(frame) = Frame::of(heard, bounds, limits) else {
        return Vec::new();
    };
    let steps = frame.best_steps();
    let starts: Vec<f64> = steps
        .iter()
        .enumerate()
        .map(|(at, &step)| rounded(frame.start(at, step)))
        .collect();
    let mut times = Vec::with_capacity(heard.len());
    for (at, &start) in starts.iter().enumerate() {
        let follows = starts
            .get(at + 1)
            .map_or(frame.close, |next| next - frame.gap);
        times.push((start, frame.end(at, start, follows)));
    }
    times
}

/// The cues with what bounds them.
struct Frame<'a> {
    heard: &'a [Heard],
    /// When each would come, in time.
    wanted: Vec<f64>,
    limits: &'a SubtitleLimits,
    gap: f64,
    /// The last moment of the last cue.
    close: f64,
    /// The least time of each.
    least: f64,
    silent_from: Option<f64>,
    /// Whether a cue comes after the last one.
    is_followed: bool,
}

impl<'a> Frame<'a> {
    fn of(heard: &'a [Heard], bounds: Bounds, limits: &'a SubtitleLimits) -> Option<Self> {
        let first = heard.first()?;
        let count = f64::from(u32::try_from(heard.len()).unwrap_or(u32::MAX));
        // A recording that ends too early is not believed.
        let spoken = heard.iter().map(|one| one.end).fold(first.end, f64::max);
        let end = if bounds.duration > 0.0 {
            let least = first.start + count * LEAST_SECONDS;
            bounds.duration.max(spoken).max(least)
        } else {
            f64::INFINITY
        };
        let room = bounds.next.min(end) - first.start;
        let spacing = CRAMMED_SECONDS.min(room / count).max(0.004);
        let gap = limits.gap().min(spacing / 2.0);
        let close = if bounds.keeps_gap {
            bounds.next
        } else if bounds.next.is_finite() {
            (bounds.next - gap).min(end)
        } else {
            end
        };
        Some(Self {
            heard,
            wanted: spaced(heard, spacing, close.max(first.start + count * spacing)),
            limits,
            gap,
            close: close.max(first.start + count * spacing),
            least: spacing / 2.0,
            silent_from: bounds.silent_from,
            is_followed: bounds.next.is_finite(),
        })
    }

    fn start(&self, at: usize, step: usize) -> f64 {
        self.wanted[at] + shift(step)
    }

    /// How early or late each comes.
    fn best_steps(&self) -> Vec<usize> {
        let many = self.heard.len();
        // From the last cue to the first: what the rest costs at least if this one comes so early or
        // late, and when the one after it then comes.
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

    /// What it costs that a cue comes early or late; infinite where it cannot.
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
        // Only out of silence.
        let silent = at
            .checked_sub(1)
            .map_or(self.silent_from.unwrap_or(0.0), |before| {
                self.heard[before].end.min(self.wanted[at]) + self.gap
            });
        if start < silent - 1e-9 {
            return f64::INFINITY;
        }
        4.0 * -by + 8.0 * by * by
    }

    /// What a cue costs that comes and must go at these times.
    fn cost(&self, at: usize, start: f64, follows: f64) -> f64 {
        let room = (follows - start).min(self.limits.max_seconds);
        if room < self.least - 1e-9 {
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

    /// Seconds that reading it takes at the highest speed.
    fn reading(&self, at: usize) -> f64 {
        let characters = u32::try_from(self.heard[at].characters).unwrap_or(u32::MAX);
        f64::from(characters) / self.limits.max_cps
    }

    fn end(&self, at: usize, start: f64, follows: f64) -> f64 {
        let last = (start + self.limits.max_seconds).min(follows);
        let needed = self.reading(at).max(self.limits.min_seconds);
        let ease = needed.max(self.reading(at) / EASE);
        let wanted = self.heard[at].end.max(start + ease);
        let is_followed = at + 1 < self.heard.len() || self.is_followed;
        let filled = is_followed && follows - wanted < FILLED_SECONDS;
        let end = if filled { follows } else { wanted }.min(last);
        // Never rounded up over what follows.
        raised(end).min(floored(last)).max(start + 0.001)
    }
}

/// When cues would come: as they are heard, but at least so far apart, and so early that the last has
/// its time before the end.
fn spaced(heard: &[Heard], spacing: f64, close: f64) -> Vec<f64> {
    let mut starts: Vec<f64> = Vec::with_capacity(heard.len());
    let mut floor = f64::NEG_INFINITY;
    for one in heard {
        let start = finite(one.start).unwrap_or(0.0).max(floor);
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

fn floored(seconds: f64) -> f64 {
    (seconds * 1_000.0 + 1e-6).floor() / 1_000.0
}

fn raised(seconds: f64) -> f64 {
    (seconds * 1_000.0 - 1e-6).ceil() / 1_000.0
}
