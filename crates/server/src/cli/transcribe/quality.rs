//! Warnings about the quality of texts, on standard error: before the start, and after each
//! recording.

use std::path::Path;

use slovo_engine::EngineConfig;
use slovo_engine::models::Choice;
use slovo_rules::job_plan::JobPlan;
use slovo_rules::language::Language;
use slovo_rules::transcript::{Transcript, Warning};
use slovo_rules::warnings::{self, Outcome, SpeechModels};
use slovo_work::quality::{of_model, speech_models};

use super::sentences;
use crate::cli::hints;

/// The warnings that were given before the start, and what the later ones need.
pub struct Quality {
    models: SpeechModels,
    told: Vec<Warning>,
}

impl Quality {
    /// The warnings that can be given before the start. `wanted` is the language that the user is
    /// likely to want where Lite has set English.
    pub fn before(job: &JobPlan, wanted: Option<Language>, config: &EngineConfig) -> Self {
        let models = speech_models(&Choice {
            full: Some(config.full_model.clone()),
            lite: Some(config.lite_model.clone()),
        });
        let found = warnings::before(job.settings(), wanted, &models).into_iter();
        Self {
            told: found.map(Warning::from).collect(),
            models,
        }
    }

    /// Prints the warnings that were given before the start.
    pub fn tell(&self, folder: &Path) {
        self.told.iter().for_each(|warning| print(warning, folder));
    }

    /// Adds the warnings about a text to it, and prints those that were not printed before.
    pub fn add(&self, job: &JobPlan, transcript: &mut Transcript, folder: &Path) {
        let found = self.after(job, transcript);
        let is_told = |code: &str| self.told.iter().any(|warning| warning.code == code);
        let others = found.iter().filter(|warning| !is_told(&warning.code));
        others.for_each(|warning| print(warning, folder));
        transcript.warnings.extend(found);
    }

    fn after(&self, job: &JobPlan, transcript: &Transcript) -> Vec<Warning> {
        let outcome = Outcome {
            settings: job.settings(),
            language: Language::parse(&transcript.language),
            unrecognised: Some(warnings::unrecognised_share(transcript)),
        };
        let model = of_model(&transcript.model);
        let found = warnings::after(outcome, model.as_ref(), &self.models.larger);
        found.into_iter().map(Warning::from).collect()
    }
}

/// The warning, with the command that installs a better model.
fn print(warning: &Warning, folder: &Path) {
    eprintln!("slovo: warning: {}", sentences::of_warning(warning));
    if let Some(better) = warning.params.get("better").and_then(|id| id.as_str()) {
        let command = hints::pull(better, folder);
        eprintln!("slovo: {better} does better: `{command} --use full`");
    }
}

#[cfg(test)]
mod tests {
    use slovo_rules::settings::{self, TranscriptionSettings, TranscriptionType};

    use super::*;

    fn plan(mode: TranscriptionType, language: &str, translate: bool) -> JobPlan {
        let settings = TranscriptionSettings {
            transcription_type: mode,
            language_code: language.to_owned(),
            translate: if translate {
                settings::TRANSLATE_TO_ENGLISH.to_owned()
            } else {
                String::new()
            },
            ..TranscriptionSettings::default()
        };
        settings.try_into().unwrap()
    }

    fn codes(warnings: &[Warning]) -> Vec<&str> {
        warnings
            .iter()
            .map(|warning| warning.code.as_str())
            .collect()
    }

    #[test]
    fn warnings_of_the_default_models() {
        use TranscriptionType::{Full, Lite};
        let config = EngineConfig::new("/nowhere".into());
        let before = |plan: &JobPlan, wanted| Quality::before(plan, wanted, &config);
        let poor = before(&plan(Full, "uk", false), None);
        assert_eq!(codes(&poor.told), ["language_served_poorly"]);
        assert_eq!(poor.told[0].params["percent"], 45.0);
        assert!(before(&plan(Full, "en", false), None).told.is_empty());
        let lite = before(&plan(Lite, "en", false), Some(Language::Uk));
        assert_eq!(codes(&lite.told), ["lite_not_english"]);
        let other = EngineConfig {
            full_model: "somebody-else".to_owned(),
            ..config.clone()
        };
        let unknown = Quality::before(&plan(Full, "uk", true), None, &other);
        assert!(unknown.told.is_empty());
    }

    #[test]
    fn a_found_language_is_told_after_recognition() {
        let config = EngineConfig::new("/nowhere".into());
        let job = plan(TranscriptionType::Full, "auto", true);
        let quality = Quality::before(&job, None, &config);
        assert!(quality.told.is_empty());
        let mut transcript = Transcript {
            language: "uk".to_owned(),
            duration: 3.0,
            mode: TranscriptionType::Full,
            model: "base-q8_0".to_owned(),
            segments: Vec::new(),
            warnings: vec![Warning::new("one_channel")],
            removed: Vec::new(),
        };
        quality.add(&job, &mut transcript, Path::new("/nowhere"));
        assert_eq!(
            codes(&transcript.warnings),
            [
                "one_channel",
                "language_served_poorly",
                "translation_unsuitable"
            ]
        );
    }
}
