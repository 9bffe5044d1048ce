//! Untrusted text in mails and log lines.

/// Untrusted text as one line of at most this many characters: without line breaks, control
/// characters and characters that change the text direction.
pub fn one_line(text: &str, max: usize) -> String {
    let turns = |c: char| {
        matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{feff}')
            || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    // The rest would be cut off anyway; twice the limit leaves room for dropped characters.
    let beginning = text.chars().take(max.saturating_mul(2).saturating_add(1));
    let spaced = beginning
        .filter(|c| !turns(*c))
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect::<String>();
    let line = spaced.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= max {
        return line;
    }
    let kept: String = line.chars().take(max.saturating_sub(1)).collect();
    format!("{}…", kept.trim_end())
}
