//! Apostrophes of Ukrainian words: missing ones are inserted, others get the typographic form.
//!
//! The rules are §7 of the orthography of 2019: an apostrophe separates я, ю, є, ї from a labial
//! before them, unless another consonant of the root than р is before the labial; from р at the end
//! of a syllable; and from a prefix that ends in a consonant. The spelling does not show where a
//! prefix or a syllable ends, so for these there are lists.

use super::{APOSTROPHE, is_apostrophe, is_cyrillic};

const VOWELS: &str = "аеиіоуєюяї";
const CONSONANTS: &str = "бвгґджзйклмнпрстфхцчшщ";
const LABIALS: &str = "бпвмф";

/// Beginnings of words that have an apostrophe by the rules about prefixes and р, and foreign words.
/// They may follow «не», «най» and «недо».
const BEGINNINGS: &[&str] = &[
    "авер’ян",
    "ад’ютант",
    "ад’юнкт",
    "без’ядер",
    "без’язик",
    "валер’ян",
    "від’єм",
    "дит’ясл",
    "з’яв",
    "з’ясов",
    "з’ясу",
    "зм’як",
    "зм’ят",
    "лук’ян",
    "мар’ян",
    "матір’ю",
    "миш’як",
    "міжгір’я",
    "між’європ",
    "між’яр",
    "надвір’я",
    "пан’європ",
    "під’юд",
    "під’ярем",
    "пір’я",
    "подвір’я",
    "пред’яв",
    "роз’єм",
    "роз’ясн",
    "роз’ятр",
    "роз’яр",
    "сп’ян",
    "сузір’я",
    "транс’європ",
    "узгір’я",
    "фельд’єгер",
    "п’єса",
    "п’єси",
    "п’єсу",
    "п’єсі",
    "прем’єр",
];

/// Parts of words, anywhere in a word.
const PARTS: &[&str] = &[
    "ад’єк",
    "бв’яз",
    "бв’яж",
    "бм’як",
    "вв’яз",
    "вв’яж",
    "дв’яз",
    "дв’яж",
    "дм’як",
    "д’єдн",
    "зв’яз",
    "зв’яж",
    "зв’ял",
    "з’єдн",
    "зп’ят",
    "диз’юн",
    "ін’єк",
    "інтерв’ю",
    "комп’ютер",
    "кон’юг",
    "кон’юн",
    "кон’єктур",
    "об’єдн",
    "об’єкт",
    "об’єм",
    "прев’ю",
    "р’єр",
    "суб’єкт",
    "х’ярус",
];

/// Whole words that are other words without the apostrophe in other forms («буряний»).
const WHOLE: &[&str] = &[
    "бур’ян",
    "бур’яни",
    "бур’янів",
    "бур’яном",
    "бур’янам",
    "бур’янами",
];

/// Beginnings of words with a labial before я and without an apostrophe.
const EXCEPTIONS: &[&str] = &["бязь", "бязі", "бязев", "бяк"];

/// Words with ю at the end and without an apostrophe.
const WITHOUT: &[&str] = &["камю", "мю", "ревю"];

/// Ends of verbs and nouns with ю or є after a labial, from the letter after it on. Elsewhere a
/// labial stands before these letters in names («Мюнхен», «Бєлов»).
const ENDS: &[&str] = &[
    "ю",
    "ють",
    "ються",
    "ючи",
    "є",
    "єш",
    "єшся",
    "ємо",
    "ємося",
    "єте",
    "єтеся",
    "ється",
    "єю",
];

/// The word with its apostrophes, if it was written otherwise.
pub(super) fn repaired(text: &str) -> Option<String> {
    if !text.contains(is_cyrillic) {
        return None;
    }
    let mut letters: Vec<char> = text.chars().collect();
    for place in 1..letters.len().saturating_sub(1) {
        let is_inside = is_cyrillic(letters[place - 1]) && is_cyrillic(letters[place + 1]);
        if is_inside && is_apostrophe(letters[place]) {
            letters[place] = APOSTROPHE;
        }
    }
    let repaired: String = letters
        .chunk_by(|&a, &b| is_cyrillic(a) == is_cyrillic(b))
        .map(|part| match part.first() {
            Some(&first) if is_cyrillic(first) => with_missing_apostrophes(part),
            _ => part.iter().collect(),
        })
        .collect();
    (repaired != text).then_some(repaired)
}

/// A run of letters with the missing apostrophes.
fn with_missing_apostrophes(letters: &[char]) -> String {
    let lower: Vec<char> = letters
        .iter()
        .map(|c| c.to_lowercase().next().unwrap_or(*c))
        .collect();
    let mut places = vec![false; lower.len()];
    let start = after_negation(&lower);
    for (place, is_separated) in places.iter_mut().enumerate().skip(1) {
        *is_separated = has_apostrophe_by_rule(&lower, place, start);
    }
    if let Some(word) = WHOLE.iter().find(|word| is_letters_of(&lower, word)) {
        mark(&lower, 0, word, &mut places);
    }
    for beginning in BEGINNINGS {
        for from in [0, start] {
            mark(&lower, from, beginning, &mut places);
        }
    }
    for part in PARTS {
        for from in 0..lower.len() {
            mark(&lower, from, part, &mut places);
        }
    }
    let mut text = String::with_capacity(letters.len() * 2 + 2);
    for (letter, is_separated) in letters.iter().zip(places) {
        if is_separated {
            text.push(APOSTROPHE);
        }
        text.push(*letter);
    }
    text
}

