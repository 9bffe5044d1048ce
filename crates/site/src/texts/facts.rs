//! Figures in texts: they come from the rules and are written nowhere else.

use slovo_rules::{language, matrix};

use super::fill;

/// Fills the figures of the rules into a text.
pub(crate) fn facts(text: &str) -> String {
    figures()
        .iter()
        .fold(text.to_owned(), |text, (name, value)| {
            fill(&text, name, value)
        })
}

fn figures() -> [(&'static str, String); 2] {
    [
        ("languages", language::LANGUAGES.len().to_string()),
        ("longer", matrix::DIARIZATION_EXTRA_PERCENT.to_string()),
    ]
}

#[cfg(test)]
mod tests {
    use super::facts;

    #[test]
    fn facts_come_from_the_rules() {
        assert_eq!(facts("{{languages}}"), "28");
        assert_eq!(facts("+{{longer}}%"), "+25%");
    }
}
