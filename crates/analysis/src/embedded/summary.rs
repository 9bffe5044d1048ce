//! Extractive summary: picks sentences that represent the text best and overlap least with those
//! already picked (maximal marginal relevance).

use slovo_rules::analysis::{Summary, SummarySentence};

use super::cache::EmbeddedText;
use super::model::Vector;

/// Phrases that resemble important sentences, whatever their topic.
pub(super) const CUES: [&str; 8] = [
    "We decided to do it this way.",
    "We agreed that she will finish it by Friday.",
    "The main result is that it works and costs less.",
    "The most important problem is that there is not enough time.",
    "The next step is to test it and to report next week.",
    "Ми вирішили зробити це до кінця місяця.",
    "Hemos acordado que el plan empieza en mayo.",
    "Wir haben beschlossen, das Angebot anzunehmen.",
];

/// Weight of the similarity to the whole text in a sentence's relevance; the rest is similarity to
/// a cue.
const TOPIC: f64 = 0.6;
/// Weight of a sentence's relevance in the selection; the rest is dissimilarity to the chosen ones.
const RELEVANCE_WEIGHT: f64 = 0.7;

/// A summary of about `words` words, in the order of the text.
pub(super) fn summary(text: &EmbeddedText, cues: &[Vector], words: u32) -> Summary {
    let total: u32 = text.units.iter().map(|unit| unit.words).sum();
    let mut chosen: Vec<usize> = if u64::from(total) * 10 <= u64::from(words) * 11 {
        (0..text.units.len()).collect()
    } else {
        choose(text, &relevance(text, cues), words)
    };
    chosen.sort_unstable();
    Summary {
        words: chosen.iter().map(|place| text.units[*place].words).sum(),
        sentences: chosen
            .into_iter()
            .map(|place| SummarySentence {
                text: text.units[place].text.clone(),
                moments: vec![text.units[place].moment.clone()],
            })
            .collect(),
        extractive: true,
    }
}

/// How well each sentence represents the whole text.
fn relevance(text: &EmbeddedText, cues: &[Vector]) -> Vec<f64> {
    let Some(middle) = Vector::mean(&text.vectors) else {
        return Vec::new();
    };
    let cue_similarity = |vector: &Vector| {
        cues.iter()
            .map(|cue| vector.similarity(cue))
            .fold(0.0, f64::max)
    };
    text.units
        .iter()
        .zip(&text.vectors)
        .map(|(unit, vector)| {
            let likeness =
                TOPIC * vector.similarity(&middle) + (1.0 - TOPIC) * cue_similarity(vector);
            likeness + unit.content()
        })
        .collect()
}

fn choose(text: &EmbeddedText, relevance: &[f64], words: u32) -> Vec<usize> {
    let (least, enough, most) = bounds(words);
    let length = |place: usize| u64::from(text.units[place].words);
    let mut similarity = vec![0.0_f64; relevance.len()];
    let (mut chosen, mut total) = (Vec::new(), 0);
    while total < enough {
        let open = (0..relevance.len()).filter(|place| !chosen.contains(place));
        let fitting = open.filter(|place| total + length(*place) <= most);
        let value = |place: &usize| {
            RELEVANCE_WEIGHT * relevance[*place] - (1.0 - RELEVANCE_WEIGHT) * similarity[*place]
        };
        let Some(best) = fitting.max_by(|a, b| value(a).total_cmp(&value(b)).then(b.cmp(a))) else {
            break;
        };
        for (similarity, vector) in similarity.iter_mut().zip(&text.vectors) {
            *similarity = similarity.max(vector.similarity(&text.vectors[best]));
        }
        total += length(best);
        chosen.push(best);
    }
    if total < least {
        exchange_one(text, relevance, &mut chosen, (least, most));
    }
    chosen
}

/// The fewest words, the number of words after which no sentence is added, and the most words.
const fn bounds(words: u32) -> (u64, u64, u64) {
    let words = words as u64;
    ((words * 8).div_ceil(10), words * 95 / 100, words * 12 / 10)
}

/// If no remaining sentence fits, one chosen sentence is exchanged for a longer one. If none was
/// chosen at all, the sentence whose length is nearest is taken.
fn exchange_one(
    text: &EmbeddedText,
    relevance: &[f64],
    chosen: &mut Vec<usize>,
    (least, most): (u64, u64),
) {
    let length = |place: usize| u64::from(text.units[place].words);
    let total: u64 = chosen.iter().map(|place| length(*place)).sum();
    let mut best: Option<(f64, usize, usize)> = None;
    for (slot, out) in chosen.iter().enumerate() {
        for (into, value) in relevance.iter().enumerate() {
            let words = total - length(*out) + length(into);
            let gain = value - relevance[*out];
            let fits = (least..=most).contains(&words) && !chosen.contains(&into);
            if fits && best.is_none_or(|(other, _, _)| gain > other) {
                best = Some((gain, slot, into));
            }
        }
    }
    if let Some((_, slot, into)) = best {
        chosen[slot] = into;
    } else if chosen.is_empty() {
        let nearest = (0..relevance.len()).min_by_key(|place| length(*place).abs_diff(most));
        chosen.extend(nearest);
    }
}
