//! `/api/v1/jobs/{id}/voices`: remembering the voices of a text's speakers, and names proposed for
//! them. A name is never set here: accepting a proposal is an edit by the user.
#![expect(
    unused_qualifications,
    reason = "utoipa's macro repeats the type's path"
)]

use std::collections::{BTreeMap, BTreeSet};

use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use slovo_app::http::{Document, Json, Path, Problem, Query};
use slovo_app::state::AppState;
use slovo_db::Connection;
use slovo_db::jobs::Job;
use slovo_db::texts::edits::{SpeakerState, read_speakers, seq};
use slovo_db::texts::voices::{self, NewSample};
use slovo_rules::codes::ProblemCode;
use slovo_rules::transcript::rounded;
use slovo_rules::violation::{Code, Violation, Violations};
use slovo_rules::voice::{
    self as rules, MAX_SAMPLES, MAX_VOICES, VoiceChoice, VoiceForm, VoiceState,
};
use utoipa::openapi::schema::{Object, ObjectBuilder, Type};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::OwnJob;
use super::media::has_recording;
use crate::voices::{VoiceBody, stored};

/// A statement that the person who speaks agrees: in JSON, `true` and nothing else.
#[derive(Debug, Clone, Copy)]
struct Consent;

impl<'de> Deserialize<'de> for Consent {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match bool::deserialize(deserializer)? {
            true => Ok(Self),
            false => Err(serde::de::Error::custom("consent must be true")),
        }
    }
}

fn consent_schema() -> Object {
    ObjectBuilder::new()
        .schema_type(Type::Boolean)
        .enum_values(Some([true]))
        .description(Some("That the person who speaks agrees."))
        .build()
}

/// A speaker whose voice is to be remembered.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NewVoiceBody {
    /// The run of recognition, which must be the job's newest.
    version: u32,
    /// `SPEAKER_n`: a speaker of the text.
    speaker: String,
    /// Name of a new voice, 1 to 80 characters.
    name: Option<String>,
    /// Id of the voice that the speaker is added to, instead of `name`.
    voice: Option<Uuid>,
    /// That the person who speaks agrees.
    #[schema(schema_with = consent_schema)]
    #[expect(dead_code, reason = "only its presence counts")]
    consent: Consent,
}

/// The run of recognition.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ComparisonBody {
    /// The run of recognition, which must be the job's newest.
    version: u32,
}

/// The run of recognition.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct QueryParams {
    /// The run of recognition.
    version: u32,
}

/// A name that is proposed for a speaker.
#[derive(Serialize, ToSchema)]
struct VoiceProposal {
    /// `SPEAKER_n`.
    speaker: String,
    /// Id of the voice.
    voice: Uuid,
    /// The name of the voice.
    name: String,
    /// Similarity of the voices (cosine), 0 to 1.
    score: f64,
}

/// A speaker whose voice is remembered.
#[derive(Serialize, ToSchema)]
struct RememberedVoice {
    /// `SPEAKER_n`.
    speaker: String,
    /// Id of the voice.
    voice: Uuid,
    /// The name of the voice.
    name: String,
    /// Whether this sample of the voice is computed.
    state: VoiceState,
    /// Code of why it could not be computed.
    error: Option<String>,
}

/// What the account's voices have to do with a text.
#[derive(Serialize, ToSchema)]
pub(super) struct JobVoices {
    /// The run of recognition.
    version: u32,
    /// Whether its speakers are being compared with the account's voices.
    looking: bool,
    /// Whether they were compared with all of them.
    compared: bool,
    /// Code of why they could not be compared.
    error: Option<String>,
    /// At most one for each speaker who has no name.
    proposals: Vec<VoiceProposal>,
    /// Its speakers whose voices are remembered.
    remembered: Vec<RememberedVoice>,
}

fn conflict(code: ProblemCode) -> Problem {
    Problem::new(StatusCode::CONFLICT, code)
}

/// Whether the speakers of this run can be computed: its audio track is known only while it is the
/// newest one, and the recording must be there.
async fn ensure_computable(state: &AppState, job: &Job, version: u32) -> Result<(), Problem> {
    let head = seq(&mut *state.db.read().await?, job.id, job.version).await?;
    if job.version != i64::from(version) || head.is_none() {
        return Err(conflict(ProblemCode::TranscriptNotReady));
    }
    if state.jobs.analyses().engines().speakers.is_none() {
        let violation = Violation::new("speaker", Code::FeatureUnavailable);
        return Err(Violations(vec![violation]).into());
    }
    if !has_recording(state, job).await? {
        return Err(conflict(ProblemCode::RecordingMissing));
    }
    Ok(())
}

