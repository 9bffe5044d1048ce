//! Cleans text for all formats.

/// Replaces every run of white space and control characters by one space, and removes bidirectional
/// control characters and code points that are not characters.
pub fn clean(text: &str) -> String {
    let mut cleaned = String::with_capacity(text.len());
    let mut spaced = false;
    for character in text.chars().filter(|&c| !changes_direction(c)) {
        if character.is_whitespace() || character.is_control() || is_removed(character) {
            spaced = true;
            continue;
        }
        if spaced && !cleaned.is_empty() {
            cleaned.push(' ');
        }
        spaced = false;
        cleaned.push(character);
    }
    cleaned
}

/// A line without bidirectional control characters and without code points that are not characters.
pub fn printed(line: &str) -> String {
    line.chars()
        .filter(|&c| !changes_direction(c) && !is_removed(c))
        .collect()
}

/// Whether it is a bidirectional embedding, override or isolate: an unclosed one affects a whole
/// page. The direction of letters is known without them.
fn changes_direction(character: char) -> bool {
    matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

fn is_removed(character: char) -> bool {
    matches!(character, '\u{feff}' | '\u{fffe}' | '\u{ffff}')
}

#[cfg(test)]
mod tests {
    use super::clean;

    #[test]
    fn whitespace_is_collapsed_and_direction_controls_removed() {
        assert_eq!(clean(" a\r\n\t b\u{0}\u{2028}c "), "a b c");
        assert_eq!(clean("\u{202e}gpj.exe\u{2066}"), "gpj.exe");
        assert_eq!(clean("\u{feff}x\u{ffff}y"), "x y");
        assert_eq!(clean("\u{0}\u{1b} "), "");
        assert_eq!(clean("п’ять 👩\u{200d}💻"), "п’ять 👩\u{200d}💻");
    }
}
