//! The table of Ukrainian forms, compiled in: it is read where it lies, and needs no start.

use std::sync::LazyLock;

use fst::Map;

/// Each form with the number of its line in [`CODES`].
static FORMS: LazyLock<Option<Map<&'static [u8]>>> =
    LazyLock::new(|| Map::new(include_bytes!("../data/uk.fst").as_slice()).ok());
/// How the dictionary forms come from a form: for each the number of characters that are cut, and
/// what follows instead; several are separated by spaces.
static CODES: LazyLock<Vec<&'static str>> =
    LazyLock::new(|| include_str!("../data/uk.codes").lines().collect());

/// The dictionary forms that a folded word may belong to; none if it is not known.
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
