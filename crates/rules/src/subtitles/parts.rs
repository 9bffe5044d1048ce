//! How a segment is split into cues: of all splits that fit, the one that reads best.
//!
//! The cost of a split is the sum over its cues. Cues that exceed the reading speed or are too
//! short cost most; then partial sentences and cues of a word or two.

use super::SubtitleLimits;
use super::lines;
use super::words::Atom;

/// A pause of this many seconds inside a segment starts a new cue.
const PAUSE_SECONDS: f64 = 1.5;
/// A pause of this many seconds is a good place to split.
const BREATH_SECONDS: f64 = 0.3;
/// Maximum bytes of a cue: zero-width characters take no columns, but processing time.
const MAX_BYTES: usize = 2048;
/// A cue with fewer characters reads badly on its own.
const FEW: f64 = 15.0;

/// What precedes a segment's cues, and what follows the segment.
#[derive(Clone, Copy, Debug)]
pub(super) struct CueContext {
    /// Columns of the speaker's name before the first cue.
    pub first_head: usize,
    /// Columns reserved in the other cues.
    pub head: usize,
    /// When the next segment begins; infinite without one.
    pub next: f64,
}

/// The ends of the cues, as ascending numbers of atoms; the last one is the number of all.
pub(super) fn parts(atoms: &[Atom], setting: CueContext, limits: &SubtitleLimits) -> Vec<usize> {
    let many = atoms.len();
    // The minimum cost of the preceding atoms, and where their last cue begins.
    let mut best: Vec<(f64, usize)> = vec![(f64::INFINITY, 0); many + 1];
    best[0] = (0.0, 0);
    for first in 0..many {
        let head = if first == 0 {
            setting.first_head
        } else {
            setting.head
        };
        let before = best[first].0;
        let mut room = CueSpace::new(head, limits);
        let mut characters = head;
        for (end, atom) in (first + 1..).zip(&atoms[first..]) {
            let takes =
                room.takes(atom) && !(end > first + 1 && too_long(&atoms[first..end], limits));
            if !takes && end > first + 1 {
                break;
            }
            characters += atom.text.chars().count();
            let cost = before
                + cost(
                    &atoms[first..end],
                    atoms.get(end),
                    characters,
                    setting,
                    limits,
                );
            if cost < best[end].0 {
                best[end] = (cost, first);
            }
        }
    }
    let mut ends = Vec::new();
    let mut end = many;
    while end > 0 {
        ends.push(end);
        end = best[end].1;
    }
    ends.reverse();
    ends
}

/// The lines of a cue while it is filled: the first as full as possible, the rest in the second.
struct CueSpace {
    max_columns: usize,
    /// Columns of the lines so far, without trailing spaces.
    lines: [usize; 2],
    /// The line being filled.
    line: usize,
    last: usize,
    /// Whether there is a space before the next atom.
    spaced: bool,
    bytes: usize,
}

impl CueSpace {
    fn new(head: usize, limits: &SubtitleLimits) -> Self {
        Self {
            max_columns: limits.max_columns,
            // The space after the name is included.
            lines: [head, 0],
            line: 0,
            last: limits.max_lines.clamp(1, 2) - 1,
            spaced: false,
            bytes: 0,
        }
    }

    /// Whether the atom still fits; if so, adds it.
    fn takes(&mut self, atom: &Atom) -> bool {
        self.bytes += atom.text.len();
        let width = self.lines[self.line] + usize::from(self.spaced) + atom.columns;
        if width <= self.max_columns {
            self.lines[self.line] = width;
        } else if self.line < self.last {
            self.line += 1;
            self.lines[self.line] = atom.columns;
        } else {
            return false;
        }
        self.spaced = atom.text.ends_with(' ');
        self.bytes <= MAX_BYTES && atom.columns <= self.max_columns
    }
}

/// Whether the last atom comes too late for a cue with the others.
fn too_long(atoms: &[Atom], limits: &SubtitleLimits) -> bool {
    let [.., before, last] = atoms else {
        return false;
    };
    last.start - before.end >= PAUSE_SECONDS || last.end - atoms[0].start > limits.max_seconds
}

fn cost(
    atoms: &[Atom],
    next: Option<&Atom>,
    characters: usize,
    setting: CueContext,
    limits: &SubtitleLimits,
) -> f64 {
    let (Some(first), Some(last)) = (atoms.first(), atoms.last()) else {
        return 0.0;
    };
    let follows = next.map_or(setting.next, |next| next.start);
    let room = (follows - limits.gap() - first.start)
        .min(limits.max_seconds)
        .max(0.001);
    let characters = number(characters - usize::from(last.text.ends_with(' ')));
    let speed = characters / room / limits.max_cps;
    let fast = if speed > 1.0 {
        6.0 + 12.0 * (speed - 1.0).min(4.0)
    } else {
        0.0
    };
    let short = (limits.min_seconds - room).max(0.0);
    let short = if short > 0.0 { 6.0 + 12.0 * short } else { 0.0 };
    let few = 0.8 * (1.0 - characters / FEW).max(0.0);
    1.0 + fast + short + few + next.map_or(0.0, |next| break_cost(last, next))
}

fn number(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}

/// The cost of ending a cue between these two.
fn break_cost(last: &Atom, next: &Atom) -> f64 {
    let text = last.text.trim_end();
    let breath = if next.start - last.end >= BREATH_SECONDS {
        0.4
    } else {
        0.0
    };
    let place = if next.within {
        2.5
    } else if lines::ends_sentence(text) {
        0.0
    } else if lines::ends_clause(text) {
        0.3
    } else if lines::ends_with_short_word(text) {
        1.6
    } else {
        1.1
    };
    place - breath
}
