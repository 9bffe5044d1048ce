//! `POST /api/v1/jobs/{id}/resync`: restores the missing text of a completed job.

use axum::extract::State;
use serde::Serialize;
use slovo_app::http::{Document, Json, Problem};
use slovo_app::state::AppState;
use slovo_db::jobs::{self, Resync};
use utoipa::ToSchema;

use super::OwnJob;

/// The result.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ResyncResult {
    /// Whether the text exists or will be created.
    success: bool,
    /// `output_found`: the text exists. `queued`: it is being created.
    message: Option<&'static str>,
    /// `job_not_completed`: the job has not been completed.
    error: Option<&'static str>,
}

/// Queues a completed job whose transcript is missing again, reusing what was already done.
#[utoipa::path(post, path = "/jobs/{id}/resync", tag = "jobs", operation_id = "resync_job",
    params(("id" = String, Path, description = "Job id")),
    responses(
        (status = OK, body = ResyncResult),
        (status = NOT_FOUND, body = Document, description = "not_found"),
    ))]
pub(super) async fn resync(
    State(state): State<AppState>,
    own: OwnJob,
) -> Result<Json<ResyncResult>, Problem> {
    let now = state.clock.now_ms();
    let mut transaction = state.db.write().await?;
    let outcome = jobs::resync(&mut transaction, own.job.id, now).await?;
    transaction.commit().await?;
    let (success, message, error) = match outcome {
        Resync::OutputFound => (true, Some("output_found"), None),
        Resync::Queued => {
            state.jobs.enqueued(own.job.id);
            (true, Some("queued"), None)
        }
        Resync::NotCompleted => (false, None, Some("job_not_completed")),
    };
    Ok(Json(ResyncResult {
        success,
        message,
        error,
    }))
}
