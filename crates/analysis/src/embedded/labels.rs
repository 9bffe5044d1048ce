//! How well the user's labels fit: a label is asked for like a question, and its closeness
//! to a sentence is measured against its closeness to sentences about nothing in particular.

use std::collections::HashSet;

use slovo_rules::analysis::{Classification, LabelScore, Moment};

use super::cache::Prepared;
use super::model::Vector;
use super::moods::mean;
use crate::thousandths;

/// A label is scored by the sentences that it fits best: one in so many, at least
/// [`FEWEST`] where there are so many.
const ONE_IN: usize = 5;
const FEWEST: usize = 3;
/// Standard deviations above the background at which a label is as likely as not, and how
/// fast it gets likelier above; by the distribution of right and wrong labels.
const MIDDLE: f64 = 1.9;
const SLOPE: f64 = 2.0;
/// Places shown for a label.
const MOMENTS: usize = 3;
/// Least standard deviation of the background.
const LEAST_DEVIATION: f64 = 0.002;

/// The labels, each once: as given, without a second one of the same name.
pub(super) fn distinct(labels: &[String]) -> Vec<&str> {
    let mut seen = HashSet::new();
    labels
        .iter()
        .map(String::as_str)
        .filter(|label| seen.insert(*label))
        .collect()
}

/// The labels with their scores, the best first. `vectors` are the labels', `background`
/// the sentences about nothing in particular.
pub(super) fn classification(
    labels: &[&str],
    vectors: &[Vector],
    background: &[Vector],
    text: &Prepared,
) -> Classification {
    let mut scores: Vec<LabelScore> = labels
        .iter()
        .zip(vectors)
        .map(|(label, vector)| scored(label, vector, background, text))
        .collect();
    scores.sort_by(|a, b| b.score.total_cmp(&a.score));
    Classification { labels: scores }
}

fn scored(label: &str, vector: &Vector, background: &[Vector], text: &Prepared) -> LabelScore {
    let usual: Vec<f64> = background
        .iter()
        .map(|other| vector.similarity(other))
        .collect();
    let middle = mean(&usual);
    let squares: Vec<f64> = usual.iter().map(|value| (value - middle).powi(2)).collect();
    let deviation = mean(&squares).sqrt().max(LEAST_DEVIATION);
    let mut fits: Vec<(f64, &Moment)> = text
        .vectors
        .iter()
        .zip(&text.units)
        .map(|(other, unit)| {
            (
                (vector.similarity(other) - middle) / deviation,
                &unit.moment,
            )
        })
        .collect();
    fits.sort_by(|a, b| b.0.total_cmp(&a.0));
    let count = (fits.len() / ONE_IN).max(FEWEST).min(fits.len());
    let best: Vec<f64> = fits[..count].iter().map(|fit| fit.0).collect();
    let mut seen = HashSet::new();
    let moments = fits
        .iter()
        .map(|(_, moment)| *moment)
        .filter(|moment| seen.insert(&moment.segment))
        .take(MOMENTS);
    LabelScore {
        label: label.to_owned(),
        score: thousandths(1.0 / (1.0 + (-(mean(&best) - MIDDLE) * SLOPE).exp())),
        reason: None,
        moments: moments.cloned().collect(),
    }
}
