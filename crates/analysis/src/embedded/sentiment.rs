//! Sentiment of sentences by comparison with reference sentences. `sentiment.txt` contains these: a
//! sign (positive, negative, neutral) and a sentence, in several languages.

use slovo_rules::analysis::{Mood, Sentiment, SentimentPoint};

use super::cache::EmbeddedText;
use super::model::Vector;
use super::units::Unit;
use crate::thousandths;

const FILE: &str = include_str!("sentiment.txt");
/// The number of most similar reference sentences of each mood that are used.
const NEAREST: usize = 5;
/// The difference in similarity that makes one mood e times as likely as another.
const TEMPERATURE: f64 = 0.015;
/// Weight of a neutral sentence relative to a strongly positive or negative one.
const NEUTRAL_WEIGHT: f64 = 0.3;
/// A text with at least this score is positive; one with at most its negative is negative.
pub(super) const THRESHOLD: f64 = 0.35;

/// The reference sentences, in the order of the file.
pub(super) fn sentences() -> Vec<&'static str> {
    rows().map(|(_, sentence)| sentence).collect()
}

fn rows() -> impl Iterator<Item = (Mood, &'static str)> {
    FILE.lines().filter_map(|row| {
        let (sign, sentence) = row.split_once(' ')?;
        let mood = match sign {
            "+" => Mood::Positive,
            "-" => Mood::Negative,
            "=" => Mood::Neutral,
            _ => return None,
        };
        Some((mood, sentence))
    })
}

/// The score of a sentence, -1 to 1. `known` are the vectors of [`sentences`].
pub(super) fn score(known: &[Vector], vector: &Vector) -> f64 {
    let closeness = |target: Mood| {
        let of_mood = rows().zip(known).filter(|((mood, _), _)| *mood == target);
        let mut similarities: Vec<f64> =
            of_mood.map(|(_, known)| known.similarity(vector)).collect();
        similarities.sort_by(|a, b| b.total_cmp(a));
        similarities.truncate(NEAREST);
        mean(&similarities)
    };
    let (good, bad) = (closeness(Mood::Positive), closeness(Mood::Negative));
    let calm = closeness(Mood::Neutral);
    let most = good.max(bad).max(calm);
    let weight = |closeness: f64| ((closeness - most) / TEMPERATURE).exp();
    (weight(good) - weight(bad)) / (weight(good) + weight(bad) + weight(calm))
}

/// The score of a text with these sentences. Sentences are weighted by the strength of their mood,
/// so that a few angry ones among neutral ones make an angry text.
pub(super) fn overall(units: &[Unit], scores: &[f64]) -> f64 {
    let (mut sum, mut weights) = (0.0, 0.0);
    for (unit, score) in units.iter().zip(scores) {
        let words = f64::from(unit.words.max(1));
        sum += words * score * score.abs();
        weights += words * score.abs().max(NEUTRAL_WEIGHT);
    }
    (sum / f64::max(weights, 1.0)).clamp(-1.0, 1.0)
}

/// The sentiment of a text: overall, and one point per segment.
pub(super) fn sentiment(known: &[Vector], text: &EmbeddedText) -> Sentiment {
    let mut points: Vec<(SentimentPoint, f64)> = Vec::new();
    let scores: Vec<f64> = text
        .vectors
        .iter()
        .map(|vector| score(known, vector))
        .collect();
    for (unit, score) in text.units.iter().zip(scores.iter().copied()) {
        let words = f64::from(unit.words.max(1));
        match points.last_mut() {
            Some((point, before)) if point.moment.segment == unit.moment.segment => {
                point.score = (point.score * *before + score * words) / (*before + words);
                *before += words;
            }
            _ => {
                let moment = unit.moment.clone();
                points.push((SentimentPoint { moment, score }, words));
            }
        }
    }
    let score = overall(&text.units, &scores);
    let mood = match score {
        _ if score >= THRESHOLD => Mood::Positive,
        _ if score <= -THRESHOLD => Mood::Negative,
        _ => Mood::Neutral,
    };
    let points = points.into_iter().map(|(point, _)| SentimentPoint {
        score: thousandths(point.score),
        ..point
    });
    Sentiment {
        mood,
        score: thousandths(score),
        reason: None,
        points: points.collect(),
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts of sentences")]
pub(super) fn mean(numbers: &[f64]) -> f64 {
    numbers.iter().sum::<f64>() / numbers.len().max(1) as f64
}
