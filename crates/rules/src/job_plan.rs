//! The plan of a transcription: its settings, validated and parsed once into types that cannot hold
//! invalid values. Stages, the database and the command line use it and parse no settings
//! themselves.

use serde::{Deserialize, Serialize};

use crate::analysis::{PartRequest, of_settings};
use crate::language::{AUTO, Language};
use crate::language_set::{self, LanguageSet};
use crate::mode::TranscriptionType;
use crate::profanity::{self, Profanity};
use crate::settings::{self, MadeFile, Source, SpeakerCount, TranscriptionSettings, speaker_count};
use crate::transcript::{Segment, Transcript};
use crate::valid::Valid;
use crate::violation::{Code, Violation, Violations};

/// The plan of a transcription. In JSON it is its settings: rows and messages keep their format,
/// and settings unknown to an older version get their defaults.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "TranscriptionSettings", into = "TranscriptionSettings")]
pub struct JobPlan {
    settings: TranscriptionSettings,
    /// Mode of recognition.
    pub mode: TranscriptionType,
    /// Language of the speech; `None` to detect it. If only one may be spoken, it is not detected.
    pub language: Option<Language>,
    /// The languages that may be spoken, if it is detected.
    pub languages: LanguageSet,
    /// Options of diarization; `None` without it.
    pub speakers: Option<SpeakersPlan>,
    /// Whether each channel is recognised on its own.
    pub multichannel: bool,
    /// Whether the recognition model translates to English. Not in Lite, which only recognises
    /// English.
    pub translates_to_english: bool,
    /// Words that the recogniser should expect, without duplicates.
    pub vocabulary: Vec<String>,
    /// How swear words are treated.
    pub profanity: Profanity,
    /// Whether files and pages include the times of sentences by default.
    pub sentence_times: bool,
    /// Whether files include the times of words by default.
    pub word_times: bool,
    /// The files to be made and stored on completion.
    pub files: Vec<MadeFile>,
    /// The analyses to be made after recognition, in this order.
    pub analyses: Vec<PartRequest>,
}

/// Options of diarization.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SpeakersPlan {
    /// Whether each sentence has one speaker, who says most of it; otherwise it is split where the
    /// speaker changes.
    pub whole_sentences: bool,
    /// The number of speakers.
    pub count: SpeakerCount,
}

impl JobPlan {
    /// The settings as sent and stored.
    #[must_use]
    pub const fn settings(&self) -> &TranscriptionSettings {
        &self.settings
    }

    /// The settings without the recording's URL, whose query may be a secret.
    #[must_use]
    pub fn settings_without_url(&self) -> TranscriptionSettings {
        TranscriptionSettings {
            url: String::new(),
            ..self.settings.clone()
        }
    }

    /// Whether the segments of the transcript differ from the recognised ones. If so, the windows
    /// of recognition are kept, so that a rerun with other options need not recognise the words
    /// again.
    #[must_use]
    pub fn changes_segments(&self) -> bool {
        self.speakers.is_some() || self.changes_words()
    }

    /// Whether words of the text differ from the recognised ones.
    #[must_use]
    pub fn changes_words(&self) -> bool {
        self.profanity != Profanity::Keep
    }

    /// The text as stored on completion, from the recognised one: with all settings that change its
    /// words.
    #[must_use]
    pub fn finish(&self, transcript: Transcript) -> Transcript {
        profanity::apply(self.profanity, transcript)
    }

    /// Segments of an unfinished text, as they will be in the finished one. Those that become empty
    /// are left out; the others keep their numbers.
    #[must_use]
    pub fn finish_segments(&self, segments: Vec<Segment>) -> Vec<Segment> {
        profanity::apply_to_segments(self.profanity, segments)
    }

    /// An excerpt of an unfinished text, as it will be in the finished one.
    #[must_use]
    pub fn finish_excerpt(&self, text: String) -> String {
        profanity::apply_to_text(self.profanity, text)
    }

    /// The recording's URL; empty if it has none.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.settings.url
    }

    /// The language's code, or `auto`.
    #[must_use]
    pub fn language_code(&self) -> &'static str {
        self.language.map_or(AUTO, Language::as_str)
    }
}

impl TryFrom<TranscriptionSettings> for JobPlan {
    type Error = Violations;

