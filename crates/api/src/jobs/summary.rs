//! `GET /api/v1/jobs/summary`: statistics of the caller's jobs.

use axum::extract::State;
use serde::Serialize;
use slovo_app::auth::Caller;
use slovo_app::http::{Json, Problem};
use slovo_app::state::AppState;
use slovo_db::jobs;
use utoipa::ToSchema;

/// Numbers of jobs, by state.
#[derive(Serialize, ToSchema)]
pub(super) struct JobSummary {
    /// All of them.
    total: i64,
    /// Waiting for a worker.
    pending: i64,
    /// Running.
    processing: i64,
    /// Completed with a text.
    completed: i64,
    /// Ended without a text (`failed` and `error`).
    failed: i64,
    /// Cancelled.
    cancelled: i64,
    /// Seconds of recordings in the completed jobs.
    processed_seconds: f64,
}

/// Counts the caller's jobs.
#[utoipa::path(get, path = "/jobs/summary", tag = "jobs", operation_id = "summarize_jobs",
    responses((status = OK, body = JobSummary)))]
pub(super) async fn summary(
    State(state): State<AppState>,
    caller: Caller,
) -> Result<Json<JobSummary>, Problem> {
    let found = jobs::summary(&mut *state.db.read().await?, &caller.user_id).await?;
    Ok(Json(JobSummary {
        total: found.total,
        pending: found.pending,
        processing: found.processing,
        completed: found.completed,
        failed: found.failed,
        cancelled: found.cancelled,
        processed_seconds: found.processed_seconds,
    }))
}
