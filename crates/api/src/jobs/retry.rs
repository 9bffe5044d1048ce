//! `POST /api/v1/jobs/{id}/retry`: runs a job again that has ended.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use slovo_app::auth::Caller;
use slovo_app::http::{Document, Json, Problem};
use slovo_app::state::AppState;
use slovo_db::Connection;
use slovo_db::jobs::{self, Job};
use slovo_rules::codes::ProblemCode;
use slovo_work::minutes;
use uuid::Uuid;

use super::creation::waiting_problem;
use super::{JobBody, OwnJob, read_access, reread};

/// Why the job was not queued.
#[derive(Debug)]
pub enum Error {
    /// It has not ended.
    InProgress,
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

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        self.into_problem().into_response()
    }
}

impl Error {
    /// Converts the error to a problem.
    pub(crate) fn into_problem(self) -> Problem {
        match self {
            Self::InProgress => Problem::new(StatusCode::CONFLICT, ProblemCode::JobUnderWay),
            Self::Other(problem) => problem,
        }
    }
}

/// Runs a job again. A job without a transcript resumes where it stopped; a job with one gets a new
/// version and keeps the old one.
#[utoipa::path(post, path = "/jobs/{id}/retry", tag = "jobs", operation_id = "retry_job",
    params(("id" = String, Path, description = "Job id")),
    responses(
        (status = OK, body = JobBody),
        (status = FORBIDDEN, body = Document, description = "url_fetch_off: its recording was never \
            fetched"),
        (status = NOT_FOUND, body = Document, description = "not_found"),
        (status = CONFLICT, body = Document, description = "job_under_way"),
        (status = UNPROCESSABLE_ENTITY, body = Document, description = "validation_failed: the \
            month's minutes do not suffice"),
        (status = TOO_MANY_REQUESTS, body = Document, description = "too_many_waiting \
            (params: max)"),
    ))]
pub(super) async fn retry(
    State(state): State<AppState>,
    own: OwnJob,
) -> Result<Json<JobBody>, Error> {
    begin(&state, &own.job, None).await?;
    Ok(Json(reread(&state, &own).await?))
}

/// Reserves the minutes of a job that was queued again in this transaction.
///
/// # Errors
/// The owner's plan does not have enough minutes.
pub(super) async fn reserve(
    connection: &mut Connection,
    id: Uuid,
    now: i64,
) -> Result<(), Problem> {
    let job = jobs::find_any(connection, id).await?;
    let job = job.ok_or_else(Problem::not_found)?;
    minutes::reserve(connection, &job, now)
        .await?
        .map_err(Problem::from)
}

/// Queues a job again that has ended, for its owner or for an administrator; the latter is written
/// to the audit log.
///
/// # Errors
/// [`Error::InProgress`] if it has not ended.
pub async fn begin(
    state: &AppState,
    job: &Job,
    administrator: Option<&Caller>,
) -> Result<(), Error> {
    // A run that was cancelled a moment ago may still be stopping.
    state.jobs.stopped(job.id).await;
    let now = state.clock.now_ms();
    let settings = state.settings.current().await?;
    if job.awaits_download && !settings.switches.url_fetch {
        let off = Problem::new(StatusCode::FORBIDDEN, ProblemCode::UrlFetchOff);
        return Err(Error::Other(off));
    }
    let waiting = settings.limits.waiting_jobs;
    let mut transaction = state.db.write().await?;
    let full = waiting_problem(&mut transaction, &job.user_id, waiting).await?;
    if !jobs::retry(&mut transaction, &job.user_id, job.id, now).await? {
        return Err(Error::InProgress);
    }
    if let Some(problem) = full {
        return Err(Error::Other(problem));
    }
    reserve(&mut transaction, job.id, now).await?;
    if let Some(caller) = administrator {
        read_access::note_change(&mut transaction, state, caller, "job.retry", job).await?;
    }
    transaction.commit().await?;
    state.jobs.enqueued(job.id);
    Ok(())
}