    /// Parses settings that were validated before they were stored. Checks only the rules that a
    /// plan depends on.
    fn try_from(settings: TranscriptionSettings) -> Result<Self, Violations> {
        let code = settings.language_code.as_str();
        let language = match Language::parse(code) {
            None if code != AUTO => {
                let unknown = Violation::new("language_code", Code::LanguageUnsupported);
                return Err(unknown.with_echo("language", code).into());
            }
            language => language,
        };
        let languages = match language {
            None => language_set::parse("languages", &settings.languages)?,
            Some(_) => LanguageSet::ANY,
        };
        let count = speaker_count(&settings.speakers)?;
        let speakers = settings.wants_speakers().then_some(SpeakersPlan {
            whole_sentences: settings.sentence_diarization,
            count,
        });
        Ok(Self {
            mode: settings.transcription_type,
            language: language.or_else(|| languages.only()),
            languages,
            speakers,
            multichannel: settings.multichannel,
            translates_to_english: settings.translates(),
            vocabulary: settings.vocabulary_terms(),
            profanity: settings.profanity,
            sentence_times: settings.sentence_level_timestamps,
            word_times: settings.word_level_timestamps,
            files: settings.made_files(),
            analyses: of_settings(&settings),
            settings,
        })
    }
}

impl From<JobPlan> for TranscriptionSettings {
    fn from(plan: JobPlan) -> Self {
        plan.settings
    }
}

/// The plan of the default settings.
impl Default for Valid<JobPlan> {
    fn default() -> Self {
        let settings = TranscriptionSettings::default();
        validate(&settings, Source::File)
            .unwrap_or_else(|broken| unreachable!("the defaults break rules: {broken}"))
    }
}

/// Checks the settings of a new transcription and parses them: see [`settings::check`].
///
/// # Errors
/// All violations, in the order of the fields.
pub fn validate(
    settings: &TranscriptionSettings,
    source: Source,
) -> Result<Valid<JobPlan>, Violations> {
    settings::check(settings, source)?;
    JobPlan::try_from(settings.clone()).map(Valid::new)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_is_read_back_from_its_settings() {
        let settings = TranscriptionSettings {
            url: "https://example.com/a.mp3?key=1".to_owned(),
            language_code: "en".to_owned(),
            sentence_diarization: true,
            speakers: "2-4".to_owned(),
            translate: "to_eng".to_owned(),
            custom_vocabulary: "Slovo, slovo".to_owned(),
            srt: true,
            summarize: 10,
            ..TranscriptionSettings::default()
        };
        let plan = validate(&settings, Source::Url).unwrap().into_inner();
        let expected = SpeakersPlan {
            whole_sentences: true,
            count: SpeakerCount::Between(2, 4),
        };
        assert_eq!(plan.speakers, Some(expected));
        assert_eq!(plan.language, Some(Language::En));
        assert!(plan.translates_to_english);
        assert_eq!(plan.vocabulary, ["Slovo"]);
        assert_eq!(
            (plan.files.as_slice(), plan.analyses.len()),
            (&[MadeFile::Srt][..], 1)
        );
        assert_eq!(plan.settings_without_url().url, "");
        let stored = serde_json::to_value(&plan).unwrap();
        assert_eq!(stored, serde_json::to_value(&settings).unwrap());
        assert_eq!(serde_json::from_value::<JobPlan>(stored).unwrap(), plan);
    }

    #[test]
    fn what_an_older_version_stored_is_read() {
        let old = serde_json::json!({ "language_code": "auto", "diarization": true });
        let plan: JobPlan = serde_json::from_value(old).unwrap();
        assert_eq!((plan.language, plan.language_code()), (None, AUTO));
        assert_eq!(
            plan.speakers.map(|speakers| speakers.count),
            Some(SpeakerCount::Found)
        );
        assert!(plan.sentence_times);
    }

    fn of_languages(language: &str, languages: &[&str]) -> JobPlan {
        let settings = TranscriptionSettings {
            language_code: language.to_owned(),
            languages: languages.iter().map(|code| (*code).to_owned()).collect(),
            ..TranscriptionSettings::default()
        };
        validate(&settings, Source::File).unwrap().into_inner()
    }

    #[test]
    fn a_set_of_languages_counts_only_if_the_language_is_detected() {
        let plan = of_languages(AUTO, &["ru", "uk"]);
        assert_eq!(plan.language, None);
        assert!(plan.languages.languages().eq([Language::Uk, Language::Ru]));
        let plan = of_languages("de", &["ru", "uk"]);
        assert_eq!(plan.language, Some(Language::De));
        assert!(plan.languages.is_any());
        assert_eq!(plan.settings().languages, ["ru", "uk"], "kept for a rerun");
    }

    #[test]
    fn a_single_language_is_like_a_given_one() {
        let plan = of_languages(AUTO, &["ru"]);
        assert_eq!(plan.language, Some(Language::Ru));
        assert_eq!(plan.language_code(), "ru");
        assert_eq!(of_languages(AUTO, &[]).language, None);
    }

    #[test]
    fn a_row_that_names_no_language_is_not_read() {
        let broken = serde_json::json!({ "language_code": "xx" });
        let error = serde_json::from_value::<JobPlan>(broken).unwrap_err();
        assert!(error.to_string().contains("language_code"), "{error}");
    }

    #[test]
    fn the_defaults_are_valid() {
        assert_eq!(
            Valid::<JobPlan>::default().settings(),
            &TranscriptionSettings::default()
        );
    }
}
