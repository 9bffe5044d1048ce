//! The word error rate: wrong, missing and added words in relation to the spoken ones.

/// The words of a text for comparison: lower case, only letters and digits. Hyphens and dashes
/// separate words.
#[must_use]
pub fn plain(text: &str) -> Vec<String> {
    text.split(|c: char| c.is_whitespace() || c == '-' || c == '–' || c == '—')
        .map(|word| {
            word.chars()
                .filter(|c| c.is_alphanumeric())
                .flat_map(char::to_lowercase)
                .collect()
        })
        .filter(|word: &String| !word.is_empty())
        .collect()
}

/// The number of word errors (Levenshtein distance in words) and the number of words of the
/// reference.
#[must_use]
pub fn word_errors(reference: &str, recognised: &str) -> (usize, usize) {
    let (reference, recognised) = (plain(reference), plain(recognised));
    let mut row: Vec<usize> = (0..=recognised.len()).collect();
    for (place, expected) in reference.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = place + 1;
        for (column, word) in recognised.iter().enumerate() {
            let substituted = diagonal + usize::from(word != expected);
            diagonal = row[column + 1];
            row[column + 1] = substituted.min(diagonal + 1).min(row[column] + 1);
        }
    }
    (row[recognised.len()], reference.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_substitutions_deletions_and_insertions() {
        for (reference, recognised, errors) in [
            ("", "", 0),
            ("one two three", "One, two – three!", 0),
            ("one two three", "one too three", 1),
            ("one two three", "one three", 1),
            ("one two three", "one two and three", 1),
            ("one two three", "", 3),
            ("пʼять сил-силенна", "п'ять сил силенна", 0),
            ("", "invented words", 2),
        ] {
            let words = plain(reference).len();
            assert_eq!(word_errors(reference, recognised), (errors, words));
        }
    }
}
