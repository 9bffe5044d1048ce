//! `POST /api/v1/jobs/bulk/…`: operations on several jobs. Each job succeeds or fails on its own.

use std::collections::HashSet;

use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use slovo_app::auth::Caller;
use slovo_app::http::{Document, Json, Problem};
use slovo_app::state::AppState;
use slovo_db::jobs;
use slovo_rules::codes::ProblemCode;
use slovo_rules::job::MAX_AT_ONCE;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{JobBody, OwnJob, delete, reread, retry};

/// The jobs to change.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SomeJobs {
    /// At most 100 ids; duplicates count once.
    jobs: Vec<Uuid>,
}

/// The results of a request for several jobs.
#[derive(Serialize, ToSchema)]
#[schema(as = BulkDone)]
pub(super) struct BulkResponse {
    /// The results, in the order of the request.
    pub(super) results: Vec<BulkResult>,
}

/// The result for one of several jobs.
#[derive(Serialize, ToSchema)]
pub(super) struct BulkResult {
    /// The job.
    id: Uuid,
    /// The problem code that the action on this job alone would have returned; null if it
    /// succeeded.
    code: Option<ProblemCode>,
    /// The job after the change; null if it was deleted or the action failed.
    job: Option<JobBody>,
}

/// Deletes jobs with their recordings and transcripts; running jobs are stopped first.
#[utoipa::path(post, path = "/jobs/bulk/delete", tag = "jobs", operation_id = "delete_jobs",
    request_body = SomeJobs,
    responses(
        (status = OK, body = BulkResponse, description = "not_found: `code` of single \
            results"),
        (status = UNPROCESSABLE_ENTITY, body = Document, description = "too_many_jobs"),
    ))]
pub(super) async fn delete_all(
    State(state): State<AppState>,
    caller: Caller,
    Json(body): Json<SomeJobs>,
) -> Result<Json<BulkResponse>, Problem> {
    let mut results = Vec::new();
    for id in distinct(&body.jobs)? {
        let done = match find_own(&state, &caller, id).await {
            Ok(own) => delete::remove(&state, &own.job, None).await.map(|()| None),
            Err(problem) => Err(problem),
        };
        results.push(result(id, done)?);
    }
    Ok(Json(BulkResponse { results }))
}

/// Runs finished jobs again.
#[utoipa::path(post, path = "/jobs/bulk/retry", tag = "jobs", operation_id = "retry_jobs",
    request_body = SomeJobs,
    responses(
        (status = OK, body = BulkResponse, description = "not_found, job_under_way, url_fetch_off, \
            validation_failed, too_many_waiting: `code` of single results"),
        (status = UNPROCESSABLE_ENTITY, body = Document, description = "too_many_jobs"),
    ))]
pub(super) async fn retry_all(
    State(state): State<AppState>,
    caller: Caller,
    Json(body): Json<SomeJobs>,
) -> Result<Json<BulkResponse>, Problem> {
    let mut results = Vec::new();
    for id in distinct(&body.jobs)? {
        let done = match find_own(&state, &caller, id).await {
            Ok(own) => run_again(&state, &own).await,
            Err(problem) => Err(problem),
        };
        results.push(result(id, done)?);
    }
    Ok(Json(BulkResponse { results }))
}

async fn run_again(state: &AppState, own: &OwnJob) -> Result<Option<JobBody>, Problem> {
    retry::begin(state, &own.job, None)
        .await
        .map_err(retry::Error::into_problem)?;
    reread(state, own).await.map(Some)
}

/// The ids without duplicates.
pub(super) fn distinct(jobs: &[Uuid]) -> Result<Vec<Uuid>, Problem> {
    if jobs.len() > MAX_AT_ONCE {
        return Err(Problem::new(
            StatusCode::UNPROCESSABLE_ENTITY,
            ProblemCode::TooManyJobs,
        ));
    }
    let mut unique = HashSet::new();
    let ids = jobs.iter().copied();
    Ok(ids.filter(|id| unique.insert(*id)).collect())
}

pub(super) async fn find_own(
    state: &AppState,
    caller: &Caller,
    id: Uuid,
) -> Result<OwnJob, Problem> {
    let mut connection = state.db.read().await?;
    let job = jobs::find(&mut connection, &caller.user_id, id).await?;
    Ok(OwnJob {
        caller: caller.clone(),
        job: job.ok_or_else(Problem::not_found)?,
    })
}

/// A refused job is reported in its result; an internal error fails the whole request.
pub(super) fn result(
    id: Uuid,
    done: Result<Option<JobBody>, Problem>,
) -> Result<BulkResult, Problem> {
    let (code, job) = match done {
        Ok(job) => (None, job),
        Err(problem) if problem.status().is_server_error() => return Err(problem),
        Err(problem) => (Some(problem.code()), None),
    };
    Ok(BulkResult { id, code, job })
}
