//! Figures in texts: they are the rules' own, and written nowhere else.

use slovo_rules::upload::AudioType;
use slovo_rules::{language, matrix, upload};

use super::fill;

/// Puts the figures of the rules into a text.
pub(crate) fn facts(text: &str) -> String {
    figures()
        .iter()
        .fold(text.to_owned(), |text, (name, value)| {
            fill(&text, name, value)
        })
}

fn figures() -> [(&'static str, String); 4] {
    let formats = AudioType::ALL.iter().map(|kind| kind.extension());
    let formats = formats.collect::<Vec<_>>().join(", ").to_uppercase();
    [
        ("languages", language::LANGUAGES.len().to_string()),
        ("longer", matrix::DIARIZATION_EXTRA_PERCENT.to_string()),
        ("formats", formats),
        ("max_mb", (upload::MAX_UPLOAD_BYTES >> 20).to_string()),
    ]
}

#[cfg(test)]
mod tests {
    use super::facts;

    #[test]
    fn figures_come_from_the_rules() {
        assert_eq!(facts("{{languages}}"), "28");
        assert_eq!(
            facts("{{formats}}: {{max_mb}} MB, +{{longer}}%"),
            "MP3, WAV, M4A, FLAC, OGG, WEBM, MP4, AVI, MOV, MKV: 500 MB, +25%"
        );
    }
}
