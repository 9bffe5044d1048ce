//! The candidates ranked: how often they are said, and how close they are to what the text
//! is about.

use slovo_rules::analysis::{Keyword, Keywords};

use super::cache::Prepared;
use super::candidates::Candidate;
use super::model::Vector;
use crate::thousandths;

/// Keywords that are given.
const MOST: usize = 30;
/// Share of meaning in a score; the rest is how often it is said.
const MEANING: f64 = 0.5;

/// The keywords, the best first. `vectors` are the candidates'.
pub(super) fn keywords(
    candidates: Vec<Candidate>,
    vectors: &[Vector],
    text: &Prepared,
) -> Keywords {
    let Some(middle) = Vector::mean(&text.vectors) else {
        return Keywords {
            keywords: Vec::new(),
        };
    };
    let close: Vec<f64> = vectors
        .iter()
        .map(|vector| vector.similarity(&middle))
        .collect();
    let least = close.iter().copied().fold(f64::MAX, f64::min);
    let most = close.iter().copied().fold(f64::MIN, f64::max);
    let largest = candidates
        .iter()
        .map(|candidate| candidate.count)
        .max()
        .unwrap_or(1);
    let frequency = |count: u32| f64::from(count).ln_1p() / f64::from(largest).ln_1p();
    let mut keywords: Vec<Keyword> = candidates
        .into_iter()
        .zip(close)
        .map(|(candidate, close)| {
            let meaning = (close - least) / (most - least).max(1e-6);
            let score = MEANING * meaning + (1.0 - MEANING) * frequency(candidate.count);
            Keyword {
                text: candidate.text,
                score: thousandths(score.clamp(0.0, 1.0)),
                count: candidate.count,
                moments: candidate.moments,
            }
        })
        .collect();
    keywords.sort_by(|a, b| b.score.total_cmp(&a.score));
    keywords.truncate(MOST);
    Keywords { keywords }
}
