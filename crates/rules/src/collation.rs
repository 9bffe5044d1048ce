//! Alphabetical sort keys of names, which databases compare byte by byte.
//!
//! SQLite has no Ukrainian collation, and PostgreSQL's depends on the machine. So keys consist of
//! the digits `0`–`9` and `a`–`f`, which every collation sorts alike.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Longest key, in characters: names with the same first hundred letters compare equal.
pub const MAX_SORT_KEY: usize = 200;

/// The Ukrainian alphabet, with letters of other Cyrillic alphabets where their dictionaries have
/// them; this does not affect the order of Ukrainian letters.
const CYRILLIC: &str = "абвгґдеёєжзиіїйклмнопрстуфхцчшщъыьэюя";
/// Prefixes of the kinds of characters: spaces, signs, numbers, then letters.
const SPACE: &str = "10";
const SIGN: &str = "11";
const NUMBER: &str = "20";
const FIRST_CYRILLIC: usize = 0x30;
const FIRST_LATIN: usize = 0x80;
const LETTER: &str = "f0";
/// Maximum digits of a number that is compared by value.
const LONGEST_NUMBER: usize = 0xff;

/// The sort key of a name: first spaces and signs, then numbers by value, then Ukrainian letters,
/// then Latin ones, then all others. Ignores case, accents, apostrophes and control characters.
#[must_use]
pub fn sort_key(name: &str) -> String {
    let mut key = String::new();
    let mut characters = name.nfc().flat_map(char::to_lowercase).peekable();
    while let Some(character) = characters.next() {
        if key.len() >= MAX_SORT_KEY {
            break;
        }
        if !character.is_ascii_digit() {
            add(&mut key, character);
            continue;
        }
        let mut digits = String::from(character);
        while let Some(digit) = characters.next_if(char::is_ascii_digit) {
            digits.push(digit);
        }
        let digits = digits.trim_start_matches('0');
        // A longer number is greater.
        let long = digits.len().min(LONGEST_NUMBER);
        key += &format!("{NUMBER}{long:02x}{digits}");
    }
    key.truncate(MAX_SORT_KEY);
    key
}

fn add(key: &mut String, character: char) {
    // Apostrophes such as `’` and `'` belong to the word, and dictionaries ignore them.
    let is_apostrophe = matches!(character, '\'' | '’' | 'ʼ' | '‘' | '`' | '′');
    if is_apostrophe || character.is_control() || is_combining_mark(character) {
        return;
    }
    let base = match character {
        'ł' => 'l',
        _ => std::iter::once(character)
            .nfkd()
            .next()
            .unwrap_or(character),
    };
    // `й` is a letter of its own, not `и` with an accent.
    let place = |target| CYRILLIC.chars().position(|letter| letter == target);
    if let Some(place) = place(character).or_else(|| place(base)) {
        *key += &format!("{:02x}", FIRST_CYRILLIC + place);
    } else if let Some(place) = ('a'..='z').position(|letter| letter == base) {
        *key += &format!("{:02x}", FIRST_LATIN + place);
    } else if base.is_whitespace() {
        *key += SPACE;
    } else {
        let kind = if base.is_alphanumeric() { LETTER } else { SIGN };
        *key += &format!("{kind}{:06x}", u32::from(base));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks that the names are in ascending order.
    fn ascending(names: &[&str]) {
        for pair in names.windows(2) {
            assert!(sort_key(pair[0]) < sort_key(pair[1]), "{pair:?}");
        }
    }

    #[test]
    fn letters_sort_by_the_ukrainian_alphabet_before_latin_ones() {
        let alphabet = "абвгґдеєжзиіїйклмнопрстуфхцчшщьюя";
        let mut letters: Vec<String> = alphabet.chars().map(String::from).collect();
        letters.extend(('a'..='z').map(String::from));
        letters.extend(["α", "日"].map(str::to_owned));
        ascending(&letters.iter().map(String::as_str).collect::<Vec<_>>());
        ascending(&["", " а", "_а", "2", "Ґанок", "Дім", "Їжак", "Йод", "Zoom"]);
        ascending(&["Гра", "Ґава", "Дах", "Еко", "Єва", "Жук"]);
        ascending(&["Інтерв’ю", "Інтерв'ю 2", "Інтерес"]);
    }

    #[test]
    fn case_accents_and_apostrophes_make_no_difference() {
        for (one, other) in [
            ("ЇЖАК", "їжак"),
            ("и\u{306}од", "Йод"),
            ("і\u{308}жак", "їжак"),
            ("Éclair", "eclair"),
            ("Łódź", "lodz"),
            ("п’ять", "пять"),
            ("007", "7"),
        ] {
            assert_eq!(sort_key(one), sort_key(other), "{one}");
        }
    }

    #[test]
    fn numbers_are_compared_by_their_value() {
        ascending(&[
            "Нарада 0",
            "Нарада 2",
            "Нарада 10",
            "Нарада 010а",
            "Нарада 100",
        ]);
        ascending(&["9 а", "10 а", "1000000000000000000000 а"]);
        ascending(&[&"9".repeat(30), &"1".repeat(31)]);
    }

    #[test]
    fn sort_keys_are_short_and_hexadecimal_for_any_name() {
        for name in [
            "я".repeat(5_000),
            "9".repeat(5_000),
            "\u{0}\u{7}'".repeat(9),
            "😀🇺🇦".repeat(99),
            "\u{fdfa}İßǅ".repeat(99),
        ] {
            let key = sort_key(&name);
            assert!(key.len() <= MAX_SORT_KEY);
            let plain = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
            assert!(key.bytes().all(plain), "{key}");
        }
    }
}
