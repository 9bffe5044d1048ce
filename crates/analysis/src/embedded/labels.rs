//! How well the user's labels fit. A label is embedded like a question. Its similarity to a
//! sentence is compared with its similarity to unrelated background sentences, and with the
//! similarity of that sentence to "none of these": labels for unrelated topics or small talk. A
//! sentence that is close to all of them ("Thank you.") supports none.
//!
//! Labels that name a mood or a speech act (`speech_acts.rs`) are not scored by meaning.

use std::collections::HashSet;

use slovo_rules::analysis::{Classification, LabelScore};

use super::cache::EmbeddedText;
use super::model::Vector;
use super::scores::{best, likelihood};
use super::sentiment::mean;
use super::speech_acts::{self, SpeechAct};

/// The fewest sentences that a label is scored by, if the text has as many.
const MIN_SENTENCES: usize = 3;
/// The number of standard deviations of the background by which a label must exceed "none of these"
/// to have a likelihood of one half, and how steeply it rises. Fitted to right and wrong labels,
/// and to ten topics over short recordings that match none of them.
const MIDDLE: f64 = 1.9;
const SLOPE: f64 = 2.0;
/// The least standard deviation of the background.
const MIN_DEVIATION: f64 = 0.002;

/// Labels for texts that match none of the user's labels, in the two languages of the interface:
/// topics of all kinds, and talk without a topic.
pub(super) const NONE: [&str; 38] = [
    "weather",
    "family",
    "work",
    "travel",
    "food",
    "music",
    "history",
    "health",
    "business",
    "law",
    "sport",
    "technology",
    "religion",
    "small talk",
    "greeting",
    "thanks",
    "announcement",
    "nothing in particular",
    "other",
    "погода",
    "родина",
    "робота",
    "подорожі",
    "їжа",
    "музика",
    "історія",
    "здоров’я",
    "бізнес",
    "закон",
    "спорт",
    "техніка",
    "релігія",
    "балачки",
    "привітання",
    "подяка",
    "оголошення",
    "ні про що",
    "інше",
];

/// The labels without duplicate names, otherwise as given.
pub(super) fn distinct(labels: &[String]) -> Vec<&str> {
    let mut seen = HashSet::new();
    labels
        .iter()
        .map(String::as_str)
        .filter(|label| seen.insert(*label))
        .collect()
}

/// The data that labels are compared with.
#[derive(Clone, Copy)]
pub(super) struct ReferenceVectors<'a> {
    /// Sentences about nothing in particular: the reference sentences of known mood.
    pub background: &'a [Vector],
    /// [`NONE`].
    pub none: &'a [Vector],
}

/// The labels with their scores, best first. `vectors` are those of the labels.
pub(super) fn classification(
    labels: &[&str],
    vectors: &[Vector],
    standing: ReferenceVectors<'_>,
    text: &EmbeddedText,
) -> Classification {
    let nothing = closeness_to_none(standing, text);
    let mut scores: Vec<LabelScore> = labels
        .iter()
        .zip(vectors)
        .map(|(label, vector)| {
            let query = Query::new(vector, standing.background);
            let margins = margins(&query, &nothing, text);
            match SpeechAct::named(label) {
                Some(act) => speech_acts::scored(label, act, &margins, standing.background, text),
                None => scored(label, margins, text),
            }
        })
        .collect();
    scores.sort_by(|a, b| b.score.total_cmp(&a.score));
    Classification { labels: scores }
}

/// A query with the mean and variation of its similarity to background sentences.
struct Query<'a> {
    vector: &'a Vector,
    middle: f64,
    deviation: f64,
}

impl<'a> Query<'a> {
    fn new(vector: &'a Vector, background: &[Vector]) -> Self {
        let usual: Vec<f64> = background
            .iter()
            .map(|other| vector.similarity(other))
            .collect();
        let middle = mean(&usual);
        let squares: Vec<f64> = usual.iter().map(|value| (value - middle).powi(2)).collect();
        Self {
            vector,
            middle,
            deviation: mean(&squares).sqrt().max(MIN_DEVIATION),
        }
    }

    /// The similarity in standard deviations above the background.
    fn closeness(&self, sentence: &Vector) -> f64 {
        (self.vector.similarity(sentence) - self.middle) / self.deviation
    }
}

/// The mean similarity of each sentence to "none of these".
fn closeness_to_none(standing: ReferenceVectors<'_>, text: &EmbeddedText) -> Vec<f64> {
    let none: Vec<Query<'_>> = standing
        .none
        .iter()
        .map(|vector| Query::new(vector, standing.background))
        .collect();
    let of = |sentence: &Vector| {
        let all: Vec<f64> = none.iter().map(|query| query.closeness(sentence)).collect();
        mean(&all)
    };
    text.vectors.iter().map(of).collect()
}

/// How much closer each sentence is to the query than to "none of these".
fn margins(query: &Query<'_>, nothing: &[f64], text: &EmbeddedText) -> Vec<f64> {
    text.vectors
        .iter()
        .zip(nothing)
        .map(|(sentence, nothing)| query.closeness(sentence) - nothing)
        .collect()
}

fn scored(label: &str, margins: Vec<f64>, text: &EmbeddedText) -> LabelScore {
    let (fit, moments) = best(text, margins, MIN_SENTENCES);
    LabelScore {
        label: label.to_owned(),
        score: likelihood((fit - MIDDLE) * SLOPE),
        reason: None,
        moments,
    }
}
