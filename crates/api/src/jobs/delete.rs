//! `DELETE /api/v1/jobs/{id}`: deletes a job with all its results.

use axum::extract::State;
use axum::http::StatusCode;
use slovo_app::auth::Caller;
use slovo_app::http::{Document, Problem};
use slovo_app::state::AppState;
use slovo_db::jobs::{self, Job};
use slovo_db::plans::ledger;

use super::{OwnJob, read_access};

/// Deletes a job with its recording and transcripts; a running job is stopped first.
#[utoipa::path(delete, path = "/jobs/{id}", tag = "jobs", operation_id = "delete_job",
    params(("id" = String, Path, description = "Job id")),
    responses(
        (status = NO_CONTENT),
        (status = NOT_FOUND, body = Document, description = "not_found"),
    ))]
pub(super) async fn delete(
    State(state): State<AppState>,
    own: OwnJob,
) -> Result<StatusCode, Problem> {
    remove(&state, &own.job, None).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Deletes a job, for its owner or for an administrator; the latter is written to the audit log.
/// The job stays deleted even if its file cannot be removed.
///
/// # Errors
/// 404 if it was deleted meanwhile.
pub async fn remove(
    state: &AppState,
    job: &Job,
    administrator: Option<&Caller>,
) -> Result<(), Problem> {
    let (user_id, id) = (&job.user_id, job.id);
    // Cancelled first: this ends its lease, and no worker can claim it while its run ends.
    let mut transaction = state.db.write().await?;
    let now = state.clock.now_ms();
    jobs::cancel(&mut transaction, user_id, id, now).await?;
    // Closed while the job's name is still stored.
    ledger::close(&mut transaction, id, now).await?;
    transaction.commit().await?;
    state.jobs.stop(id).await;
    let mut transaction = state.db.write().await?;
    let removed = jobs::delete(&mut transaction, user_id, id).await?;
    ledger::close(&mut transaction, id, state.clock.now_ms()).await?;
    if let Some(caller) = administrator
        && removed
    {
        read_access::note_change(&mut transaction, state, caller, "job.delete", job).await?;
    }
    transaction.commit().await?;
    if !removed {
        return Err(Problem::not_found());
    }
    state.jobs.removed(id);
    // The job is already deleted, so an error is only logged.
    if let Err(error) = state.file_removals().process_due().await {
        tracing::error!(job = %id, %error, "the recording could not be removed; trying again soon");
    }
    Ok(())
}
