//! `POST /api/v1/jobs/{id}/retry`: runs a job that has ended again.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use slovo_db::jobs;

use super::{JobBody, Own, reread};
use crate::http::{Document, Json, Problem};
use crate::state::AppState;

/// Why nothing was begun again.
#[derive(Debug)]
pub(super) enum Error {
    /// It has not ended.
    UnderWay,
    /// Something of ours, or a job that went in the meantime.
    Other(Problem),
}

impl<E: Into<Problem>> From<E> for Error {
    fn from(error: E) -> Self {
        Self::Other(error.into())
    }
}

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        self.into_problem().into_response()
    }
}

impl Error {
    /// The same as a problem.
    pub(super) fn into_problem(self) -> Problem {
        match self {
            Self::UnderWay => Problem::new(StatusCode::CONFLICT, "job_under_way"),
            Self::Other(problem) => problem,
        }
    }
}

/// Runs a job again. One without a text goes on where it stopped; one with a text gets a new
/// version, and keeps the old one.
#[utoipa::path(post, path = "/jobs/{id}/retry", tag = "jobs", operation_id = "retry_job",
    params(("id" = String, Path, description = "Job id")),
    responses(
        (status = OK, body = JobBody),
        (status = NOT_FOUND, body = Document, description = "not_found"),
        (status = CONFLICT, body = Document, description = "job_under_way"),
    ))]
pub(super) async fn retry(State(state): State<AppState>, own: Own) -> Result<Json<JobBody>, Error> {
    begin(&state, &own).await?;
    Ok(Json(reread(&state, &own).await?))
}

/// Puts a job that has ended into the queue again.
///
/// # Errors
/// [`Error::UnderWay`] if it has not ended.
pub(super) async fn begin(state: &AppState, own: &Own) -> Result<(), Error> {
    // A run that was cancelled a moment ago may still be on its way out.
    state.jobs.stopped(own.job.id).await;
    let now = state.clock.now_ms();
    let mut transaction = state.db.write().await?;
    let begun = jobs::retry(&mut transaction, &own.caller.user_id, own.job.id, now).await?;
    transaction.commit().await?;
    if !begun {
        return Err(Error::UnderWay);
    }
    state.jobs.enqueued(own.job.id);
    Ok(())
}
