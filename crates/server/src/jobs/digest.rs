//! The digest by which a stage knows its inputs again.

use serde::Serialize;
use sha2::{Digest, Sha256};
use slovo_db::jobs::Job;
use slovo_rules::job_plan::SpeakersPlan;
use slovo_rules::settings::TranscriptionType;
use uuid::Uuid;

/// What the probe is made from. The bytes behind an id never change once an upload is complete.
#[derive(Serialize)]
struct Probe {
    media: Uuid,
    bytes: u64,
}

/// What fetching is made from.
#[derive(Serialize)]
struct Download<'a> {
    media: Uuid,
    url: &'a str,
}

/// What recognition is made from.
#[derive(Serialize)]
struct Recognition<'a> {
    probe: &'a str,
    mode: TranscriptionType,
    language: &'a str,
    translate: &'a str,
    vocabulary: &'a [String],
    model: &'a str,
    /// Left out where none was chosen, as it was before one could be.
    #[serde(skip_serializing_if = "Option::is_none")]
    audio_track: Option<u32>,
    /// Left out where channels are mixed, as they all were once.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    multichannel: bool,
}

/// The digest of the probe's inputs.
pub fn probe(job: &Job) -> String {
    of(&Probe {
        media: job.media_id,
        bytes: job.file_size,
    })
}

/// The digest of fetching's inputs. The address itself is not in the checkpoint: its query may be a
/// secret.
pub fn download(job: &Job) -> String {
    of(&Download {
        media: job.media_id,
        url: job.plan.url(),
    })
}

/// What telling speakers apart is made from.
#[derive(Serialize)]
struct Speakers<'a> {
    recognition: &'a str,
    whole_sentences: bool,
    /// Left out where it is to be found, as it was before one could be given.
    #[serde(skip_serializing_if = "str::is_empty")]
    count: &'a str,
}

/// The digest of what the speakers are told apart in, with the model of recognition.
pub fn speakers(job: &Job, plan: SpeakersPlan, model: &str) -> String {
    of(&Speakers {
        recognition: &recognition(job, model),
        whole_sentences: plan.whole_sentences,
        // As it was written: stored digests go on holding.
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
    })
}

fn of(inputs: &impl Serialize) -> String {
    // Plain structs of texts and numbers: writing them to memory does not fail.
    hex::encode(Sha256::digest(
        serde_json::to_vec(inputs).unwrap_or_default(),
    ))
}
