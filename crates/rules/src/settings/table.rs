//! The table of settings, one row per setting. It generates the struct, its defaults, its JSON
//! reader, the restrictions of Lite and plans, and the data for the browser.
//!
//! To add a setting, add its row here (at the end: JSON and documents keep the order), its field in
//! `JobPlan`, the stage that reads the field, and its texts.

use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;

use crate::language;
use crate::matrix::Feature;
use crate::mode::TranscriptionType;
use crate::plan::PlanFeature;
use crate::profanity::Profanity;

use super::value::{SettingKind, SettingValue};

wire_enum! {
    /// The tab of the settings form on which a setting is shown.
    SettingTab {
        /// Settings that every transcription needs.
        Basic => "basic",
        /// Settings for more than the text itself.
        Advanced => "advanced",
    }
}

/// The component that uses a setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reader {
    /// The download stage.
    Download,
    /// The recognition stage.
    Recognition,
    /// The diarization stage.
    Speakers,
    /// The stage that stores the finished transcript.
    Finishing,
    /// Display or export of transcripts.
    Export,
    /// Analyses after recognition.
    Analysis,
}

/// The description of a setting.
#[derive(Debug, Clone, Copy, Serialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify), tsify(missing_as_null))]
pub struct Setting {
    /// Its name in JSON.
    #[cfg_attr(feature = "wasm", tsify(type = "keyof TranscriptionSettings"))]
    pub name: &'static str,
    /// The type of its value.
    pub kind: SettingKind,
    /// The names of a choice, the default first; empty for other kinds.
    #[serde(serialize_with = "serialize_choices")]
    #[cfg_attr(feature = "wasm", tsify(type = "string[]"))]
    pub choices: fn() -> Vec<&'static str>,
    /// The tab of the form that shows it; `None` if it is not an option.
    #[cfg_attr(feature = "wasm", tsify(type = "SettingTab | null"))]
    pub tab: Option<SettingTab>,
    /// The feature that the mode, the language and the server must support for it.
    #[cfg_attr(feature = "wasm", tsify(type = "Feature | null"))]
    pub feature: Option<Feature>,
    /// The feature that the plan must include for it.
    #[cfg_attr(feature = "wasm", tsify(type = "PlanFeature | null"))]
    pub plan: Option<PlanFeature>,
    /// The components that use it.
    #[serde(skip)]
    pub read_by: &'static [Reader],
}

macro_rules! optional {
    () => {
        None
    };
    ($value:expr) => {
        Some($value)
    };
}

