//! Divides a window into passages, and finds the language of each: a conversation may change its
//! language within one window.

use std::ops::Range;

use crate::vad::SAMPLE_RATE;
use crate::windows::{PADDING, Window, voiced_seconds};

/// A pause of at least this many samples can separate two passages: 300 ms.
const PAUSE: u64 = SAMPLE_RATE as u64 * 3 / 10;

/// Seconds of voiced sound that a passage has at least, if there is as much: detection is a guess
/// on less.
const SHORTEST: f64 = 1.5;

/// The probability that the language changes from one passage to the next.
const CHANGE: f64 = 0.05;

/// Seconds of voiced sound below which detection is too sure of itself: Ukrainian clips of 3 s are
/// taken for Russian with up to 0.99.
const ENOUGH: f64 = 6.0;

/// How much of the evidence of the shortest audio counts, as an exponent of its probabilities.
const MIN_WEIGHT: f64 = 0.3;

/// A language with this share needs no second opinion.
const CERTAIN: f64 = 0.95;

/// A language with a smaller share is not considered.
const POSSIBLE: f64 = 0.01;

/// How many languages are considered at most.
const MAX_CANDIDATES: usize = 3;

/// Probabilities below this are counted as this.
const FLOOR: f64 = 1e-6;

/// Voiced regions of a window that follow each other with short pauses, by their numbers.
type Passage = Range<usize>;

/// A part of a window in one language.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct WindowPart {
    pub(crate) window: Window,
    /// The place of its language among those that may be spoken.
    pub(crate) language: usize,
}

/// The passages of a window: one at least, if anything in it is voiced.
pub(crate) fn passages(window: &Window) -> Vec<Passage> {
    let length = |regions: &Passage| voiced_seconds(&window.voiced[regions.clone()]);
    let mut found: Vec<Passage> = Vec::new();
    for (number, region) in window.voiced.iter().enumerate() {
        match found.last_mut() {
            Some(passage)
                if length(passage) < SHORTEST || region.0 - window.voiced[number - 1].1 < PAUSE =>
            {
                passage.end = number + 1;
            }
            _ => found.push(number..number + 1),
        }
    }
    if let [.., before, last] = found.as_mut_slice()
        && length(last) < SHORTEST
    {
        before.end = last.end;
        found.pop();
    }
    found
}

/// The part of a window around some of its voiced regions. Pauses to the neighbouring regions are
/// shared with them.
pub(crate) fn part(window: &Window, regions: &Passage) -> Window {
    let voiced = window.voiced[regions.clone()].to_vec();
    let (is_first, is_last) = (regions.start == 0, regions.end == window.voiced.len());
    let from = |sample: u64| {
        let before = window.voiced[regions.start - 1].1;
        sample.saturating_sub(PADDING).max(before.midpoint(sample))
    };
    let to = |sample: u64| (sample + PADDING).min(sample.midpoint(window.voiced[regions.end].0));
    Window {
        index: window.index,
        start: match voiced.first() {
            Some(&(start, _)) if !is_first => from(start),
            _ => window.start,
        },
        end: match voiced.last() {
            Some(&(_, end)) if !is_last => to(end),
            _ => window.end,
        },
        voiced,
        forced_start: window.forced_start.filter(|_| is_first),
        forced_end: window.forced_end && is_last,
    }
}

/// Joins neighbouring passages of one language to pieces. `shares` are those of the languages that
/// may be spoken in each passage, `expected` is the recording's language if it is sure.
pub(crate) fn pieces(
    window: &Window,
    passages: &[Passage],
    shares: &[Vec<f64>],
    expected: Option<usize>,
) -> Vec<WindowPart> {
    let path = likeliest_path(shares, expected);
    let mut pieces = Vec::new();
    let mut first = 0;
    for run in path.chunk_by(|a, b| a == b) {
        let last = first + run.len();
        let regions = passages[first].start..passages[last - 1].end;
        pieces.push(WindowPart {
            window: part(window, &regions),
            language: run[0],
        });
        first = last;
    }
    pieces
}

