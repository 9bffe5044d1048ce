//! Scripts (writing systems) of letters.

use unicode_script::{Script, UnicodeScript};

/// The script (ISO 15924 code) of a letter; `None` for characters common to all scripts, such as
/// digits, punctuation and emoji.
pub fn of(letter: char) -> Option<&'static str> {
    match letter.script() {
        Script::Common | Script::Inherited | Script::Unknown => None,
        // One font has to cover kana and Han together.
        Script::Hiragana | Script::Katakana => Some("Jpan"),
        script => Some(script.short_name()),
    }
}

/// Whether the text is written from right to left, decided by its first letter.
pub fn is_right_to_left(text: &str) -> bool {
    let first = text.chars().find(|&letter| of(letter).is_some());
    first.is_some_and(|letter| {
        matches!(
            letter.script(),
            Script::Arabic
                | Script::Hebrew
                | Script::Syriac
                | Script::Thaana
                | Script::Nko
                | Script::Adlam
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_have_a_script_and_symbols_have_none() {
        assert_eq!(of('ї'), Some("Cyrl"));
        assert_eq!(of('あ'), Some("Jpan"));
        assert_eq!(of('ع'), Some("Arab"));
        assert_eq!(of('🎙'), None);
        assert_eq!(of('7'), None);
        assert!(is_right_to_left("«שלום» world"));
        assert!(!is_right_to_left("7. Привіт שלום"));
    }
}
