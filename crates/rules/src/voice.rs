//! Voices that an account remembers, with the consent of those who speak.

use crate::edit;
use crate::valid::Valid;
use crate::violation::{Code, Violations};

/// Maximum number of voices of an account.
pub const MAX_VOICES: usize = 200;
/// Maximum number of samples of a voice.
pub const MAX_SAMPLES: usize = 50;

wire_enum! {
    /// The state of a voice, or of a sample of it.
    VoiceState {
        /// It can be compared.
        Ready => "ready",
        /// It is being computed.
        Learning => "learning",
        /// It could not be computed.
        Failed => "failed",
    }
}

/// Why a voice could not be computed, or the speakers of a text not be compared; their texts are
/// `voices.failure.<code>` of `voices.json`.
pub const VOICE_FAILURES: &[&str] = &[
    "too_little_speech",
    "recording_missing",
    "recognition_failed",
    "feature_unavailable",
];

/// A request to remember the voice of a speaker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VoiceForm {
    /// `SPEAKER_n`.
    pub speaker: String,
    /// Name of a new voice.
    pub name: Option<String>,
    /// The voice that this speaker is added to.
    pub voice: Option<String>,
}

/// The voice that a sample is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum VoiceChoice {
    /// A new one with this name.
    New(String),
    /// An existing one.
    Existing(String),
}

/// A validated [`VoiceForm`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VoicePlan {
    /// `SPEAKER_n`.
    pub speaker: String,
    /// The voice.
    pub voice: VoiceChoice,
}

/// Checks a request to remember a voice.
///
/// # Errors
/// All violations, in the order of the fields.
pub fn validate(form: &VoiceForm) -> Result<Valid<VoicePlan>, Violations> {
    let mut v = Violations::new();
    edit::check_speaker(&mut v, "speaker", &form.speaker);
    let voice = match (&form.name, &form.voice) {
        (Some(name), None) => VoiceChoice::New(edit::check_speaker_name(&mut v, name)),
        (None, Some(voice)) => VoiceChoice::Existing(voice.clone()),
        (None, None) => {
            v.add("name", Code::SpeakerNameRequired);
            VoiceChoice::New(String::new())
        }
        (Some(_), Some(_)) => {
            v.add("voice", Code::IdInvalid);
            VoiceChoice::New(String::new())
        }
    };
    v.or(|| {
        Valid::new(VoicePlan {
            speaker: form.speaker.clone(),
            voice,
        })
    })
}

/// Checks the name of a voice: the rules for names of speakers, because it becomes one.
///
/// # Errors
/// The name is empty or too long.
pub fn validate_name(name: &str) -> Result<Valid<String>, Violations> {
    let mut v = Violations::new();
    let name = edit::check_speaker_name(&mut v, name);
    v.or(|| Valid::new(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form() -> VoiceForm {
        VoiceForm {
            speaker: "SPEAKER_1".to_owned(),
            name: Some("  Олена \u{202e}".to_owned()),
            voice: None,
        }
    }

    fn violations(form: &VoiceForm) -> Vec<(String, Code)> {
        let violations = validate(form).unwrap_err().0.into_iter();
        violations.map(|v| (v.field, v.code)).collect()
    }

    #[test]
    fn a_new_voice_has_a_clean_name_and_another_sample_names_its_voice() {
        let plan = validate(&form()).unwrap().into_inner();
        assert_eq!(plan.voice, VoiceChoice::New("Олена".to_owned()));
        let more = VoiceForm {
            name: None,
            voice: Some("v1".to_owned()),
            ..form()
        };
        let plan = validate(&more).unwrap().into_inner();
        assert_eq!(plan.voice, VoiceChoice::Existing("v1".to_owned()));
    }

    #[test]
    fn there_is_exactly_one_voice_and_a_speaker_of_the_text() {
        let none = VoiceForm {
            name: None,
            speaker: "SPEAKER_01".to_owned(),
            ..form()
        };
        let both = VoiceForm {
            voice: Some("v1".to_owned()),
            ..form()
        };
        let expected = [
            ("speaker".to_owned(), Code::SpeakerInvalid),
            ("name".to_owned(), Code::SpeakerNameRequired),
        ];
        assert_eq!(violations(&none), expected);
        assert_eq!(violations(&both), [("voice".to_owned(), Code::IdInvalid)]);
        assert!(validate_name(" \u{202e}").is_err());
        assert!(validate_name(&"ї".repeat(81)).is_err());
        assert_eq!(*validate_name(" Ann ").unwrap(), "Ann");
    }
}
