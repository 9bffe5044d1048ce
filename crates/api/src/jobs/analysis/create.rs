//! `POST /api/v1/jobs/{id}/analysis`: runs or repeats an analysis of a text.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use slovo_app::auth::RateLimited;
use slovo_app::http::{Document, Json, Problem};
use slovo_app::state::AppState;
use slovo_db::plans::ledger;
use slovo_db::texts::analyses::{self, MAX_PER_JOB, NewAnalysis};
use slovo_rules::analysis::{PartRequest, validate};
use slovo_rules::codes::ProblemCode;
use slovo_rules::violation::{Code, Violation, Violations};
use slovo_work::analysis::engines::Reason;
use slovo_work::analysis::text;
use slovo_work::minutes;
use uuid::Uuid;

use super::AnalysisBody;
use crate::jobs::OwnJob;

/// Why no analysis was queued.
#[derive(Debug)]
pub enum Error {
    /// The input breaks rules.
    Invalid(Violations),
    /// No engine supports it.
    Unavailable(PartRequest, Reason),
    /// There is no text yet, or recognition ended without one.
    NotReady,
    /// An analysis of the same part and language is queued or running.
    Running,
    /// The job has the maximum number of analyses.
    TooMany,
    /// Rate limit exceeded.
    Limited(RateLimited),
    /// An internal error, or the job was deleted meanwhile.
    Other(Problem),
}

impl From<Problem> for Error {
    fn from(problem: Problem) -> Self {
        Self::Other(problem)
    }
}

impl From<slovo_db::Error> for Error {
    fn from(error: slovo_db::Error) -> Self {
        Self::Other(error.into())
    }
}

impl From<Error> for Problem {
    fn from(error: Error) -> Self {
        let conflict = |code| Self::new(StatusCode::CONFLICT, code);
        match error {
            Error::Invalid(violations) => violations.into(),
            Error::Unavailable(request, reason) => {
                let violation = Violation::new("part", Code::FeatureUnavailable)
                    .with("feature", request.part.as_str())
                    .with("reason", reason.as_str());
                Violations(vec![violation]).into()
            }
            Error::NotReady => conflict(ProblemCode::TranscriptNotReady),
            Error::Running => conflict(ProblemCode::AnalysisRunning),
            Error::TooMany => conflict(ProblemCode::TooManyAnalyses),
            Error::Limited(limited) => limited.into(),
            Error::Other(problem) => problem,
        }
    }
}

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        Problem::from(self).into_response()
    }
}

/// Runs a part of the analysis, for the first time or again; earlier results are kept.
#[utoipa::path(post, path = "/jobs/{id}/analysis", tag = "analysis",
    operation_id = "create_analysis",
    params(("id" = String, Path, description = "Job id")),
    request_body = PartRequest,
    responses(
        (status = ACCEPTED, body = AnalysisBody),
        (status = NOT_FOUND, body = Document, description = "not_found"),
        (status = CONFLICT, body = Document, description = "transcript_not_ready, \
            analysis_running: the same part and language waits or runs, too_many_analyses"),
        (status = UNPROCESSABLE_ENTITY, body = Document, description = "validation_failed; with \
            feature_unavailable at `part` where no engine does it"),
        (status = TOO_MANY_REQUESTS, body = Document, description = "rate_limited"),
    ))]
pub(in crate::jobs) async fn create(
    State(state): State<AppState>,
    own: OwnJob,
    Json(request): Json<PartRequest>,
) -> Result<(StatusCode, Json<AnalysisBody>), Error> {
    let body = queue(&state, &own.caller.user_id, own.job.id, &request).await?;
    Ok((StatusCode::ACCEPTED, Json(body)))
}

/// Queues an analysis of a user's own job.
///
/// # Errors
/// See [`Error`].
pub async fn queue(
    state: &AppState,
    user_id: &str,
    job: Uuid,
    request: &PartRequest,
) -> Result<AnalysisBody, Error> {
    let request = validate(request).map_err(Error::Invalid)?.into_inner();
    let mut connection = state.db.read().await?;
    let now = state.clock.now_ms();
    let balance = ledger::read_balance(&mut connection, user_id, now).await?;
    if let Some(feature) = request.part.plan_feature() {
        minutes::check_feature(&balance, feature, "part").map_err(Error::Invalid)?;
    }
    let opened = text::open(&mut connection, job, None).await?;
    drop(connection);
    let opened = opened.ok_or(Error::NotReady)?;
    if let Err(reason) = state
        .analyses
        .engines()
        .of_part(request.part, &opened.text.language)
    {
        return Err(Error::Unavailable(request, reason));
    }
    let limits = state.limits.analysis(user_id);
    limits.map_err(Error::Limited)?;
    let id = state.new_id().parse().map_err(Problem::internal)?;
    let new = NewAnalysis {
        id,
        job,
        version: i64::from(opened.transcript.version),
        request: &request,
        held_reason: None,
        now,
    };
    let mut transaction = state.db.write().await?;
    if analyses::count(&mut transaction, job).await? >= MAX_PER_JOB {
        return Err(Error::TooMany);
    }
    if !analyses::insert(&mut transaction, &new).await? {
        return Err(Error::Running);
    }
    let created = analyses::find(&mut transaction, job, id).await?;
    transaction.commit().await?;
    state.analyses.live().stored(job);
    state.analyses.wake();
    let created = created.ok_or_else(Problem::not_found)?;
    let print = text::print(&opened.text);
    Ok(AnalysisBody::of(created, opened.transcript.seq, &print))
}
