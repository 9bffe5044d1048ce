//! What several protocols make of a text.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use slovo_rules::edit::EditedTranscript;
use slovo_rules::transcript::{Word, rounded};

/// Sentences as a text on one line.
pub(crate) fn joined<'a>(sentences: impl Iterator<Item = &'a String>) -> String {
    sentences.map(String::as_str).collect::<Vec<_>>().join(" ")
}

/// The whole text on one line.
pub(crate) fn whole(text: &EditedTranscript) -> String {
    joined(text.segments.iter().map(|it| &it.text))
}

/// The text with each segment on a line.
pub(crate) fn lines(text: &EditedTranscript) -> String {
    let each = text.segments.iter().map(|it| format!("{}\n", it.text));
    each.collect()
}

/// The words of a text.
pub(crate) fn words_of(text: &EditedTranscript) -> impl Iterator<Item = &Word> {
    text.segments.iter().flat_map(|it| &it.words)
}

/// Natural logarithm of a word's confidence; finite also for 0.
pub(crate) fn logprob(word: &Word) -> f64 {
    rounded(word.confidence.max(1e-6).ln())
}

/// The mean of some numbers; 0 if there are none.
pub(crate) fn mean(numbers: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
    numbers.sum::<f64>() / f64::from(count.max(1))
}

/// Place of a speaker in the order of their first words, from 0; `None` without speakers.
pub(crate) fn place_of_speaker(text: &EditedTranscript, speaker: Option<&str>) -> Option<usize> {
    let id = speaker?;
    let place = text.speakers.iter().position(|speaker| speaker.id == id);
    Some(place.unwrap_or(text.speakers.len()))
}

/// Code of the language that the text is in.
pub(crate) fn language_code(text: &EditedTranscript, is_translated: bool) -> &str {
    if is_translated { "en" } else { &text.language }
}

/// The English name of a language in lower case, as Whisper calls it.
pub(crate) fn language_name(code: &str) -> String {
    static NAMES: LazyLock<BTreeMap<String, String>> = LazyLock::new(|| {
        let file = include_str!("../../../web/src/locales/en/languages.json");
        serde_json::from_str(file).unwrap_or_default()
    });
    NAMES.get(code).map_or(code, String::as_str).to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_have_whispers_names() {
        assert_eq!(language_name("uk"), "ukrainian");
        assert_eq!(language_name("xx"), "xx");
    }

    #[test]
    fn nothing_has_the_mean_zero() {
        assert!(mean([].into_iter()).abs() < f64::EPSILON);
        assert!((mean([1.0, 2.0].into_iter()) - 1.5).abs() < f64::EPSILON);
    }
}
