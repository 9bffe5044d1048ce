//! Digests of a stage's inputs, to detect whether they have changed.

use serde::Serialize;
use sha2::{Digest, Sha256};
use slovo_db::jobs::Job;
use slovo_rules::job_plan::{JobPlan, SpeakersPlan};
use slovo_rules::language::Language;
use slovo_rules::settings::TranscriptionType;
use uuid::Uuid;

/// Inputs of the probe. The bytes behind an id never change once an upload is complete.
#[derive(Serialize)]
struct Probe {
    media: Uuid,
    bytes: u64,
}

/// Inputs of fetching.
#[derive(Serialize)]
struct Download<'a> {
    media: Uuid,
    url: &'a str,
}

/// Inputs of recognition.
#[derive(Serialize)]
struct Recognition<'a> {
    probe: &'a str,
    mode: TranscriptionType,
    language: &'a str,
    translate: &'a str,
    vocabulary: &'a [String],
    model: &'a str,
    /// Omitted if not chosen, so that digests from before the option existed still match.
    #[serde(skip_serializing_if = "Option::is_none")]
    audio_track: Option<u32>,
    /// Omitted if channels are mixed, so that digests from before the option existed still match.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    multichannel: bool,
    /// Omitted if any language may be spoken, so that digests from before the option existed still
    /// match.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    languages: Vec<Language>,
}

/// The digest of the probe's inputs.
pub fn probe(job: &Job) -> String {
    of(&Probe {
        media: job.media_id,
        bytes: job.file_size,
    })
}

/// The digest of fetching's inputs. The URL itself is not stored in the checkpoint: its query may
/// contain a secret.
pub fn download(job: &Job) -> String {
    of(&Download {
        media: job.media_id,
        url: job.plan.url(),
    })
}

/// Inputs of identifying speakers.
#[derive(Serialize)]
struct Speakers<'a> {
    recognition: &'a str,
    whole_sentences: bool,
    /// Omitted if it is to be detected, so that digests from before the option existed still match.
    #[serde(skip_serializing_if = "str::is_empty")]
    count: &'a str,
}

/// The digest of the inputs of identifying speakers, with the model of recognition.
pub fn speakers(job: &Job, plan: SpeakersPlan, model: &str) -> String {
    of(&Speakers {
        recognition: &recognition(job, model),
        whole_sentences: plan.whole_sentences,
        // Unparsed, so that stored digests still match.
        count: job.plan.settings().speakers.trim(),
    })
}

/// The digest of recognition's inputs with the model of this id.
pub fn recognition(job: &Job, model: &str) -> String {
    of(&Recognition {
        probe: &probe(job),
        mode: job.plan.mode,
        language: job.plan.language_code(),
        translate: &job.plan.settings().translate,
        vocabulary: &job.plan.vocabulary,
        model,
        audio_track: job.audio_track,
        multichannel: job.plan.multichannel,
        languages: spoken(&job.plan),
    })
}

/// The languages that are told apart, in a fixed order; none if it is any or only one.
fn spoken(plan: &JobPlan) -> Vec<Language> {
    let is_limited = plan.language.is_none() && !plan.languages.is_any();
    let languages = plan.languages.languages();
    languages.filter(|_| is_limited).collect()
}

fn of(inputs: &impl Serialize) -> String {
    // Plain structs of strings and numbers: serialising them to memory does not fail.
    hex::encode(Sha256::digest(
        serde_json::to_vec(inputs).unwrap_or_default(),
    ))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use slovo_rules::job::{JobStatus, Stage};
    use slovo_rules::settings::{Reader, SETTINGS};

    use super::*;

    fn job(settings: Value) -> Job {
        Job {
            id: Uuid::nil(),
            user_id: String::new(),
            media_id: Uuid::nil(),
            original_filename: "speech.wav".to_owned(),
            title: None,
            content_type: "audio/wav".to_owned(),
            file_size: 1,
            has_video: false,
            duration: Some(1.0),
            awaits_download: false,
            plan: serde_json::from_value(settings).expect("valid settings"),
            audio_track: None,
            is_visible: true,
            is_sample: false,
            status: JobStatus::Pending,
            stage: Stage::Queued,
            percent: 0.0,
            seconds_left: None,
            language: None,
            language_probability: None,
            model: None,
            unrecognised: None,
            error: None,
            warnings: Vec::new(),
            version: 1,
            versions: 0,
            held: 0,
            tags: Vec::new(),
            folder: None,
            files: Vec::new(),
            attempts: 0,
            created_at: 0,
            started_at: None,
            finished_at: None,
        }
    }

    /// Two valid settings that differ only in this one.
    fn pair(setting: &str) -> [Value; 2] {
        let old = match setting {
            "transcription_type" | "language_code" => json!({ "language_code": "en" }),
            "languages" => json!({ "language_code": "auto" }),
            "overall_classification" => json!({ "classification_labels": ["news"] }),
            "speakers" | "sentence_diarization" => json!({ "diarization": true }),
            _ => json!({}),
        };
        let mut new = old.clone();
        new[setting] = match setting {
            "url" => json!("https://example.com/speech.wav"),
            "transcription_type" => json!("lite"),
            "language_code" => json!("uk"),
            "languages" => json!(["uk", "en"]),
            "speakers" => json!("2"),
            "translate" => json!("to_eng"),
            "llm_translation" | "srt_translation" => json!("french"),
            "summarize" => json!(50),
            "custom_vocabulary" | "custom_prompt" => json!("Slovo"),
            "classification_labels" => json!(["news"]),
            "profanity" => json!("mask"),
            "sentence_level_timestamps" => json!(false),
            _ => json!(true),
        };
        [old, new]
    }

    #[test]
    fn a_stage_runs_again_exactly_if_a_setting_that_it_reads_has_changed() {
        for setting in SETTINGS {
            let [old, new] = pair(setting.name).map(job);
            let reads = |readers: &[Reader]| {
                let mut read_by = setting.read_by.iter();
                read_by.any(|reader| readers.contains(reader))
            };
            let runs_again = |digest: fn(&Job) -> Option<String>| digest(&old) != digest(&new);
            let expected = [
                reads(&[Reader::Download]),
                reads(&[Reader::Recognition]),
                // It also reads what recognition gives.
                reads(&[Reader::Speakers])
                    || old.plan.speakers.is_some() && reads(&[Reader::Recognition]),
            ];
            let actual = [
                runs_again(|job| Some(download(job))),
                runs_again(|job| Some(recognition(job, "tiny"))),
                runs_again(|job| job.plan.speakers.map(|plan| speakers(job, plan, "tiny"))),
            ];
            assert_eq!(actual, expected, "{}", setting.name);
        }
    }

    #[test]
    fn windows_of_another_model_are_not_kept() {
        let with = |model: &'static str| {
            of(&Recognition {
                probe: "",
                mode: TranscriptionType::Full,
                language: "uk",
                translate: "",
                vocabulary: &[],
                model,
                audio_track: None,
                multichannel: false,
                languages: Vec::new(),
            })
        };
        let transducer = with("parakeet-tdt-0.6b-v3");
        assert_eq!(transducer, with("parakeet-tdt-0.6b-v3"));
        assert_ne!(transducer, with("base-q8_0"));
    }
}