/// The share of each language in audio with so many voiced seconds, from the probabilities that
/// detection gave. The evidence of short audio counts less than its probabilities say.
pub(crate) fn shares(probabilities: &[f32], voiced_seconds: f64) -> Vec<f64> {
    let weight = evidence(voiced_seconds);
    let weighed = probabilities
        .iter()
        .map(|probability| f64::from(*probability).max(FLOOR).powf(weight));
    normalised(weighed.collect())
}

/// The languages whose texts have to be compared, the likeliest first: none if one is certain.
pub(crate) fn candidates(shares: &[f64]) -> Vec<usize> {
    let mut places: Vec<usize> = (0..shares.len()).collect();
    places.sort_by(|a, b| shares[*b].total_cmp(&shares[*a]));
    places.truncate(MAX_CANDIDATES);
    places.retain(|place| shares[*place] >= POSSIBLE);
    let is_certain = places.first().is_none_or(|first| shares[*first] >= CERTAIN);
    if is_certain || places.len() == 1 {
        places.clear();
    }
    places
}

/// The shares once the texts of the candidates are known: `likelihoods` are the logarithms of their
/// probabilities. Other languages have no share.
pub(crate) fn decided(shares: &[f64], likelihoods: &[(usize, f64)]) -> Vec<f64> {
    let most = likelihoods
        .iter()
        .map(|(_, of)| *of)
        .fold(f64::MIN, f64::max);
    let mut decided = vec![0.0; shares.len()];
    for &(place, likelihood) in likelihoods {
        decided[place] = shares[place] * (likelihood - most).exp();
    }
    normalised(decided)
}

fn normalised(mut shares: Vec<f64>) -> Vec<f64> {
    let total: f64 = shares.iter().sum();
    shares.iter_mut().for_each(|share| *share /= total);
    shares
}

/// The language of one passage: another than the expected one needs more evidence.
pub(crate) fn language_of(shares: Vec<f64>, expected: usize) -> usize {
    let path = likeliest_path(&[shares], Some(expected));
    path.first().copied().unwrap_or(expected)
}

/// How much the probabilities of audio with so many voiced seconds count, as their exponent: 0.3 to 1.
pub(crate) fn evidence(voiced_seconds: f64) -> f64 {
    (voiced_seconds / ENOUGH).clamp(MIN_WEIGHT, 1.0)
}

/// The likeliest sequence of languages (Viterbi), in which changes are rare. With an expected
/// language the sequence begins and ends in it, so that other languages need more evidence.
fn likeliest_path(shares: &[Vec<f64>], expected: Option<usize>) -> Vec<usize> {
    let count = shares.first().map_or(0, Vec::len);
    let change = CHANGE.ln();
    let border = |language: usize| match expected {
        Some(expected) if expected != language => change,
        _ => 0.0,
    };
    let mut sums: Vec<f64> = (0..count).map(border).collect();
    let mut origins: Vec<Vec<usize>> = Vec::new();
    for (number, passage) in shares.iter().enumerate() {
        let best = largest(&sums);
        let origin = |language: usize| match best {
            Some(best) if number > 0 && sums[best] + change > sums[language] => best,
            _ => language,
        };
        let from: Vec<usize> = (0..count).map(origin).collect();
        sums = (0..count)
            .map(|language| {
                let origin = from[language];
                let step = if origin == language { 0.0 } else { change };
                sums[origin] + step + logarithm(passage[language])
            })
            .collect();
        origins.push(from);
    }
    for (language, sum) in sums.iter_mut().enumerate() {
        *sum += border(language);
    }
    let Some(mut language) = largest(&sums) else {
        return Vec::new();
    };
    let mut path = vec![language; shares.len()];
    for (place, from) in path.iter_mut().zip(&origins).rev() {
        *place = language;
        language = from[language];
    }
    path
}

/// The place of the largest sum, the first one in a tie.
fn largest(sums: &[f64]) -> Option<usize> {
    let mut places = 0..sums.len();
    let first = places.next()?;
    Some(places.fold(first, |best, place| {
        if sums[place] > sums[best] {
            place
        } else {
            best
        }
    }))
}

fn logarithm(share: f64) -> f64 {
    share.max(FLOOR).ln()
}

#[cfg(test)]
mod tests;
