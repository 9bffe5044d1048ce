//! `POST /api/v1/jobs/{id}/rerun`: recognises a recording again with other settings.

use axum::extract::State;
use serde::Deserialize;
use serde_json::Value;
use slovo_app::http::{Document, Json, Problem};
use slovo_app::state::AppState;
use slovo_db::jobs::{self, RerunOptions, stages};
use slovo_db::plans::ledger;
use slovo_rules::Valid;
use slovo_rules::job::Stage;
use slovo_rules::job_plan::{self, JobPlan};
use slovo_rules::media::Media;
use slovo_rules::settings::{self, Source, TranscriptionSettings};
use slovo_rules::upload::validate_audio_track;
use slovo_rules::violation::Violations;
use slovo_work::minutes;
use utoipa::ToSchema;

use super::creation::{refuse_unavailable, waiting_problem};
use super::retry::{Error, reserve};
use super::{JobBody, OwnJob, default_languages, reread};

/// The settings of the new run.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RerunBody {
    /// The settings; absent fields have their defaults. The URL remains the job's, and so do
    /// `languages` if they are absent.
    #[schema(value_type = TranscriptionSettings)]
    settings: Value,
    /// Index of the audio track that is transcribed; the file's default track if absent.
    audio_track: Option<u32>,
}

/// Transcribes a recording again. The result is a new version; earlier versions stay readable, and
/// the new one is shown once it is finished.
#[utoipa::path(post, path = "/jobs/{id}/rerun", tag = "jobs", operation_id = "rerun_job",
    params(("id" = String, Path, description = "Job id")),
    request_body = RerunBody,
    responses(
        (status = OK, body = JobBody),
        (status = NOT_FOUND, body = Document, description = "not_found"),
        (status = CONFLICT, body = Document, description = "job_under_way"),
        (status = UNPROCESSABLE_ENTITY, body = Document, description = "validation_failed"),
        (status = TOO_MANY_REQUESTS, body = Document, description = "too_many_waiting \
            (params: max)"),
    ))]
pub(super) async fn rerun(
    State(state): State<AppState>,
    own: OwnJob,
    Json(body): Json<RerunBody>,
) -> Result<Json<JobBody>, Error> {
    let plan = read_plan(&body.settings, own.job.plan.settings())?;
    refuse_unavailable(&state, &plan).map_err(Problem::from)?;
    if let Some(track) = body.audio_track
        && let Some(tracks) = tracks(&state, &own).await?
    {
        validate_audio_track(track, tracks)
            .map_err(|violation| Problem::from(Violations(vec![violation])))?;
    }
    // A run that was cancelled a moment ago may still be stopping.
    state.jobs.stopped(own.job.id).await;
    let rerun = RerunOptions {
        plan: &plan,
        audio_track: body.audio_track,
        now: state.clock.now_ms(),
    };
    let mut connection = state.db.read().await?;
    let balance = ledger::read_balance(&mut connection, &own.caller.user_id, rerun.now).await?;
    drop(connection);
    minutes::check_settings(&balance, &plan).map_err(Problem::from)?;
    let waiting = state.settings.current().await?.limits.waiting_jobs;
    let mut transaction = state.db.write().await?;
    let full = waiting_problem(&mut transaction, &own.caller.user_id, waiting).await?;
    let started = jobs::rerun(&mut transaction, &own.caller.user_id, own.job.id, &rerun).await?;
    if !started {
        return Err(Error::InProgress);
    }
    if let Some(problem) = full {
        return Err(Error::Other(problem));
    }
    reserve(&mut transaction, own.job.id, rerun.now).await?;
    transaction.commit().await?;
    state.jobs.enqueued(own.job.id);
    Ok(Json(reread(&state, &own).await?))
}

/// The number of audio tracks of the recording, if it has been probed.
async fn tracks(state: &AppState, own: &OwnJob) -> slovo_db::Result<Option<u32>> {
    let mut connection = state.db.read().await?;
    let (job, version) = (own.job.id, own.job.version);
    let probed = stages::find::<Media>(&mut connection, job, version, Stage::Probe).await?;
    Ok(probed.and_then(|row| row.output).map(|media| media.tracks))
}

/// Reads and checks the settings. The source of the recording cannot be changed.
fn read_plan(plan_json: &Value, before: &TranscriptionSettings) -> Result<Valid<JobPlan>, Problem> {
    let with_field = |violations: Violations| Problem::from(violations.under("settings"));
    let mut parsed = settings::parse(plan_json).map_err(with_field)?;
    parsed.url.clone_from(&before.url);
    if default_languages::are_open(Some(plan_json), &parsed) {
        parsed.languages.clone_from(&before.languages);
    }
    let source = if parsed.url.is_empty() {
        Source::File
    } else {
        Source::Url
    };
    job_plan::validate(&parsed, source).map_err(with_field)
}
