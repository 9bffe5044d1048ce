//! Combines the scores of sentences into the score of a label.

use std::collections::HashSet;

use slovo_rules::analysis::Moment;

use super::cache::EmbeddedText;
use super::sentiment::mean;
use crate::thousandths;

/// A label is scored by its best matching sentences: one in this many.
const ONE_IN: usize = 5;
/// The most places per label.
const MOMENTS: usize = 3;

/// The mean of the best matching sentences (one in [`ONE_IN`], at least `fewest`) and the places of
/// the best. `fits` has one number per sentence.
pub(super) fn best(text: &EmbeddedText, fits: Vec<f64>, fewest: usize) -> (f64, Vec<Moment>) {
    let moments = text.units.iter().map(|unit| &unit.moment);
    let mut fits: Vec<(f64, &Moment)> = fits.into_iter().zip(moments).collect();
    fits.sort_by(|a, b| b.0.total_cmp(&a.0));
    let count = (fits.len() / ONE_IN).max(fewest).min(fits.len());
    let most: Vec<f64> = fits[..count].iter().map(|fit| fit.0).collect();
    let mut seen = HashSet::new();
    let places = fits
        .iter()
        .map(|(_, moment)| *moment)
        .filter(|moment| seen.insert(&moment.segment))
        .take(MOMENTS);
    (mean(&most), places.cloned().collect())
}

/// Maps to 0 to 1; 0 gives one half.
pub(super) fn likelihood(above: f64) -> f64 {
    thousandths(1.0 / (1.0 + (-above).exp()))
}