/// Remembers the voice of a speaker, which is computed in the background: the speaker becomes a new
/// voice of the account, or more speech of an existing one. Only numbers that describe the voice
/// are stored, no audio. The account's texts are compared with it from then on.
#[utoipa::path(post, path = "/jobs/{id}/voices", tag = "edits", operation_id = "remember_voice",
    params(("id" = String, Path, description = "Job id")),
    request_body = NewVoiceBody,
    responses(
        (status = ACCEPTED, body = VoiceBody),
        (status = NOT_FOUND, body = Document, description = "not_found"),
        (status = CONFLICT, body = Document, description = "transcript_not_ready; \
            recording_missing; too_many_voices: 200 of an account, 50 recordings of a voice \
            (params: max)"),
        (status = UNPROCESSABLE_ENTITY, body = Document, description = "validation_failed; with \
            feature_unavailable at `speaker` if no speaker models are installed"),
        (status = TOO_MANY_REQUESTS, body = Document, description = "rate_limited: 120 an hour"),
    ))]
pub(super) async fn remember(
    State(state): State<AppState>,
    own: OwnJob,
    Json(body): Json<NewVoiceBody>,
) -> Result<(StatusCode, Json<VoiceBody>), Problem> {
    let form = VoiceForm {
        speaker: body.speaker,
        name: body.name,
        voice: body.voice.map(|id| id.to_string()),
    };
    let plan = rules::validate(&form)?.into_inner();
    ensure_computable(&state, &own.job, body.version).await?;
    let (user_id, job) = (&own.caller.user_id, own.job.id);
    state.limits.voice(user_id)?;
    let now = state.clock.now_ms();
    let mut transaction = state.db.write().await?;
    let speakers = read_speakers(&mut transaction, job, own.job.version).await?;
    if !speakers.is_unmerged(&plan.speaker) {
        let violation = Violation::new("speaker", Code::SpeakerInvalid);
        return Err(Violations(vec![violation]).into());
    }
    let voice = match plan.voice {
        VoiceChoice::New(name) => {
            let known = voices::list(&mut transaction, user_id).await?;
            if known.len() >= MAX_VOICES {
                return Err(too_many(MAX_VOICES));
            }
            let id: Uuid = state.new_id().parse().map_err(Problem::internal)?;
            voices::insert(&mut transaction, user_id, id, &name, now).await?;
            id
        }
        VoiceChoice::Existing(id) => {
            let id = id.parse().map_err(Problem::internal)?;
            let found = voices::find(&mut transaction, user_id, id).await?;
            found.ok_or_else(Problem::not_found)?.id
        }
    };
    let sample = NewSample {
        id: state.new_id().parse().map_err(Problem::internal)?,
        voice,
        job,
        version: own.job.version,
        speaker: &plan.speaker,
        now,
    };
    let samples = voices::add_sample(&mut transaction, user_id, &sample).await?;
    if usize::try_from(samples).unwrap_or(usize::MAX) > MAX_SAMPLES {
        return Err(too_many(MAX_SAMPLES));
    }
    let created = stored(&mut transaction, user_id, voice).await?;
    transaction.commit().await?;
    state.jobs.wake_voices();
    Ok((StatusCode::ACCEPTED, Json(created)))
}

fn too_many(max: usize) -> Problem {
    let params = BTreeMap::from([("max".to_owned(), max.into())]);
    conflict(ProblemCode::TooManyVoices).params(params)
}

/// Returns the names that are proposed for a text's speakers, and whose voices are remembered.
#[utoipa::path(get, path = "/jobs/{id}/voices", tag = "edits", operation_id = "job_voices",
    params(("id" = String, Path, description = "Job id"), QueryParams),
    responses(
        (status = OK, body = JobVoices),
        (status = NOT_FOUND, body = Document, description = "not_found"),
    ))]
pub(super) async fn get(
    State(state): State<AppState>,
    own: OwnJob,
    Query(query): Query<QueryParams>,
) -> Result<Json<JobVoices>, Problem> {
    let mut connection = state.db.read().await?;
    let (job, user_id) = (own.job.id, &own.caller.user_id);
    job_voices(&mut connection, job, query.version, user_id)
        .await
        .map(Json)
}

