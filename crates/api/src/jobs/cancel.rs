//! `POST /api/v1/jobs/{id}/cancel`: cancels a job.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use slovo_app::auth::Caller;
use slovo_app::http::{Document, Json, Problem};
use slovo_app::state::AppState;
use slovo_db::jobs::{self, Job};
use slovo_db::plans::ledger;
use slovo_rules::codes::ProblemCode;

use super::{JobBody, OwnJob, read_access, reread};

/// Why the job was not cancelled.
#[derive(Debug)]
pub enum Error {
    /// It has already ended.
    Ended,
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
        match self {
            Self::Ended => Problem::new(StatusCode::CONFLICT, ProblemCode::JobEnded),
            Self::Other(problem) => problem,
        }
        .into_response()
    }
}

/// Cancels a queued or running job. The transcribed part is kept for a retry; the downloaded part
/// of the recording is not.
#[utoipa::path(post, path = "/jobs/{id}/cancel", tag = "jobs", operation_id = "cancel_job",
    params(("id" = String, Path, description = "Job id")),
    responses(
        (status = OK, body = JobBody),
        (status = NOT_FOUND, body = Document, description = "not_found"),
        (status = CONFLICT, body = Document, description = "job_ended"),
    ))]
pub(super) async fn cancel(
    State(state): State<AppState>,
    own: OwnJob,
) -> Result<Json<JobBody>, Error> {
    stop(&state, &own.job, None).await?;
    Ok(Json(reread(&state, &own).await?))
}

/// Cancels a queued or running job, for its owner or for an administrator; the latter is written to
/// the audit log.
///
/// # Errors
/// [`Error::Ended`] if it has already ended.
pub async fn stop(
    state: &AppState,
    job: &Job,
    administrator: Option<&Caller>,
) -> Result<(), Error> {
    let now = state.clock.now_ms();
    let mut transaction = state.db.write().await?;
    if !jobs::cancel(&mut transaction, &job.user_id, job.id, now).await? {
        return Err(Error::Ended);
    }
    ledger::close(&mut transaction, job.id, now).await?;
    // Read again: its recording may have arrived since the request started.
    let stopped = jobs::find_any(&mut transaction, job.id).await?;
    if let Some(caller) = administrator {
        read_access::note_change(&mut transaction, state, caller, "job.cancel", job).await?;
    }
    transaction.commit().await?;
    state.jobs.cancelled(job.id);
    if stopped.is_some_and(|job| job.awaits_download) {
        // A partial download is deleted. If another process is still writing it, that process
        // deletes it.
        state.jobs.stopped(job.id).await;
        if let Err(error) = state.storage.remove(job.media_id).await {
            tracing::error!(job = %job.id, %error, "the partial download could not be removed");
        }
    }
    Ok(())
}
