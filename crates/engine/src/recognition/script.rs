//! Whether a text can be in a language: by its alphabet, and for languages with Latin letters by
//! trigrams.

use std::ops::RangeInclusive;

use slovo_rules::language::Language;
use whatlang::{Detector, Lang};

/// Letters of Ukrainian that Russian does not have.
const UKRAINIAN: &str = "іїєґ";

/// Letters of Russian that Ukrainian does not have.
const RUSSIAN: &str = "ыэъё";

/// Minimum number of letters for distinguishing languages with Latin letters: about six words.
const ENOUGH_LETTERS: usize = 30;

/// The languages with Latin letters that are told apart.
const LATIN: [Language; 12] = [
    Language::En,
    Language::De,
    Language::Es,
    Language::Fr,
    Language::It,
    Language::Pl,
    Language::Pt,
    Language::Nl,
    Language::Cs,
    Language::Hu,
    Language::Fi,
    Language::Da,
];

/// Whether a text can be in this language: most of its letters are of the language's alphabet;
/// Ukrainian and Russian are told apart by the letters that only one of them has; and a text with
/// Latin letters is not clearly in another language. True for a text without letters, and for
/// languages whose alphabet is not known here.
pub(super) fn fits(text: &str, language: &str) -> bool {
    let Some(alphabet) = alphabet(language) else {
        return true;
    };
    let text = text.to_lowercase();
    let letters = || text.chars().filter(|letter| letter.is_alphabetic());
    let own = letters().filter(|letter| alphabet.iter().any(|range| range.contains(letter)));
    if own.count() * 2 < letters().count() {
        return false;
    }
    let count = |only: &str| letters().filter(|letter| only.contains(*letter)).count();
    let (ukrainian, russian) = (count(UKRAINIAN), count(RUSSIAN));
    match language {
        "uk" => russian <= ukrainian,
        "ru" => ukrainian <= russian,
        _ => letters().count() < ENOUGH_LETTERS || !is_clearly_another(&text, language),
    }
}

/// The language that a text is most probably in, among some; the first of them if nothing tells.
/// By trigrams, which need a sentence to be right.
pub(crate) fn likeliest(text: &str, among: &[Language]) -> Language {
    let allowed = among.iter().map(|language| lang(*language)).collect();
    let detected = Detector::with_allowlist(allowed).detect_lang(text);
    let is_detected = |language: &&Language| detected == Some(lang(**language));
    let fitting = || {
        among
            .iter()
            .filter(|language| fits(text, language.as_str()))
    };
    // A text in a language that is not among them is written in the letters of its nearest.
    let found = fitting()
        .find(is_detected)
        .or_else(|| fitting().next())
        .or_else(|| among.iter().find(is_detected))
        .or(among.first());
    found.copied().unwrap_or(Language::En)
}

/// The library's name of a language.
const fn lang(language: Language) -> Lang {
    match language {
        Language::Uk => Lang::Ukr,
        Language::Ru => Lang::Rus,
        Language::En => Lang::Eng,
        Language::De => Lang::Deu,
        Language::Es => Lang::Spa,
        Language::Fr => Lang::Fra,
        Language::It => Lang::Ita,
        Language::Pl => Lang::Pol,
        Language::Pt => Lang::Por,
        Language::Ja => Lang::Jpn,
        Language::Zh => Lang::Cmn,
        Language::Nl => Lang::Nld,
        Language::Ar => Lang::Ara,
        Language::Cs => Lang::Ces,
        Language::Hu => Lang::Hun,
        Language::Fi => Lang::Fin,
        Language::Fa => Lang::Pes,
        Language::El => Lang::Ell,
        Language::Tr => Lang::Tur,
        Language::Da => Lang::Dan,
        Language::He => Lang::Heb,
        Language::Vi => Lang::Vie,
        Language::Ko => Lang::Kor,
        Language::Ur => Lang::Urd,
        Language::Te => Lang::Tel,
        Language::Hi => Lang::Hin,
        Language::Ca => Lang::Cat,
        Language::Ml => Lang::Mal,
    }
}

