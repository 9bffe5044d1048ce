//! Labels that name how something is said rather than its topic: moods, praise, complaints,
//! questions. Their words are close to no topic, so they are scored by sentiment and punctuation.

use slovo_rules::analysis::LabelScore;

use super::cache::EmbeddedText;
use super::model::Vector;
use super::scores::{best, likelihood};
use super::sentiment::{self, THRESHOLD};

/// How steeply a label's likelihood rises above its threshold.
const SLOPE: f64 = 8.0;
/// The sentiment from which a sentence is praise or thanks; higher than just positive.
const PRAISE_THRESHOLD: f64 = 0.8;
/// The same for complaints. An error message sounds negative, too, so a sentence must also be
/// closer to the label than to "none of these" by a margin (see `labels.rs`).
const COMPLAINT_THRESHOLD: f64 = 0.6;
const COMPLAINT_MARGIN: f64 = 0.5;
/// Weight of one standard deviation of that margin, relative to the sentiment.
const MARGIN_WEIGHT: f64 = 0.5;
/// The share of questions among the best matching sentences from which the label "question" fits.
const QUESTION_THRESHOLD: f64 = 0.5;
/// One such sentence in five is enough.
const MIN_SENTENCES: usize = 1;

/// What such a label refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SpeechAct {
    /// The whole text is positive.
    Positive,
    /// The whole text is negative.
    Negative,
    /// The whole text is neutral.
    Neutral,
    /// Somebody praises or thanks.
    Praise,
    /// Somebody complains.
    Complaint,
    /// Somebody asks.
    Question,
}

/// Usual names of the acts, in lower case.
const NAMES: [(SpeechAct, &[&str]); 6] = [
    (
        SpeechAct::Positive,
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
        SpeechAct::Negative,
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
        SpeechAct::Neutral,
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
        SpeechAct::Praise,
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
        SpeechAct::Complaint,
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
        SpeechAct::Question,
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

impl SpeechAct {
    /// The act that a label names, if it is one of these names.
    pub(super) fn named(label: &str) -> Option<Self> {
        let label = label.trim().to_lowercase();
        NAMES
            .iter()
            .find(|(_, names)| names.contains(&label.as_str()))
            .map(|(act, _)| *act)
    }
}

/// How well an act's label fits. `margins` are those of the label's literal meaning, `known` the
/// vectors of the reference sentences of known mood.
pub(super) fn scored(
    label: &str,
    act: SpeechAct,
    margins: &[f64],
    known: &[Vector],
    text: &EmbeddedText,
) -> LabelScore {
    let moods: Vec<f64> = text
        .vectors
        .iter()
        .map(|vector| sentiment::score(known, vector))
        .collect();
    let overall = sentiment::overall(&text.units, &moods);
    // How far each sentence is above the threshold.
    let fits: Vec<f64> = match act {
        SpeechAct::Positive => moods.iter().map(|mood| mood - THRESHOLD).collect(),
        SpeechAct::Negative => moods.iter().map(|mood| -mood - THRESHOLD).collect(),
        SpeechAct::Neutral => moods.iter().map(|mood| THRESHOLD - mood.abs()).collect(),
        SpeechAct::Praise => moods.iter().map(|mood| mood - PRAISE_THRESHOLD).collect(),
        SpeechAct::Complaint => moods
            .iter()
            .zip(margins)
            .map(|(mood, margin)| {
                let close = (margin - COMPLAINT_MARGIN) * MARGIN_WEIGHT;
                close.min(-mood - COMPLAINT_THRESHOLD)
            })
            .collect(),
        SpeechAct::Question => text
            .units
            .iter()
            .map(|unit| f64::from(u8::from(unit.is_question())) - QUESTION_THRESHOLD)
            .collect(),
    };
    let (fit, moments) = best(text, fits, MIN_SENTENCES);
    let above = match act {
        SpeechAct::Positive => overall - THRESHOLD,
        SpeechAct::Negative => -overall - THRESHOLD,
        SpeechAct::Neutral => THRESHOLD - overall.abs(),
        SpeechAct::Praise | SpeechAct::Complaint | SpeechAct::Question => fit,
    };
    LabelScore {
        label: label.to_owned(),
        score: likelihood(above * SLOPE),
        reason: None,
        moments,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_match_in_any_case_but_only_as_a_whole() {
        for (label, act) in [
            ("Positive", Some(SpeechAct::Positive)),
            (" НЕГАТИВНИЙ ", Some(SpeechAct::Negative)),
            ("нейтральний", Some(SpeechAct::Neutral)),
            ("подяка", Some(SpeechAct::Praise)),
            ("скарга", Some(SpeechAct::Complaint)),
            ("Запитання", Some(SpeechAct::Question)),
            ("positive test results", None),
            ("politics", None),
            ("", None),
        ] {
            assert_eq!(SpeechAct::named(label), act, "{label:?}");
        }
    }
}
