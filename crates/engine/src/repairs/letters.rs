//! Latin letters inside Cyrillic words: the model writes «вимкненo» with a Latin “o”.

use slovo_rules::language::Language;

use super::{core, is_apostrophe, is_cyrillic, is_mark};

/// Latin letters and the Cyrillic ones that look the same.
const PAIRS: &[(char, char)] = &[
    ('a', 'а'),
    ('c', 'с'),
    ('e', 'е'),
    ('o', 'о'),
    ('p', 'р'),
    ('x', 'х'),
    ('y', 'у'),
    ('A', 'А'),
    ('B', 'В'),
    ('C', 'С'),
    ('E', 'Е'),
    ('H', 'Н'),
    ('K', 'К'),
    ('M', 'М'),
    ('O', 'О'),
    ('P', 'Р'),
    ('T', 'Т'),
    ('X', 'Х'),
    ('Y', 'У'),
    ('é', 'е'),
    ('ó', 'о'),
];

/// The pairs of letters that Russian does not have.
const UKRAINIAN: &[(char, char)] = &[('i', 'і'), ('I', 'І'), ('ï', 'ї'), ('Ï', 'Ї')];

/// The pairs of letters that Ukrainian does not have.
const RUSSIAN: &[(char, char)] = &[('ë', 'ё'), ('Ë', 'Ё')];

/// The word with Cyrillic letters only, if it is a Cyrillic word with a few Latin letters.
///
/// Parts between hyphens and digits are words of their own, so “iPhone-ом” stays. A part is Cyrillic
/// if it has more Cyrillic letters than Latin ones and one of them looks like no Latin letter. If
/// any of its Latin letters has no Cyrillic lookalike, the part stays as it is.
pub(super) fn repaired(text: &str, language: Language) -> Option<String> {
    if !text.contains(is_latin) || !text.contains(is_cyrillic) || is_address(text) {
        return None;
    }
    let mut repaired = String::with_capacity(text.len());
    let mut part = String::new();
    for character in text.chars() {
        if character.is_alphabetic() || is_apostrophe(character) || is_mark(character) {
            part.push(character);
        } else {
            push_part(&mut repaired, &part, language);
            part.clear();
            repaired.push(character);
        }
    }
    push_part(&mut repaired, &part, language);
    (repaired != text).then_some(repaired)
}

fn push_part(text: &mut String, part: &str, language: Language) {
    let latin = part.chars().filter(|&c| is_latin(c)).count();
    let cyrillic = part.chars().filter(|&c| is_cyrillic(c)).count();
    let is_certain = latin > 0
        && cyrillic > latin
        && part
            .chars()
            .any(|c| is_cyrillic(c) && !has_latin_lookalike(c, language))
        && part
            .chars()
            .all(|c| !is_latin(c) || cyrillic_lookalike(c, language).is_some());
    if is_certain {
        text.extend(
            part.chars()
                .map(|c| cyrillic_lookalike(c, language).unwrap_or(c)),
        );
    } else {
        text.push_str(part);
    }
}

/// The Cyrillic letter that looks like this Latin one.
fn cyrillic_lookalike(latin: char, language: Language) -> Option<char> {
    pairs(language)
        .find(|(from, _)| *from == latin)
        .map(|(_, to)| to)
}

fn has_latin_lookalike(cyrillic: char, language: Language) -> bool {
    pairs(language).any(|(_, to)| to == cyrillic)
}

fn pairs(language: Language) -> impl Iterator<Item = (char, char)> {
    let own: &[(char, char)] = match language {
        Language::Uk => UKRAINIAN,
        Language::Ru => RUSSIAN,
        _ => &[],
    };
    PAIRS.iter().chain(own).copied()
}

fn is_latin(character: char) -> bool {
    character.is_ascii_alphabetic() || matches!(character, '\u{c0}'..='\u{24f}')
}

/// Whether the text is an e-mail address, a web address, a path or a name of a file.
fn is_address(text: &str) -> bool {
    core(text).contains(['@', '/', '\\', '_', '.'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn latin_letters_in_cyrillic_words_become_cyrillic() {
        // Escapes show which letters are Latin.
        for (written, expected) in [
            ("р\u{6f}зблокув\u{61}но", "розблокувано"),
            ("вимкнен\u{6f},", "вимкнено,"),
            ("«\u{4d}ережа", "«Мережа"),
            ("до\u{63}л\u{69}д", "дослід"),
            ("\u{ef}жак", "їжак"),
            ("5к\u{42}т", "5кВт"),
        ] {
            assert_eq!(repaired(written, Language::Uk).as_deref(), Some(expected));
        }
        assert_eq!(
            repaired("мол\u{6f}ко", Language::Ru).as_deref(),
            Some("молоко")
        );
        assert_eq!(repaired("\u{eb}лка", Language::Ru).as_deref(), Some("ёлка"));
    }

    #[test]
    fn latin_words_brands_addresses_and_units_stay() {
        for text in [
            "Aperture",
            "iPhone-ом",
            "iPadом",
            "Wi-Fi",
            "COVID-19",
            "КPI",
            "ВMW",
            "e-mail",
            "ПІБ@пошта.com",
            "сайт.com/oпис",
            "сайт.укр",
            "3D-друк",
            "кBт·год/h",
            "Т-34",
            "вydаляйте",
            "розблоковано",
            "",
            "—",
        ] {
            assert_eq!(repaired(text, Language::Uk), None, "{text}");
        }
        // Russian has no letter that looks like a Latin “i”.
        assert_eq!(repaired("д\u{69}ло", Language::Ru), None);
    }
}
