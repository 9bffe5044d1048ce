//! Languages of speech, of diarization, of Lite, and of translation.

use crate::mode::TranscriptionType;

/// The code for automatic detection; Full only.
pub const AUTO: &str = "auto";

/// The default language of a new user.
pub const DEFAULT: &str = "uk";

wire_enum! {
    /// A language of speech (ISO 639-1), in the order in which they are offered. Its name is
    /// in the locale files' `languages.json`.
    Language {
        /// Ukrainian.
        Uk => "uk",
        /// Russian.
        Ru => "ru",
        /// English.
        En => "en",
        /// German.
        De => "de",
        /// Spanish.
        Es => "es",
        /// French.
        Fr => "fr",
        /// Italian.
        It => "it",
        /// Polish.
        Pl => "pl",
        /// Portuguese.
        Pt => "pt",
        /// Japanese.
        Ja => "ja",
        /// Chinese.
        Zh => "zh",
        /// Dutch.
        Nl => "nl",
        /// Arabic.
        Ar => "ar",
        /// Czech.
        Cs => "cs",
        /// Hungarian.
        Hu => "hu",
        /// Finnish.
        Fi => "fi",
        /// Persian.
        Fa => "fa",
        /// Greek.
        El => "el",
        /// Turkish.
        Tr => "tr",
        /// Danish.
        Da => "da",
        /// Hebrew.
        He => "he",
        /// Vietnamese.
        Vi => "vi",
        /// Korean.
        Ko => "ko",
        /// Urdu.
        Ur => "ur",
        /// Telugu.
        Te => "te",
        /// Hindi.
        Hi => "hi",
        /// Catalan.
        Ca => "ca",
        /// Malayalam.
        Ml => "ml",
    }
}

/// The codes of the 28 languages of speech, in display order.
pub const LANGUAGES: [&str; 28] = codes();

const fn codes() -> [&'static str; 28] {
    let mut codes = [""; 28];
    let mut position = 0;
    while position < codes.len() {
        codes[position] = Language::ALL[position].as_str();
        position += 1;
    }
    codes
}

/// The languages of the Lite mode.
const LITE_LANGUAGES: [&str; 1] = ["en"];

wire_enum! {
    /// A target language of text and subtitle translation by the language model.
    TranslationTarget {
        /// English.
        English => "english",
        /// French.
        French => "french",
        /// German.
        German => "german",
        /// Italian.
        Italian => "italian",
        /// Portuguese.
        Portuguese => "portuguese",
        /// Hindi.
        Hindi => "hindi",
        /// Spanish.
        Spanish => "spanish",
        /// Thai.
        Thai => "thai",
        /// Ukrainian.
        Ukrainian => "ukrainian",
    }
}

/// Whether the code is one of the 28; the comparison is exact.
#[must_use]
pub fn is_supported(code: &str) -> bool {
    Language::parse(code).is_some()
}

/// The languages of the Lite mode: English.
#[must_use]
pub const fn lite_languages() -> &'static [&'static str] {
    &LITE_LANGUAGES
}

/// The languages that support diarization: all 28.
#[must_use]
pub const fn diarization_languages() -> &'static [&'static str] {
    &LANGUAGES
}

/// The nine target languages of translation.
#[must_use]
pub const fn translation_targets() -> &'static [TranslationTarget] {
    TranslationTarget::ALL
}

/// The languages for a mode; Full additionally has "auto".
#[must_use]
pub const fn offered(transcription_type: TranscriptionType) -> &'static [&'static str] {
    match transcription_type {
        TranscriptionType::Full => &LANGUAGES,
        TranscriptionType::Lite => &LITE_LANGUAGES,
    }
}

/// The entries of a comma-separated list: trimmed, without empty ones.
pub fn listed(list: &str) -> impl Iterator<Item = &str> {
    list.split(',')
        .map(str::trim)
        .filter(|entry| !entry.is_empty())
}

/// The translation language with this name, case-insensitive (`French`, `FRENCH`).
#[must_use]
pub fn translation_target(name: &str) -> Option<TranslationTarget> {
    TranslationTarget::ALL
        .iter()
        .copied()
        .find(|target| target.as_str().eq_ignore_ascii_case(name.trim()))
}

/// The known languages in a comma-separated list, without duplicates, in the given order.
#[must_use]
pub fn translation_list(list: &str) -> Vec<TranslationTarget> {
    let mut targets = Vec::new();
    for target in listed(list).filter_map(translation_target) {
        if !targets.contains(&target) {
            targets.push(target);
        }
    }
    targets
}