async fn job_voices(
    connection: &mut Connection,
    job: Uuid,
    version: u32,
    user_id: &str,
) -> Result<JobVoices, Problem> {
    let run = i64::from(version);
    let speakers = read_speakers(&mut *connection, job, run).await?;
    let comparison = voices::comparison(&mut *connection, job).await?;
    let comparison = comparison.filter(|comparison| comparison.version == run);
    let mut proposed = BTreeSet::new();
    let proposals = voices::proposals(&mut *connection, job, run, user_id).await?;
    let proposals = proposals.into_iter().filter(|proposal| {
        let speaker = speakers.find(&proposal.speaker);
        let is_open =
            |speaker: &SpeakerState| speaker.name.is_none() && speaker.merged_into.is_none();
        speaker.is_some_and(is_open) && proposed.insert(proposal.speaker.clone())
    });
    let proposals = proposals
        .map(|proposal| VoiceProposal {
            speaker: proposal.speaker,
            voice: proposal.voice,
            name: proposal.name,
            score: rounded(proposal.score),
        })
        .collect();
    let remembered = voices::of_text(connection, job, run, user_id).await?;
    let remembered = remembered.into_iter().map(|sample| RememberedVoice {
        state: sample.state(),
        speaker: sample.speaker,
        voice: sample.voice,
        name: sample.name,
        error: sample.error,
    });
    Ok(JobVoices {
        version,
        looking: comparison.as_ref().is_some_and(|found| !found.ended),
        compared: comparison
            .as_ref()
            .is_some_and(|found| found.ended && !found.outdated && found.error.is_none()),
        error: comparison.and_then(|found| found.error),
        proposals,
        remembered: remembered.collect(),
    })
}

/// Compares the speakers of a text who have no name with the account's voices, in the background.
/// This is done by itself when a text is made.
#[utoipa::path(post, path = "/jobs/{id}/voices/compare", tag = "edits",
    operation_id = "compare_voices",
    params(("id" = String, Path, description = "Job id")),
    request_body = ComparisonBody,
    responses(
        (status = ACCEPTED, body = JobVoices),
        (status = NOT_FOUND, body = Document, description = "not_found"),
        (status = CONFLICT, body = Document, description = "transcript_not_ready; \
            recording_missing"),
        (status = UNPROCESSABLE_ENTITY, body = Document, description = "validation_failed: \
            feature_unavailable at `speaker` if no speaker models are installed"),
        (status = TOO_MANY_REQUESTS, body = Document, description = "rate_limited: 120 an hour"),
    ))]
pub(super) async fn compare(
    State(state): State<AppState>,
    own: OwnJob,
    Json(body): Json<ComparisonBody>,
) -> Result<(StatusCode, Json<JobVoices>), Problem> {
    ensure_computable(&state, &own.job, body.version).await?;
    let (job, user_id) = (own.job.id, &own.caller.user_id);
    state.limits.voice(user_id)?;
    let now = state.clock.now_ms();
    let mut transaction = state.db.write().await?;
    voices::compare(&mut transaction, job, own.job.version, now).await?;
    let current = job_voices(&mut transaction, job, body.version, user_id).await?;
    transaction.commit().await?;
    state.jobs.wake_voices();
    Ok((StatusCode::ACCEPTED, Json(current)))
}

/// The job and the speaker of a path.
#[derive(Deserialize)]
pub(super) struct SpeakerPath {
    speaker: String,
}

/// Declines the name that is proposed for a speaker: it is not proposed again.
#[utoipa::path(delete, path = "/jobs/{id}/voices/{speaker}", tag = "edits",
    operation_id = "dismiss_voice",
    params(
        ("id" = String, Path, description = "Job id"),
        ("speaker" = String, Path, description = "`SPEAKER_n`"),
        QueryParams,
    ),
    responses(
        (status = NO_CONTENT, description = "Also if nothing was proposed"),
        (status = NOT_FOUND, body = Document, description = "not_found"),
    ))]
pub(super) async fn dismiss(
    State(state): State<AppState>,
    own: OwnJob,
    Path(path): Path<SpeakerPath>,
    Query(query): Query<QueryParams>,
) -> Result<StatusCode, Problem> {
    let mut transaction = state.db.write().await?;
    let version = i64::from(query.version);
    voices::decline(&mut transaction, own.job.id, version, &path.speaker).await?;
    transaction.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}
