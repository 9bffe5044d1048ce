//! «Будь ласка», which the model often writes in one word or as it sounds.

use slovo_rules::transcript::rounded;

use super::{capitalised, core};
use crate::event::RecognisedWord;

/// The two words.
const FIRST: &str = "будь";
const SECOND: &str = "ласка";

/// Spellings in one word; none of them is another word.
const IN_ONE: &[&str] = &[
    "будьласка",
    "будь-ласка",
    "будласка",
    "буд-ласка",
    "бутьласка",
    "буть-ласка",
    "бутласка",
    "бут-ласка",
    "подласка",
    "под-ласка",
    "путласка",
    "пудласка",
    "поділаска",
    "поділазка",
    "буділаска",
    "будиласка",
    "боділаска",
    "удласка",
];

/// Spellings in two words; both together mean nothing else.
const IN_TWO: &[(&str, &str)] = &[
    ("буть", SECOND),
    ("буд", SECOND),
    ("бут", SECOND),
    ("буді", SECOND),
    ("буди", SECOND),
    ("бодь", SECOND),
    ("бідь", SECOND),
    ("пудь", SECOND),
    ("под", SECOND),
    ("поді", SECOND),
    ("подь", SECOND),
    (FIRST, "лазка"),
    (FIRST, "ласко"),
    ("поділа", "ска"),
    ("у", "длазка"),
];

/// Seconds of pause between the two words, at most.
const LONGEST_PAUSE: f64 = 1.0;

/// Writes «будь ласка» wherever it is misspelt. A word that becomes two is divided in proportion
/// to the letters.
pub(super) fn repair(words: Vec<RecognisedWord>) -> Vec<RecognisedWord> {
    let mut repaired: Vec<RecognisedWord> = Vec::with_capacity(words.len());
    for mut word in words {
        if let Some(last) = repaired.last_mut()
            && is_misspelt_pair(last, &word)
        {
            replace(last, FIRST);
            replace(&mut word, SECOND);
        }
        if IN_ONE.contains(&core(&word.text).to_lowercase().as_str()) {
            let (first, second) = divided(&word);
            repaired.push(first);
            repaired.push(second);
        } else {
            repaired.push(word);
        }
    }
    repaired
}

/// Whether the two words are a misspelt «будь ласка» without a mark between them.
fn is_misspelt_pair(first: &RecognisedWord, second: &RecognisedWord) -> bool {
    let written = core(&first.text);
    first.text.ends_with(written)
        && second.text.starts_with(core(&second.text))
        && second.start - first.end < LONGEST_PAUSE
        && IN_TWO.contains(&(
            written.to_lowercase().as_str(),
            core(&second.text).to_lowercase().as_str(),
        ))
}

/// Replaces the letters of a word; a capital at its start and the marks around it stay.
fn replace(word: &mut RecognisedWord, by: &str) {
    let written = core(&word.text);
    let is_capital = written.chars().next().is_some_and(char::is_uppercase);
    let by = if is_capital {
        capitalised(by)
    } else {
        by.to_owned()
    };
    if !written.is_empty() {
        word.text = word.text.replacen(written, &by, 1);
    }
}

/// The two words of one.
fn divided(word: &RecognisedWord) -> (RecognisedWord, RecognisedWord) {
    let written = core(&word.text);
    let at = word.text.find(written).unwrap_or_default();
    let (before, after) = (&word.text[..at], &word.text[at + written.len()..]);
    let (mut first, mut second) = (word.clone(), word.clone());
    written.clone_into(&mut first.text);
    replace(&mut first, FIRST);
    first.text.insert_str(0, before);
    second.text = format!("{SECOND}{after}");
    second.spaced = true;
    let letters = |text: &str| text.chars().count() as f64;
    let share = letters(FIRST) / (letters(FIRST) + letters(SECOND));
    let border = rounded(word.start + (word.end - word.start) * share).clamp(word.start, word.end);
    first.end = border;
    second.start = border;
    (first, second)
}

#[cfg(test)]
mod tests {
    use super::super::tests::{texts, written};
    use super::*;

    #[test]
    fn misspellings_become_two_words() {
        for (text, expected) in [
            ("Подласка заменіть", "Будь ласка заменіть"),
            (
                "заблоковано, поділа ска, перевірте",
                "заблоковано, будь ласка, перевірте",
            ),
            ("У длазка очистить", "Будь ласка очистить"),
            ("(буть ласка)", "(будь ласка)"),
            ("Будь-ласка.", "Будь ласка."),
            ("скажіть, будьласка!", "скажіть, будь ласка!"),
            ("будь ласка", "будь ласка"),
        ] {
            let repaired = repair(written(text));
            assert_eq!(texts(&repaired).join(" "), expected);
            assert_eq!(repair(repaired.clone()), repaired, "idempotent");
        }
    }

    #[test]
    fn other_words_stay() {
        for text in [
            "ласка і тхір",
            "під ласку",
            "будьте ласкаві",
            "ласкаво просимо",
            "буть. Ласка живе",
            "у ласка",
        ] {
            assert_eq!(texts(&repair(written(text))).join(" "), text);
        }
        let mut apart = written("буть ласка");
        apart[1].start += 2.0;
        apart[1].end += 2.0;
        assert_eq!(repair(apart.clone()), apart, "a pause between them");
    }

    #[test]
    fn a_divided_word_keeps_its_time_confidence_and_language() {
        let mut word = written("(подласка,").remove(0);
        (word.start, word.end, word.spaced, word.confidence) = (10.0, 10.9, false, 0.37);
        let two = repair(vec![word.clone()]);
        assert_eq!(texts(&two), ["(будь", "ласка,"]);
        assert_eq!((two[0].start, two[1].end), (10.0, 10.9));
        assert_eq!((two[0].end, two[1].start), (10.4, 10.4));
        assert!(!two[0].spaced && two[1].spaced);
        assert!(two.iter().all(|part| part.confidence == 0.37));
        assert!(two.iter().all(|part| part.language == word.language));
    }
}
