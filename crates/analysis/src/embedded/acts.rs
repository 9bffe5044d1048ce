//! Labels that name how something is said rather than its topic: moods, praise, complaints,
//! questions. Their words are close to no topic, so they are scored by sentiment and punctuation.

use slovo_rules::analysis::LabelScore;

use super::cache::EmbeddedText;
use super::model::Vector;
use super::moods::{self, MOODY};
use super::scores::{best, likelihood};

/// How steeply a label's likelihood rises above its threshold.
const SLOPE: f64 = 8.0;
/// The sentiment from which a sentence is praise or thanks; higher than just positive.
const PRAISING: f64 = 0.8;
/// The same for complaints. An error message sounds negative, too, so a sentence must also be
/// closer to the label than to "none of these" by a margin (see `labels.rs`).
const COMPLAINING: f64 = 0.6;
const COMPLAINT_MARGIN: f64 = 0.5;
/// Weight of one standard deviation of that margin, relative to the sentiment.
const MARGIN_WEIGHT: f64 = 0.5;
/// The share of questions among the best matching sentences from which the label "question" fits.
const ASKING: f64 = 0.5;
/// One such sentence in five is enough.
const FEWEST: usize = 1;

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
        .map(|vector| moods::score(known, vector))
        .collect();
    let overall = moods::overall(&text.units, &moods);
    // How far each sentence is above the threshold.
    let fits: Vec<f64> = match act {
        SpeechAct::Positive => moods.iter().map(|mood| mood - MOODY).collect(),
        SpeechAct::Negative => moods.iter().map(|mood| -mood - MOODY).collect(),
        SpeechAct::Neutral => moods.iter().map(|mood| MOODY - mood.abs()).collect(),
        SpeechAct::Praise => moods.iter().map(|mood| mood - PRAISING).collect(),
        SpeechAct::Complaint => moods
            .iter()
            .zip(margins)
            .map(|(mood, margin)| {
                let close = (margin - COMPLAINT_MARGIN) * MARGIN_WEIGHT;
                close.min(-mood - COMPLAINING)
            })
            .collect(),
        SpeechAct::Question => text
            .units
            .iter()
            .map(|unit| f64::from(u8::from(unit.is_question())) - ASKING)
            .collect(),
    };
    let (fit, moments) = best(text, fits, FEWEST);
    let above = match act {
        SpeechAct::Positive => overall - MOODY,
        SpeechAct::Negative => -overall - MOODY,
        SpeechAct::Neutral => MOODY - overall.abs(),
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
