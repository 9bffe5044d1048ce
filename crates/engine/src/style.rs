//! Text that stands before a window's text in the prompt, so that the model writes in its style:
//! sentences with full stops and capitals.
//!
//! The base model writes commas for full stops in some languages. Which languages gain, and what it
//! costs, is in `docs/ACCURACY.md`; the sentences were chosen by `cargo xtask bench sentences`.

/// The languages that gain, with their text. Measured and left out: Russian, Spanish, French and
/// English, which lose words or gain no sentences, and German, of which there was too little speech.
pub(crate) const STYLES: &[(&str, &str)] = &[
    (
        "uk",
        "Він прийшов учора. Вона сказала, що все готово. Ми поїхали додому.",
    ),
    (
        "it",
        "Lui è arrivato ieri. Lei ha detto che tutto era pronto. Siamo tornati a casa.",
    ),
];

/// The size of the models for which it was measured, as their ids begin.
const SIZE: &str = "base";

/// The languages with a text that this model knows.
pub(crate) fn languages(model: &str) -> impl Iterator<Item = &'static str> {
    let is_measured = model
        .strip_prefix(SIZE)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('-'));
    let styles = if is_measured { STYLES } else { &[] };
    styles.iter().map(|(language, _)| *language)
}

/// The text of a language.
pub(crate) fn text(language: &str) -> Option<&'static str> {
    let style = STYLES.iter().find(|(code, _)| *code == language);
    style.map(|(_, text)| *text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_measured_models_and_languages_have_a_style() {
        for model in ["base", "base-q8_0", "base-q5_1"] {
            assert!(languages(model).any(|language| language == "uk"), "{model}");
        }
        for model in ["base.en", "tiny.en-q8_0", "large-v3", "basement", ""] {
            assert_eq!(languages(model).count(), 0, "{model}");
        }
        assert_eq!(text("en"), None, "English loses by it");
    }

    #[test]
    fn texts_are_finished_sentences() {
        for (language, text) in STYLES {
            assert!(slovo_rules::language::is_supported(language));
            assert!(
                text.ends_with('.') && text.matches('.').count() > 1,
                "{text}"
            );
            assert!(text.chars().next().is_some_and(char::is_uppercase));
        }
    }
}
