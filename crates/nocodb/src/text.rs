//! Long texts in cells that hold 100,000 characters: the rest continues in rows of a separate
//! table.

/// Characters per cell, in UTF-16 units as in JavaScript. NocoDB accepts 100,000; the margin allows
/// for other ways of counting.
pub const CELL: usize = 90_000;

/// Splits a text into pieces that each fit a cell: at least one.
pub fn split(text: &str) -> Vec<&str> {
    let (mut pieces, mut start, mut length) = (Vec::new(), 0, 0);
    for (at, character) in text.char_indices() {
        let units = character.len_utf16();
        if length + units > CELL {
            pieces.push(&text[start..at]);
            (start, length) = (at, 0);
        }
        length += units;
    }
    pieces.push(&text[start..]);
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_fit_into_a_cell_and_join_to_the_full_text() {
        assert_eq!(split(""), [""]);
        assert_eq!(split("слово"), ["слово"]);
        for text in ["ї".repeat(350_000), "🎧a".repeat(100_000), "x".repeat(CELL)] {
            let pieces = split(&text);
            assert!(
                pieces
                    .iter()
                    .all(|piece| piece.encode_utf16().count() <= CELL)
            );
            assert_eq!(pieces.concat(), text);
        }
        assert_eq!(split(&"x".repeat(CELL)).len(), 1);
        assert_eq!(split(&"x".repeat(CELL + 1)).len(), 2);
    }
}
