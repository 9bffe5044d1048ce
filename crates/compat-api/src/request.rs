//! The request that all protocols are translated into.

use slovo_rules::language::AUTO;
use slovo_rules::mode::TranscriptionType;
use slovo_rules::settings::{MAX_VOCABULARY, MAX_VOCABULARY_TERMS, TranscriptionSettings};

/// What is to be made of a recording.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SpeechRequest {
    /// Mode of recognition.
    pub mode: TranscriptionType,
    /// Code of the language (ISO 639-1); `None` to detect it.
    pub language: Option<String>,
    /// Codes of the languages that may be spoken; `None`: those of the account or the server.
    pub languages: Option<Vec<String>>,
    /// Words to expect, the most important first.
    pub keywords: Vec<String>,
    /// A text that the recording continues, or that shows its spelling.
    pub prompt: String,
    /// Whether to translate into English.
    pub translate: bool,
    /// Whether to tell speakers apart.
    pub diarize: bool,
    /// Number of speakers: as in [`TranscriptionSettings::speakers`].
    pub speakers: String,
}

impl Default for SpeechRequest {
    fn default() -> Self {
        Self {
            mode: TranscriptionType::Full,
            language: None,
            languages: None,
            keywords: Vec::new(),
            prompt: String::new(),
            translate: false,
            diarize: false,
            speakers: String::new(),
        }
    }
}

impl SpeechRequest {
    /// The settings of a job, without the languages that may be spoken.
    pub(crate) fn settings(&self) -> TranscriptionSettings {
        TranscriptionSettings {
            transcription_type: self.mode,
            language_code: self.language_code(),
            diarization: self.diarize,
            speakers: self.speakers.clone(),
            word_level_timestamps: true,
            translate: if self.translate { "to_eng" } else { "" }.to_owned(),
            custom_vocabulary: self.vocabulary(),
            languages: self.languages.clone().unwrap_or_default(),
            ..TranscriptionSettings::default()
        }
    }

    fn language_code(&self) -> String {
        match (&self.language, self.mode) {
            (Some(code), _) => code.clone(),
            // Lite recognises one language and detects none.
            (None, TranscriptionType::Lite) => "en".to_owned(),
            (None, TranscriptionType::Full) => AUTO.to_owned(),
        }
    }

    /// Keywords and prompt as a list of words to expect. Of a prompt that is too long, the end is
    /// kept: it is nearest to the recording.
    fn vocabulary(&self) -> String {
        let clean = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let terms = |text: &str| -> Vec<String> {
            let terms = text.split(',').map(clean);
            terms.filter(|term| !term.is_empty()).collect()
        };
        let mut list: Vec<String> = self.keywords.iter().flat_map(|word| terms(word)).collect();
        list.truncate(MAX_VOCABULARY_TERMS);
        let prompt = terms(&self.prompt);
        let room = MAX_VOCABULARY_TERMS - list.len();
        list.extend_from_slice(&prompt[prompt.len().saturating_sub(room)..]);
        let joined = list.join(", ");
        let length = joined.chars().count();
        joined
            .chars()
            .skip(length.saturating_sub(MAX_VOCABULARY))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_language_it_is_detected_and_lite_is_english() {
        let full = SpeechRequest::default();
        assert_eq!(full.settings().language_code, AUTO);
        let lite = SpeechRequest {
            mode: TranscriptionType::Lite,
            ..SpeechRequest::default()
        };
        assert_eq!(lite.settings().language_code, "en");
    }

    #[test]
    fn keywords_and_prompt_become_words_to_expect() {
        let request = SpeechRequest {
            keywords: vec![
                "Slovo".to_owned(),
                " ".to_owned(),
                "Червона\nрута".to_owned(),
            ],
            prompt: "  A talk\n about maps. ".to_owned(),
            ..SpeechRequest::default()
        };
        let vocabulary = request.settings().custom_vocabulary;
        assert_eq!(vocabulary, "Slovo, Червона рута, A talk about maps.");
        let long = SpeechRequest {
            prompt: "ї".repeat(MAX_VOCABULARY) + " кінець",
            ..SpeechRequest::default()
        };
        let vocabulary = long.settings().custom_vocabulary;
        assert_eq!(vocabulary.chars().count(), MAX_VOCABULARY);
        assert!(vocabulary.ends_with(" кінець"));
        let listed = SpeechRequest {
            keywords: vec!["Slovo".to_owned()],
            prompt: "a, ".repeat(300) + "z",
            ..SpeechRequest::default()
        };
        let vocabulary = listed.settings().custom_vocabulary;
        assert_eq!(vocabulary.split(", ").count(), MAX_VOCABULARY_TERMS);
        assert!(vocabulary.starts_with("Slovo, a, ") && vocabulary.ends_with(", z"));
    }
}
