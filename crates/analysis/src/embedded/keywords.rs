//! Ranks the candidates by frequency and by similarity to the whole text.

use slovo_rules::analysis::{Keyword, Keywords};

use super::cache::EmbeddedText;
use super::candidates::Candidate;
use super::model::Vector;
use crate::thousandths;

/// The most keywords returned.
const MAX_KEYWORDS: usize = 30;
/// Weight of similarity in a score; the rest is frequency.
const MEANING: f64 = 0.5;

/// The keywords, best first. `vectors` are those of the candidates.
pub(super) fn keywords(
    candidates: Vec<Candidate>,
    vectors: &[Vector],
    text: &EmbeddedText,
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
    keywords.truncate(MAX_KEYWORDS);
    Keywords { keywords }
}
