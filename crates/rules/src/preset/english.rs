//! A preset's settings for readers of English, after its settings were changed.

use crate::settings::{self, TranscriptionSettings};

/// The settings for readers of English after the main settings were changed from `before` to
/// `after`. Settings that depend on the language (language, prompt, vocabulary, labels,
/// translations) keep their English values if they were not changed; all others follow `after`.
/// `None` if the combination is invalid: then all users get the same settings.
#[must_use]
pub fn follow(
    english: &TranscriptionSettings,
    before: &TranscriptionSettings,
    after: &TranscriptionSettings,
) -> Option<TranscriptionSettings> {
    let followed = TranscriptionSettings {
        language_code: carried_over(
            &english.language_code,
            &before.language_code,
            &after.language_code,
        ),
        custom_prompt: carried_over(
            &english.custom_prompt,
            &before.custom_prompt,
            &after.custom_prompt,
        ),
        custom_vocabulary: carried_over(
            &english.custom_vocabulary,
            &before.custom_vocabulary,
            &after.custom_vocabulary,
        ),
        classification_labels: carried_over(
            &english.classification_labels,
            &before.classification_labels,
            &after.classification_labels,
        ),
        llm_translation: carried_over(
            &english.llm_translation,
            &before.llm_translation,
            &after.llm_translation,
        ),
        srt_translation: carried_over(
            &english.srt_translation,
            &before.srt_translation,
            &after.srt_translation,
        ),
        ..after.clone()
    };
    settings::validate_options(&followed)
        .is_ok()
        .then_some(followed)
}

fn carried_over<T: Clone + PartialEq>(english: &T, before: &T, after: &T) -> T {
    let chosen = if before == after { english } else { after };
    chosen.clone()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::TranscriptionType;

    fn ukrainian() -> TranscriptionSettings {
        TranscriptionSettings {
            diarization: true,
            custom_prompt: "Склади протокол".to_owned(),
            llm_translation: "english".to_owned(),
            classification_labels: vec!["скарга".to_owned()],
            ..TranscriptionSettings::default()
        }
    }

    fn english() -> TranscriptionSettings {
        TranscriptionSettings {
            language_code: "en".to_owned(),
            custom_prompt: "Write minutes".to_owned(),
            llm_translation: String::new(),
            classification_labels: vec!["complaint".to_owned()],
            ..ukrainian()
        }
    }

    #[test]
    fn changed_settings_carry_over_and_the_rest_stays_english() {
        let after = TranscriptionSettings {
            diarization: false,
            summarize: 50,
            classification_labels: vec!["подяка".to_owned()],
            ..ukrainian()
        };
        let expected = TranscriptionSettings {
            diarization: false,
            summarize: 50,
            classification_labels: vec!["подяка".to_owned()],
            ..english()
        };
        let followed = follow(&english(), &ukrainian(), &after);
        assert_eq!(followed, Some(expected));
        let prompt = TranscriptionSettings {
            custom_prompt: "Інше".to_owned(),
            ..ukrainian()
        };
        let followed = follow(&english(), &ukrainian(), &prompt).unwrap();
        assert_eq!(followed.custom_prompt, "Інше");
        assert_eq!(followed.language_code, "en");
        assert_eq!(
            follow(&english(), &ukrainian(), &ukrainian()),
            Some(english())
        );
    }

    #[test]
    fn invalid_combinations_are_dropped() {
        // The English prompt stays because the main one never changed; Lite has no prompt.
        let bare = TranscriptionSettings {
            custom_prompt: String::new(),
            classification_labels: Vec::new(),
            llm_translation: String::new(),
            ..ukrainian()
        };
        let lite = bare.clone().with_type(TranscriptionType::Lite);
        assert_eq!(follow(&english(), &bare, &lite), None);
        // An option removed from the main settings is removed in English too.
        let lite = ukrainian().with_type(TranscriptionType::Lite);
        let followed = follow(&english(), &ukrainian(), &lite).unwrap();
        assert_eq!(followed.custom_prompt, "");
        assert_eq!(followed.language_code, "en");
    }
}