/// Whether there is an apostrophe before this letter by the rules that need no list of roots. The
/// word goes on at `start` after a negation.
fn has_apostrophe_by_rule(lower: &[char], place: usize, start: usize) -> bool {
    let before = lower[place - 1];
    let earlier = lower[..place - 1].get(start..).and_then(<[char]>::last);
    let is_labial = LABIALS.contains(before)
        && earlier.is_none_or(|&earlier| VOWELS.contains(earlier) || earlier == 'р');
    match lower[place] {
        // After a consonant, ї is always separated.
        'ї' => CONSONANTS.contains(before) && before != 'й',
        'я' => is_labial && !EXCEPTIONS.iter().any(|word| begins(lower, word)),
        'ю' | 'є' => {
            let end = &lower[place..];
            is_labial
                && ENDS.iter().any(|known| is_letters_of(end, known))
                && !WITHOUT.iter().any(|word| is_letters_of(lower, word))
        }
        _ => false,
    }
}

/// Whether the letters are those of `word`, except for its apostrophe.
fn is_letters_of(letters: &[char], word: &str) -> bool {
    let plain = word.chars().filter(|&c| c != APOSTROPHE);
    letters.iter().copied().eq(plain)
}

/// Marks the apostrophe of `pattern` in the word, if the word has its letters from `from` on.
fn mark(lower: &[char], from: usize, pattern: &str, places: &mut [bool]) {
    let plain = pattern.chars().filter(|&c| c != APOSTROPHE);
    let rest = &lower[from.min(lower.len())..];
    let count = plain.clone().count();
    if rest.len() >= count
        && plain
            .zip(rest)
            .all(|(expected, &letter)| expected == letter)
    {
        let before = pattern.chars().take_while(|&c| c != APOSTROPHE).count();
        places[from + before] = true;
    }
}

/// Where the word goes on after «не», «най» or «недо».
fn after_negation(lower: &[char]) -> usize {
    ["недо", "най", "не"]
        .into_iter()
        .find(|negation| begins(lower, negation))
        .map_or(0, |negation| negation.chars().count())
}

fn begins(lower: &[char], with: &str) -> bool {
    with.chars().count() <= lower.len() && with.chars().zip(lower).all(|(a, &b)| a == b)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fixed(text: &str) -> String {
        repaired(text).unwrap_or_else(|| text.to_owned())
    }

    #[test]
    fn missing_apostrophes_are_inserted() {
        for expected in [
            "від’єднано",
            "Під’єднайте,",
            "об’єкт",
            "Суб’єкт",
            "з’їзд",
            "під’їзд",
            "об’їзний",
            "п’ять",
            "П’ЯТЬ",
            "дев’ятнадцять",
            "пам’ять",
            "ім’я",
            "м’ята",
            "зв’язок",
            "розв’язати",
            "обов’язково",
            "нез’ясований",
            "з’явився",
            "інтерв’ю",
            "комп’ютер",
            "кров’ю",
            "сім’ї",
            "сім’єю",
            "б’ють",
            "розіб’ють",
            "верб’я",
            "черв’як",
            "торф’яний",
            "кур’єр",
            "подвір’я",
            "п’єса",
            "прем’єр-міністр",
            "бар’єрну",
            "роз’яснення",
            "пів’яблука",
            "двох’ярусний",
            "слов’янський",
            "бур’ян",
            "найм’якший",
            "п’ється",
            "розіб’ємо",
            "автоз’єднання",
        ] {
            let written = expected.replace(APOSTROPHE, "");
            assert_eq!(fixed(&written), expected);
            assert_eq!(repaired(expected), None, "idempotent");
        }
    }

    #[test]
    fn words_without_an_apostrophe_stay() {
        for text in [
            "свято",
            "цвях",
            "морквяний",
            "різдвяний",
            "мавпячий",
            "тьмяний",
            "духмяний",
            "медвяний",
            "святковий",
            "Святослав",
            "взяв",
            "узяти",
            "зять",
            "зяблик",
            "бюро",
            "бюджет",
            "пюре",
            "мюзикл",
            "фюзеляж",
            "кювет",
            "гравюра",
            "бязь",
            "Камю",
            "люблю",
            "сиплю",
            "рятувати",
            "буряк",
            "ряд",
            "гарячий",
            "порядок",
            "рюкзак",
            "духовний",
            "синє",
            "життє",
            "третє",
            "миттєво",
            "рельєф",
            "премію",
            "моя",
            "її",
            "їжа",
            "лляний",
            "різдво",
            "любов",
            "меню",
            "Звягель",
            "вимірює",
            "дзвякнути",
            "Мюнхен",
            "йєменський",
            "приєднати",
            "заявити",
        ] {
            assert_eq!(repaired(text), None, "{text}");
        }
    }

    #[test]
    fn other_forms_of_the_apostrophe_become_the_typographic_one() {
        for mark in ['\'', 'ʼ', '`', '‘', '´', '′', '＇'] {
            assert_eq!(fixed(&format!("п{mark}ять")), "п’ять");
        }
        // Only inside Cyrillic words: elsewhere they are quotes, feet, or other languages.
        for text in ["'так'", "d'Artagnan", "5'", "'", "can't"] {
            assert_eq!(repaired(text), None, "{text}");
        }
    }
}
