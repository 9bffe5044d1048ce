//! Labels that name how something is said rather than what about: moods, praise, complaints,
//! questions. Their words are close to no topic, so they go through sentiment and punctuation.

use slovo_rules::analysis::LabelScore;

use super::cache::Prepared;
use super::labels::{best, likelihood};
use super::model::Vector;
use super::moods::{self, MOODY};

/// How fast a label gets likelier above its bar.
const SLOPE: f64 = 8.0;
/// The mood of a sentence from which it praises or complains: more than sounding good or bad.
const OUTSPOKEN: f64 = 0.5;
/// One such sentence among five is enough.
const FEWEST: usize = 1;

/// What such a label asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Act {
    /// The whole text sounds good.
    Positive,
    /// It sounds bad.
    Negative,
    /// It sounds neither good nor bad.
    Neutral,
    /// Somebody praises or thanks.
    Praise,
    /// Somebody complains.
    Complaint,
    /// Somebody asks.
    Question,
}

/// The words by which people name them, in lower case.
const NAMES: [(Act, &[&str]); 6] = [
    (
        Act::Positive,
        &[
            "positive",
            "positivity",
            "позитив",
            "позитивний",
            "позитивна",
            "позитивне",
            "позитивні",
            "позитивно",
            "позитивный",
            "positivo",
            "positiva",
            "positiv",
            "positif",
        ],
    ),
    (
        Act::Negative,
        &[
            "negative",
            "negativity",
            "негатив",
            "негативний",
            "негативна",
            "негативне",
            "негативні",
            "негативно",
            "негативный",
            "negativo",
            "negativa",
            "negativ",
            "négatif",
            "négative",
        ],
    ),
    (
        Act::Neutral,
        &[
            "neutral",
            "нейтральний",
            "нейтральна",
            "нейтральне",
            "нейтральні",
            "нейтрально",
            "нейтральный",
            "neutro",
            "neutre",
            "neutrale",
        ],
    ),
    (
        Act::Praise,
        &[
            "praise",
            "thanks",
            "gratitude",
            "compliment",
            "похвала",
            "подяка",
            "подяки",
            "вдячність",
            "благодарность",
            "elogio",
            "agradecimiento",
            "lob",
            "dank",
            "éloge",
            "remerciement",
        ],
    ),
    (
        Act::Complaint,
        &[
            "complaint",
            "complaints",
            "criticism",
            "скарга",
            "скарги",
            "критика",
            "нарікання",
            "незадоволення",
            "жалоба",
            "queja",
            "beschwerde",
            "plainte",
        ],
    ),
    (
        Act::Question,
        &[
            "question",
            "questions",
            "запитання",
            "питання",
            "вопрос",
            "pregunta",
            "frage",
            "domanda",
            "pergunta",
        ],
    ),
];

impl Act {
    /// What the label names, if it is one of these words.
    pub(super) fn named(label: &str) -> Option<Self> {
        let label = label.trim().to_lowercase();
        NAMES
            .iter()
            .find(|(_, names)| names.contains(&label.as_str()))
            .map(|(act, _)| *act)
    }
}

/// How well the label of an act fits. `known` are the vectors of the sentences whose moods are
/// known.
pub(super) fn scored(label: &str, act: Act, known: &[Vector], text: &Prepared) -> LabelScore {
    let sentiments: Vec<f64> = text
        .vectors
        .iter()
        .map(|vector| moods::score(known, vector))
        .collect();
    let asks = |unit: &super::units::Unit| f64::from(u8::from(unit.is_question()));
    let overall = moods::overall(&text.units, &sentiments);
    let fits: Vec<f64> = match act {
        Act::Positive | Act::Praise => sentiments,
        Act::Negative | Act::Complaint => sentiments.iter().map(|score| -score).collect(),
        Act::Neutral => sentiments.iter().map(|score| 1.0 - score.abs()).collect(),
        Act::Question => text.units.iter().map(asks).collect(),
    };
    let (fit, moments) = best(text, fits, FEWEST);
    let above = match act {
        Act::Positive => overall - MOODY,
        Act::Negative => -overall - MOODY,
        Act::Neutral => MOODY - overall.abs(),
        Act::Praise | Act::Complaint | Act::Question => fit - OUTSPOKEN,
    };
    let score = likelihood(above * SLOPE);
    LabelScore {
        label: label.to_owned(),
        score,
        reason: None,
        // A place where it is not said would be pointed at as if it were.
        moments: if score < slovo_rules::analysis::LABEL_FOUND {
            Vec::new()
        } else {
            moments
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_known_in_any_case_and_in_no_more_than_their_own_words() {
        for (label, act) in [
            ("Positive", Some(Act::Positive)),
            (" НЕГАТИВНИЙ ", Some(Act::Negative)),
            ("нейтральний", Some(Act::Neutral)),
            ("подяка", Some(Act::Praise)),
            ("скарга", Some(Act::Complaint)),
            ("Запитання", Some(Act::Question)),
            ("positive test results", None),
            ("politics", None),
            ("", None),
        ] {
            assert_eq!(Act::named(label), act, "{label:?}");
        }
    }
}