/// Defines [`TranscriptionSettings`] and [`SETTINGS`] from the rows. `asked` marks the rows that
/// request a feature, in order.
macro_rules! settings {
    ($(
        $(#[doc = $doc:literal])+
        $name:ident: $type:ty = $default:expr => {
            $(tab: $tab:ident,)?
            $(feature: $feature:ident,)?
            $(plan: $plan:ident,)?
            read_by: [$($reader:ident),+]
        }
    )+) => {
        /// The settings of a transcription. Absent fields have their defaults: Full, Ukrainian,
        /// sentence timestamps on, everything else off or empty.
        #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(default, deny_unknown_fields)]
        #[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
        #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
        pub struct TranscriptionSettings {
            $( $(#[doc = $doc])+ pub $name: $type, )+
        }

        impl Default for TranscriptionSettings {
            fn default() -> Self {
                Self { $( $name: $default, )+ }
            }
        }

        /// All settings, in the order of the fields.
        pub const SETTINGS: &[Setting] = &[$(
            Setting {
                name: stringify!($name),
                kind: <$type as SettingValue>::KIND,
                choices: <$type as SettingValue>::choices,
                tab: optional!($(SettingTab::$tab)?),
                feature: optional!($(Feature::$feature)?),
                plan: optional!($(PlanFeature::$plan)?),
                read_by: &[$(Reader::$reader),+],
            }
        ),+];

        impl TranscriptionSettings {
            /// Sets one field: whether the value had the right type, or `None` for an unknown field.
            ///
            /// Written by hand instead of using serde, whose JSON deserializer contains number
            /// tables and messages that would make up a sixth of the browser's download.
            pub(super) fn set(&mut self, name: &str, value: &Value) -> Option<bool> {
                match name {
                    $( stringify!($name) => Some(assign(&mut self.$name, value)), )+
                    _ => None,
                }
            }

            /// The settings that request something.
            pub(super) fn asked(&self) -> impl Iterator<Item = &'static Setting> {
                let asks = [$( self.$name.is_asked() ),+];
                let rows = SETTINGS.iter().zip(asks);
                rows.filter(|(_, asks)| *asks).map(|(row, _)| row)
            }

            /// Restores the default of every setting that `is_reset` selects.
            pub(super) fn reset(&mut self, is_reset: impl Fn(&Setting) -> bool) {
                let default = Self::default();
                let mut resets = SETTINGS.iter().map(is_reset);
                $( if resets.next() == Some(true) { self.$name = default.$name; } )+
            }
        }
    };
}

settings! {
    /// URL of the recording; empty if it does not come from one.
    url: String = String::new() => { read_by: [Download] }

    /// Mode.
    transcription_type: TranscriptionType = TranscriptionType::Full => {
        tab: Basic, read_by: [Recognition]
    }

    /// One of the 28 codes, or `auto` in Full.
    language_code: String = language::DEFAULT.to_owned() => { tab: Basic, read_by: [Recognition] }

    /// Tell speakers apart; a sentence is split where the speaker changes.
    diarization: bool = false => {
        tab: Basic, feature: Diarization, plan: Diarization, read_by: [Speakers]
    }

    /// Number of speakers: a number, a range such as `2-4`, or empty to detect it.
    speakers: String = String::new() => { tab: Basic, read_by: [Speakers] }

    /// Times of sentences; files and pages with the text include them by default.
    sentence_level_timestamps: bool = true => {
        tab: Basic, feature: Timestamps, read_by: [Export]
    }

    /// Times of words; JSON, CSV and VTT include them by default.
    word_level_timestamps: bool = false => { tab: Basic, feature: Timestamps, read_by: [Export] }

    /// Tell speakers apart, and assign one to each sentence: the one who says most of it.
    sentence_diarization: bool = false => {
        tab: Basic, feature: Diarization, plan: Diarization, read_by: [Speakers]
    }

    /// Create an SRT file when the text is completed, and keep it.
    srt: bool = false => {
        tab: Basic, feature: Timestamps, plan: ExportFormats, read_by: [Export]
    }

    /// Create a text file when the text is completed, and keep it.
    return_as_file: bool = false => { tab: Advanced, read_by: [Export] }

    /// Find the overall sentiment.
    overall_sentiment_analysis: bool = false => {
        tab: Advanced, feature: Sentiment, plan: Analytics, read_by: [Analysis]
    }

    /// Classify by the labels.
    overall_classification: bool = false => {
        tab: Advanced, feature: Classification, plan: Analytics, read_by: [Analysis]
    }

    /// Transcribe each channel separately.
    multichannel: bool = false => { tab: Advanced, plan: Diarization, read_by: [Recognition] }

    /// Length of the summary, 0 to 1000 words; 0 means none.
    summarize: i64 = 0 => {
        tab: Advanced, feature: Summarization, plan: Analytics, read_by: [Analysis]
    }

    /// `to_eng` for a translation by the recognition model, or empty.
    translate: String = String::new() => {
        tab: Advanced, plan: Translation, read_by: [Recognition]
    }

    /// Languages to translate the text to, comma-separated.
    llm_translation: String = String::new() => {
        tab: Advanced, feature: LlmTranslation, plan: Translation, read_by: [Analysis]
    }

    /// Languages to translate the subtitles to, comma-separated.
    srt_translation: String = String::new() => {
        tab: Advanced, feature: SrtTranslation, plan: Translation, read_by: [Analysis]
    }

    /// Words the recogniser should expect, comma-separated.
    custom_vocabulary: String = String::new() => { tab: Basic, read_by: [Recognition] }

    /// Instruction for the language model, at most 5000 characters; empty means none.
    custom_prompt: String = String::new() => {
        tab: Advanced, feature: Insights, plan: Analytics, read_by: [Analysis]
    }

    /// Labels to classify by.
    classification_labels: Vec<String> = Vec::new() => {
        tab: Advanced, feature: Classification, plan: Analytics, read_by: [Analysis]
    }

    /// How swear words are treated: `keep`, `mask` or `remove`.
    profanity: Profanity = Profanity::Keep => { tab: Advanced, read_by: [Finishing] }

    /// Codes of the languages that may be spoken, without duplicates: with `auto`, only these are
    /// detected. Empty means any. It has no effect if the language is not `auto`.
    languages: Vec<String> = Vec::new() => { tab: Basic, read_by: [Recognition] }
}

fn serialize_choices<S: Serializer>(
    choices: &fn() -> Vec<&'static str>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    choices().serialize(serializer)
}

/// Sets a field if the value has its type.
fn assign<T: SettingValue>(field: &mut T, value: &Value) -> bool {
    T::read(value).map(|given| *field = given).is_some()
}

/// The row of a setting.
#[must_use]
pub fn setting(name: &str) -> Option<&'static Setting> {
    SETTINGS.iter().find(|setting| setting.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_plan_or_lite_can_refuse_stands_on_a_form() {
        for setting in SETTINGS {
            let is_refused = setting.feature.is_some() || setting.plan.is_some();
            assert!(!is_refused || setting.tab.is_some(), "{}", setting.name);
        }
        assert_eq!(
            setting("srt").and_then(|row| row.tab),
            Some(SettingTab::Basic)
        );
        assert!(setting("none").is_none());
    }

    #[test]
    fn nothing_is_asked_for_by_default_but_the_times_of_sentences() {
        let asked: Vec<_> = TranscriptionSettings::default()
            .asked()
            .map(|row| row.name)
            .collect();
        assert_eq!(asked, ["language_code", "sentence_level_timestamps"]);
    }

    #[test]
    fn only_what_is_named_is_reset() {
        let mut settings = TranscriptionSettings {
            srt: true,
            summarize: 5,
            ..TranscriptionSettings::default()
        };
        settings.reset(|row| row.name == "summarize");
        assert_eq!((settings.srt, settings.summarize), (true, 0));
    }
}
