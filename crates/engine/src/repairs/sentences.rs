//! Where sentences begin and end: capitals, and full stops that the model writes only because a
//! window ends.

use slovo_rules::language::Language;

use super::{capitalised, core};
use crate::event::RecognisedWord;
use crate::sentences::ends_sentence;

/// At a pause of at most this many seconds, a window may end within a sentence.
const SHORT_PAUSE: f64 = 0.8;

/// Within a window, a small letter after a full stop mostly follows an abbreviation («грн. за»).
/// Words of at least this many letters are none.
const NO_ABBREVIATION: usize = 6;

const VOWELS: &str = "аеиіоуєюяїёыэaeiouy";

/// Words after which no sentence ends: conjunctions, prepositions and articles.
const UKRAINIAN: &[&str] = &[
    "а", "але", "або", "без", "бо", "в", "від", "для", "до", "з", "зі", "із", "й", "і", "між",
    "на", "над", "не", "під", "при", "та", "у", "чи", "щоб", "якщо",
];
const RUSSIAN: &[&str] = &[
    "а",
    "без",
    "в",
    "во",
    "для",
    "если",
    "и",
    "из",
    "или",
    "к",
    "ко",
    "между",
    "на",
    "над",
    "не",
    "но",
    "об",
    "от",
    "под",
    "при",
    "с",
    "со",
    "у",
    "чтобы",
];
const ENGLISH: &[&str] = &[
    "a", "an", "and", "because", "but", "if", "my", "or", "our", "the",
];

/// Other words that are never names.
const UKRAINIAN_SMALL: &[&str] = &[
    "був",
    "була",
    "були",
    "було",
    "ваш",
    "ви",
    "вже",
    "він",
    "вона",
    "вони",
    "воно",
    "де",
    "є",
    "її",
    "його",
    "коли",
    "ми",
    "мій",
    "моя",
    "наш",
    "ще",
    "що",
    "це",
    "цей",
    "цю",
    "ця",
    "ці",
    "там",
    "ти",
    "тут",
    "хто",
    "я",
    "як",
    "яка",
    "які",
    "який",
    "якого",
    "якої",
    "якщо",
];
const RUSSIAN_SMALL: &[&str] = &[
    "был",
    "была",
    "были",
    "было",
    "ваш",
    "вы",
    "где",
    "его",
    "ещё",
    "её",
    "их",
    "как",
    "какой",
    "когда",
    "которая",
    "которого",
    "которой",
    "которые",
    "который",
    "кто",
    "мой",
    "моя",
    "мы",
    "наш",
    "он",
    "она",
    "они",
    "оно",
    "там",
    "ты",
    "тут",
    "уже",
    "что",
    "эта",
    "эти",
    "это",
    "этот",
    "я",
];
const ENGLISH_SMALL: &[&str] = &[
    "he", "her", "his", "how", "in", "is", "it", "its", "of", "on", "she", "that", "their",
    "there", "these", "they", "this", "those", "to", "was", "we", "were", "what", "when", "where",
    "which", "who", "with", "you", "your",
];

/// Writes two windows as one sentence, if the pause between them is short and the first ends with a
/// word that ends no sentence. The next word loses its capital only if it is in a list: any other
/// may be a name.
pub(super) fn rejoin(
    last: &mut RecognisedWord,
    next: &mut RecognisedWord,
    language: Option<Language>,
) {
    let (open, small) = match language {
        Some(Language::Uk) => (UKRAINIAN, UKRAINIAN_SMALL),
        Some(Language::Ru) => (RUSSIAN, RUSSIAN_SMALL),
        Some(Language::En) => (ENGLISH, ENGLISH_SMALL),
        _ => return,
    };
    let Some(stem) = last.text.strip_suffix('.') else {
        return;
    };
    // A capital makes it a name («план А»).
    if next.start - last.end > SHORT_PAUSE || !open.contains(&stem) {
        return;
    }
    last.text.pop();
    let lower = next.text.to_lowercase();
    if open.contains(&core(&lower)) || small.contains(&core(&lower)) {
        next.text = lower;
    }
}

/// Whether a sentence begins with `next`. `is_border`: a window ends between the two words.
pub(super) fn begins(last: &str, next: &str, is_border: bool) -> bool {
    let last = last.trim_end_matches(')');
    if last.ends_with(['!', '?']) {
        return true;
    }
    // After dots, a sentence often continues.
    let Some(stem) = last.strip_suffix('.').filter(|stem| !stem.ends_with('.')) else {
        return false;
    };
    ends_sentence(last, next) && (is_border || !may_be_abbreviation(core(stem)))
}

fn may_be_abbreviation(stem: &str) -> bool {
    let letters = stem.chars().count();
    letters < NO_ABBREVIATION && (letters < 3 || !stem.ends_with(|c| VOWELS.contains(c)))
}

/// The word with a capital, if it begins with a small letter. Names such as “iPhone”, addresses and
/// words with digits stay.
pub(super) fn with_capital(text: &str, language: Option<Language>) -> Option<String> {
    let at = text.find(char::is_alphanumeric)?;
    let (before, word) = text.split_at(at);
    let first = word.chars().next()?;
    let is_open = before
        .chars()
        .all(|c| matches!(c, '«' | '„' | '“' | '"' | '(' | '[' | '¿' | '¡'));
    let is_plain = core(word).chars().skip(1).all(|c| {
        !(c.is_uppercase() || c.is_numeric() || matches!(c, '@' | '/' | '\\' | '_' | '.'))
    });
    if !is_open || !is_plain || !first.is_lowercase() || !has_capitals(first) {
        return None;
    }
    let capital = match (language, first) {
        (Some(Language::Tr), 'i') => format!("İ{}", &word[1..]),
        (Some(Language::Nl), 'i') if word.starts_with("ij") => format!("IJ{}", &word[2..]),
        _ => capitalised(word),
    };
    (capital != word).then(|| format!("{before}{capital}"))
}

/// Whether the letter is of a script that begins sentences with capitals: Latin, Greek or Cyrillic.
fn has_capitals(letter: char) -> bool {
    matches!(letter, 'a'..='z' | '\u{df}'..='\u{24f}' | '\u{370}'..='\u{52f}' | '\u{1e00}'..='\u{1fff}')
}