/// Whether a text is in another language with Latin letters than this one, without much doubt.
fn is_clearly_another(text: &str, language: &str) -> bool {
    let Some(expected) = LATIN.iter().find(|known| known.as_str() == language) else {
        return false;
    };
    let detector = Detector::with_allowlist(LATIN.map(lang).to_vec());
    let found = detector.detect(text);
    found.is_some_and(|found| found.is_reliable() && found.lang() != lang(*expected))
}

/// The letters of a language.
fn alphabet(language: &str) -> Option<&'static [RangeInclusive<char>]> {
    match language {
        "uk" | "ru" => Some(&['\u{400}'..='\u{52f}']),
        "el" => Some(&['\u{370}'..='\u{3ff}', '\u{1f00}'..='\u{1fff}']),
        "en" | "de" | "es" | "fr" | "it" | "pl" | "pt" | "nl" | "cs" | "hu" | "fi" | "da" => {
            Some(&['a'..='z', '\u{df}'..='\u{24f}'])
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alphabets_are_told_apart() {
        for (text, language, expected) in [
            ("Добрий день, як ви?", "uk", true),
            ("Good morning", "uk", false),
            ("Це наш новий iPhone", "uk", true),
            ("Добрий день", "en", false),
            ("Où êtes-vous, à la fenêtre?", "fr", true),
            ("Καλημέρα", "el", true),
            ("Good morning", "el", false),
            ("42, 17!", "uk", true),
            ("", "ru", true),
            ("何か", "ja", true),
        ] {
            assert_eq!(fits(text, language), expected, "{text} {language}");
        }
    }

    #[test]
    fn languages_with_latin_letters_are_told_apart_in_longer_texts() {
        let texts = [
            (
                "en",
                "We are going to the station tomorrow morning, and then we will have lunch there.",
            ),
            (
                "de",
                "Wir fahren morgen früh zum Bahnhof, und dann werden wir dort zu Mittag essen.",
            ),
            (
                "fr",
                "Nous allons à la gare demain matin, et ensuite nous y déjeunerons ensemble.",
            ),
            (
                "pl",
                "Jutro rano jedziemy na dworzec, a potem zjemy tam razem obiad z przyjaciółmi.",
            ),
        ];
        for (language, text) in texts {
            for (other, _) in texts {
                assert_eq!(fits(text, other), other == language, "{text} {other}");
            }
        }
        // Too short to tell.
        assert!(fits("Guten Morgen", "en"));
    }

    #[test]
    fn ukrainian_and_russian_are_told_apart_by_their_own_letters() {
        let (ukrainian, russian) = ("Він її бачив", "Мы это объявили");
        assert!(fits(ukrainian, "uk") && !fits(ukrainian, "ru"));
        assert!(fits(russian, "ru") && !fits(russian, "uk"));
        // Nothing tells what this is.
        assert!(fits("Добро", "uk") && fits("Добро", "ru"));
        // One foreign name among much of the own language.
        assert!(fits("Він її бачив у Рыбинську", "uk"));
    }

    #[test]
    fn the_likeliest_language_is_one_of_those_that_may_be_spoken() {
        let all = Language::ALL;
        let german = "Wir fahren morgen früh zum Bahnhof, und dann werden wir dort essen.";
        let ukrainian = "Завтра вранці їдемо на вокзал, а потім там пообідаємо.";
        for (text, among, expected) in [
            (german, all, Language::De),
            (ukrainian, all, Language::Uk),
            ("今日はいい天気ですね。", all, Language::Ja),
            (ukrainian, &[Language::En, Language::Ru], Language::Ru),
            (german, &[Language::Uk, Language::En], Language::En),
            ("", &[Language::Uk, Language::En], Language::Uk),
            (german, &[], Language::En),
        ] {
            assert_eq!(likeliest(text, among), expected, "{text} {among:?}");
        }
    }
}
