//! The table of Ukrainian forms, compiled into the program and searched in place, without a load
//! step.

use std::sync::LazyLock;

use fst::Map;

/// Maps each form to the index of its line in [`CODES`].
static FORMS: LazyLock<Option<Map<&'static [u8]>>> =
    LazyLock::new(|| Map::new(include_bytes!("../data/uk.fst").as_slice()).ok());
/// How to derive the dictionary forms from a form: for each one the number of characters to remove
/// and the text to append; several are separated by spaces.
static CODES: LazyLock<Vec<&'static str>> =
    LazyLock::new(|| include_str!("../data/uk.codes").lines().collect());

/// The possible dictionary forms of a folded word; empty if it is unknown.
pub fn lemmas(word: &str) -> Vec<String> {
    let number = FORMS.as_ref().and_then(|forms| forms.get(word));
    let codes = number
        .and_then(|number| usize::try_from(number).ok())
        .and_then(|number| CODES.get(number));
    codes.map_or_else(Vec::new, |codes| {
        codes
            .split(' ')
            .filter_map(|code| lemma(word, code))
            .collect()
    })
}

fn lemma(word: &str, code: &str) -> Option<String> {
    let digits = code.find(|character: char| !character.is_ascii_digit());
    let (cut, ending) = code.split_at(digits.unwrap_or(code.len()));
    let mut rest = word.chars();
    for _ in 0..cut.parse::<usize>().ok()? {
        rest.next_back()?;
    }
    Some(format!("{}{ending}", rest.as_str()))
}
