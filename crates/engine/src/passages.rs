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
const LEAST_WEIGHT: f64 = 0.3;

/// A language of this probability needs no second opinion.
const CERTAIN: f64 = 0.95;

/// A language below this probability is not considered.
const POSSIBLE: f64 = 0.01;

/// How many other languages beside the expected one share the rest of its probability: people who
/// change the language do so between few.
const OTHERS: f64 = 3.0;

/// Probabilities below this are counted as this.
const FLOOR: f64 = 1e-6;

/// Voiced regions of a window that follow each other with short pauses, by their numbers.
type Passage = Range<usize>;

/// What is known of the language before a window is recognised.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct LanguagePrior {
    /// Its place among the languages that may be spoken.
    pub(crate) language: usize,
    /// The probability that any audio of the recording is in it.
    pub(crate) probability: f64,
}

/// A part of a window in one language.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct WindowPart {
    pub(crate) window: Window,
    /// The likeliest languages as places among those that may be spoken, the likeliest first, with
    /// their probabilities: one, or two if the first is not certain.
    pub(crate) languages: Vec<(usize, f64)>,
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

/// Joins neighbouring passages of one language to pieces. `probabilities` are those of each
/// passage, in the order of the languages that may be spoken.
pub(crate) fn pieces(
    window: &Window,
    passages: &[Passage],
    probabilities: &[Vec<f32>],
    prior: Option<LanguagePrior>,
) -> Vec<WindowPart> {
    let path = likeliest_path(probabilities, prior.map(|prior| prior.language));
    let mut pieces = Vec::new();
    let mut first = 0;
    for run in path.chunk_by(|a, b| a == b) {
        let last = first + run.len();
        let regions = passages[first].start..passages[last - 1].end;
        let window = part(window, &regions);
        let languages = ranked(&probabilities[first..last], window.voiced_seconds(), prior);
        pieces.push(WindowPart { window, languages });
        first = last;
    }
    pieces
}

/// The likeliest languages of audio with so many voiced seconds: one, or two if the first is not
/// certain. The evidence of short audio counts less than its probabilities say.
pub(crate) fn ranked(
    probabilities: &[Vec<f32>],
    voiced_seconds: f64,
    prior: Option<LanguagePrior>,
) -> Vec<(usize, f64)> {
    let weight = evidence(voiced_seconds);
    let count = probabilities.first().map_or(0, Vec::len);
    let sum_of = |language: usize| -> f64 {
        let logarithms = probabilities.iter().map(|all| logarithm(all[language]));
        let expected = match prior {
            Some(prior) if prior.language == language => prior.probability,
            Some(prior) => (1.0 - prior.probability) / OTHERS,
            None => 1.0,
        };
        weight * logarithms.sum::<f64>() + expected.ln()
    };
    let mut all: Vec<(usize, f64)> = (0..count).map(|place| (place, sum_of(place))).collect();
    let most = all.iter().map(|(_, sum)| *sum).fold(f64::MIN, f64::max);
    all.iter_mut()
        .for_each(|(_, sum)| *sum = (*sum - most).exp());
    let total: f64 = all.iter().map(|(_, share)| share).sum();
    all.iter_mut().for_each(|(_, share)| *share /= total);
    all.sort_by(|a, b| b.1.total_cmp(&a.1));
    all.truncate(2);
    let is_certain = all.first().is_none_or(|first| first.1 >= CERTAIN);
    if is_certain || all.last().is_some_and(|second| second.1 < POSSIBLE) {
        all.truncate(1);
    }
    all
}

/// How much the probabilities of audio with so many voiced seconds count, as their exponent: 0.3 to 1.
pub(crate) fn evidence(voiced_seconds: f64) -> f64 {
    (voiced_seconds / ENOUGH).clamp(LEAST_WEIGHT, 1.0)
}

/// The likeliest sequence of languages (Viterbi), in which changes are rare. With an expected
/// language the sequence begins and ends in it, so that other languages need more evidence.
fn likeliest_path(probabilities: &[Vec<f32>], expected: Option<usize>) -> Vec<usize> {
    let count = probabilities.first().map_or(0, Vec::len);
    let change = CHANGE.ln();
    let border = |language: usize| match expected {
        Some(expected) if expected != language => change,
        _ => 0.0,
    };
    let mut sums: Vec<f64> = (0..count).map(border).collect();
    let mut origins: Vec<Vec<usize>> = Vec::new();
    for (number, passage) in probabilities.iter().enumerate() {
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
    let mut path = vec![language; probabilities.len()];
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

fn logarithm(probability: f32) -> f64 {
    f64::from(probability).max(FLOOR).ln()
}

#[cfg(test)]
mod tests;
