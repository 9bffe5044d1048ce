//! `POST /api/v1/jobs/{id}/recognise-again`.

use std::collections::BTreeMap;

use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;
use slovo_app::http::{Document, Json, Problem};
use slovo_app::state::AppState;
use slovo_db::texts::edits::recording_end;
use slovo_db::texts::stretches::{self, NewStretch};
use slovo_rules::codes::ProblemCode;
use slovo_rules::edit::SegmentRef;
use slovo_rules::mode::TranscriptionType;
use slovo_rules::stretch::{self, StretchForm, StretchPlan};
use slovo_transcripts::edits::Author;
use slovo_transcripts::edits::recognise_again::check;
use utoipa::ToSchema;
use uuid::Uuid;

use super::StretchBody;
use crate::jobs::OwnJob;
use crate::jobs::media::has_recording;

/// The stretch to be recognised again, and its options.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::jobs) struct NewStretchBody {
    /// The run of recognition whose text is changed.
    version: u32,
    /// UUID of the requesting page, which can undo the edit.
    client: Uuid,
    /// Start in seconds.
    start: f64,
    /// End in seconds: 0.2 to 300 after `start`, within the recording.
    end: f64,
    /// A language code, or `auto`; in Lite mode only `en` and `auto`.
    language: String,
    /// Mode of recognition; the job's if absent.
    mode: Option<TranscriptionType>,
    /// The segments in the stretch as the page shows them, at most 2,000. Those with words in the
    /// stretch are compared with the text, now and when the new words are ready.
    segments: Vec<SegmentRef>,
}

fn conflict(code: ProblemCode) -> Problem {
    Problem::new(StatusCode::CONFLICT, code)
}

/// Recognises a stretch of the recording again, in another language or mode. The new words replace
/// the text of the stretch as an edit; if that text has changed by then, it is left unchanged. Uses
/// no minutes: in total, twice the recording's length can be recognised again, and at least 10
/// minutes.
#[utoipa::path(post, path = "/jobs/{id}/recognise-again", tag = "edits",
    operation_id = "recognise_again",
    params(("id" = String, Path, description = "Job id")),
    request_body = NewStretchBody,
    responses(
        (status = ACCEPTED, body = StretchBody),
        (status = NOT_FOUND, body = Document, description = "not_found"),
        (status = CONFLICT, body = Document, description = "transcript_not_ready; edit_conflict: \
            segments were changed since, `conflicts` says how they are now; split_too_deep; \
            stretch_running: another one of the job; recording_missing; stretch_allowance_used \
            (params: minutes that are left)"),
        (status = UNPROCESSABLE_ENTITY, body = Document, description = "validation_failed"),
        (status = TOO_MANY_REQUESTS, body = Document, description = "rate_limited: 30 an hour"),
    ))]
pub(in crate::jobs) async fn create(
    State(state): State<AppState>,
    own: OwnJob,
    Json(body): Json<NewStretchBody>,
) -> Result<(StatusCode, Json<StretchBody>), Problem> {
    let (job, version) = (own.job.id, i64::from(body.version));
    // The settings and the audio track of another run would be used.
    if own.job.version != version {
        return Err(conflict(ProblemCode::TranscriptNotReady));
    }
    let form = StretchForm {
        start: body.start,
        end: body.end,
        language: body.language,
        mode: body.mode.unwrap_or(own.job.plan.mode),
        segments: body.segments,
    };
    let end = recording_end(&mut *state.db.read().await?, job, version).await?;
    let plan = stretch::validate(&form, end)?.into_inner();
    state.limits.stretch(&own.caller.user_id)?;
    if !has_recording(&state, &own.job).await? {
        return Err(conflict(ProblemCode::RecordingMissing));
    }
    let author = Author {
        job,
        version,
        client: body.client,
        user_id: own.caller.user_id,
        visitor: None,
        now: state.clock.now_ms(),
    };
    let length = own.job.duration.unwrap_or(end);
    let created = queue(&state, &author, plan, length).await?;
    state.jobs.enqueued(job);
    Ok((StatusCode::ACCEPTED, Json(created)))
}

/// Queues a stretch of a recording of this length, in seconds.
async fn queue(
    state: &AppState,
    author: &Author,
    plan: StretchPlan,
    length: f64,
) -> Result<StretchBody, Problem> {
    let (job, version) = (author.job, author.version);
    let mut transaction = state.db.write().await?;
    let within = (plan.start, plan.end);
    let segments = check(&mut transaction, author, within, &plan.segments).await?;
    let plan = StretchPlan { segments, ..plan };
    let used = stretches::seconds_used(&mut transaction, job).await?;
    let left = stretch::allowance(length) - used;
    if plan.seconds() > left {
        let minutes = (left.max(0.0) / 60.0).floor();
        let params = BTreeMap::from([("minutes".to_owned(), minutes.into())]);
        return Err(conflict(ProblemCode::StretchAllowanceUsed).params(params));
    }
    let new = NewStretch {
        id: state.new_id().parse().map_err(Problem::internal)?,
        job,
        version,
        user_id: &author.user_id,
        client: author.client,
        plan: &plan,
        now: author.now,
    };
    let Some(created) = stretches::insert(&mut transaction, &new).await? else {
        return Err(conflict(ProblemCode::StretchRunning));
    };
    transaction.commit().await?;
    Ok(created.into())
}
