//! The OpenAI-compatible speech endpoint: recognition on another machine.

use serde::{Deserialize, Serialize};

use crate::job_plan::JobPlan;
use crate::language::Language;
use crate::language_set::{self, LanguageSet};
use crate::mode::TranscriptionType;
use crate::server_settings::{check_endpoint_url, check_model};
use crate::valid::Valid;
use crate::violation::{Code, Violation, Violations};

/// Most parts of a recording that are sent at the same time.
pub const MAX_PARALLEL: i64 = 16;

/// The speech endpoint, as set by an administrator.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = SpeechEndpointSettings))]
pub struct SpeechEndpointForm {
    /// Base address, for example `http://192.168.1.20:8000/v1`. Empty: there is no endpoint.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub url: String,
    /// Name of the model.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub model: String,
    /// Whether it serves Full.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub full: bool,
    /// Whether it serves Lite.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub lite: bool,
    /// Codes of the languages that it serves, without duplicates. Empty means any. With some, a
    /// recording whose language is detected is sent only if no other language may be spoken.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub languages: Vec<String>,
    /// Whether it translates to English (`/audio/translations`).
    #[cfg_attr(feature = "openapi", schema(required))]
    pub translates: bool,
    /// Parts of a recording that are sent at the same time, 1 to 16.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub parallel: i64,
    /// Whether the embedded engine recognises what the endpoint does not answer.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub falls_back: bool,
}

impl Default for SpeechEndpointForm {
    fn default() -> Self {
        Self {
            url: String::new(),
            model: String::new(),
            full: true,
            lite: false,
            languages: Vec::new(),
            translates: false,
            parallel: 4,
            falls_back: true,
        }
    }
}

impl SpeechEndpointForm {
    /// Whether the endpoint recognises recordings of this plan.
    #[must_use]
    pub fn serves(&self, plan: &JobPlan) -> bool {
        let serves_mode = match plan.mode {
            TranscriptionType::Full => self.full,
            TranscriptionType::Lite => self.lite,
        };
        !self.url.is_empty()
            && serves_mode
            && (self.translates || !plan.translates_to_english)
            && self.serves_languages(plan)
    }

    fn serves_languages(&self, plan: &JobPlan) -> bool {
        let served = language_set::parse("languages", &self.languages).unwrap_or(LanguageSet::ANY);
        if served.is_any() {
            return true;
        }
        let is_served = |spoken: Language| served.languages().any(|language| language == spoken);
        match plan.language {
            Some(spoken) => is_served(spoken),
            None => plan.languages.languages().all(is_served),
        }
    }
}

/// Checks an endpoint. Internal addresses are allowed: it usually is a machine beside the server.
///
/// # Errors
/// All violations, in the order of the fields.
pub fn validate(form: &SpeechEndpointForm) -> Result<Valid<SpeechEndpointForm>, Violations> {
    let mut v = Violations::new();
    let url = check_endpoint_url(&mut v, &form.url);
    let model = check_model(&mut v, &form.model);
    if url.is_empty() && !model.is_empty() {
        v.add("url", Code::UrlRequired);
    } else if !url.is_empty() && model.is_empty() {
        v.add("model", Code::ModelRequired);
    }
    if let Err(violations) = language_set::parse("languages", &form.languages) {
        v.0.extend(violations.0);
    }
    if form.parallel < 1 {
        v.push(Violation::new("parallel", Code::NumberTooSmall).with("min", 1));
    } else if form.parallel > MAX_PARALLEL {
        v.push(Violation::new("parallel", Code::NumberTooLarge).with("max", MAX_PARALLEL));
    }
    v.or(|| {
        Valid::new(SpeechEndpointForm {
            url,
            model,
            ..form.clone()
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job_plan;
    use crate::settings::{Source, TranscriptionSettings};

    fn form() -> SpeechEndpointForm {
        SpeechEndpointForm {
            url: "http://10.0.0.7:8000/v1".to_owned(),
            model: "large-v3".to_owned(),
            ..SpeechEndpointForm::default()
        }
    }

    fn plan(mode: TranscriptionType, language: &str, languages: &[&str]) -> Valid<JobPlan> {
        let settings = TranscriptionSettings {
            transcription_type: mode,
            language_code: language.to_owned(),
            languages: languages.iter().map(|code| (*code).to_owned()).collect(),
            ..TranscriptionSettings::default()
        };
        job_plan::validate(&settings, Source::File).expect("valid settings")
    }

    #[test]
    fn fields_are_checked_and_trimmed() {
        let entered = SpeechEndpointForm {
            url: " http://10.0.0.7:8000/v1/ ".to_owned(),
            model: " large-v3 ".to_owned(),
            ..SpeechEndpointForm::default()
        };
        assert_eq!(*validate(&entered).unwrap(), form());
        assert!(validate(&SpeechEndpointForm::default()).is_ok());
        let bad = SpeechEndpointForm {
            url: "http://gpu/v1?key=1".to_owned(),
            model: String::new(),
            languages: vec!["uk".to_owned(), "uk".to_owned(), "xx".to_owned()],
            parallel: 17,
            ..SpeechEndpointForm::default()
        };
        let violations = validate(&bad).unwrap_err();
        let found: Vec<_> = violations.0.iter().map(|v| (&*v.field, v.code)).collect();
        assert_eq!(
            found,
            [
                ("url", Code::SecretInAddress),
                ("model", Code::ModelRequired),
                ("languages.1", Code::Repeated),
                ("languages.2", Code::LanguageUnsupported),
                ("parallel", Code::NumberTooLarge),
            ]
        );
        for parallel in [0, -1, i64::MIN] {
            let few = SpeechEndpointForm { parallel, ..form() };
            assert!(validate(&few).unwrap_err().has(Code::NumberTooSmall));
        }
        let nameless = SpeechEndpointForm {
            url: String::new(),
            ..form()
        };
        assert!(validate(&nameless).unwrap_err().has(Code::UrlRequired));
    }

    #[test]
    fn it_serves_the_modes_and_languages_that_were_chosen() {
        use TranscriptionType::{Full, Lite};
        assert!(!SpeechEndpointForm::default().serves(&plan(Full, "uk", &[])));
        assert!(form().serves(&plan(Full, "uk", &[])));
        assert!(form().serves(&plan(Full, "auto", &[])));
        assert!(!form().serves(&plan(Lite, "en", &[])));
        let lite = SpeechEndpointForm {
            lite: true,
            full: false,
            ..form()
        };
        assert!(lite.serves(&plan(Lite, "en", &[])) && !lite.serves(&plan(Full, "en", &[])));
        let two = SpeechEndpointForm {
            languages: vec!["uk".to_owned(), "en".to_owned()],
            ..form()
        };
        assert!(two.serves(&plan(Full, "uk", &[])));
        assert!(!two.serves(&plan(Full, "ru", &[])));
        assert!(!two.serves(&plan(Full, "auto", &[])));
        assert!(two.serves(&plan(Full, "auto", &["uk", "en"])));
        assert!(!two.serves(&plan(Full, "auto", &["uk", "ru"])));
    }

    #[test]
    fn translations_are_sent_only_if_it_makes_them() {
        let mut plan = (*plan(TranscriptionType::Full, "uk", &[])).clone();
        plan.translates_to_english = true;
        assert!(!form().serves(&plan));
        let translator = SpeechEndpointForm {
            translates: true,
            ..form()
        };
        assert!(translator.serves(&plan));
    }
}
