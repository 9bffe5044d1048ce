//! `POST /api/v1/jobs/{id}/opened`: records that the owner reads or edits the text.

use axum::extract::State;
use axum::http::StatusCode;
use slovo_app::http::{Document, Problem};
use slovo_app::state::AppState;
use slovo_db::jobs;

use super::OwnJob;

/// Records that the caller has opened one of their transcripts, which the dashboard then offers to
/// continue with.
#[utoipa::path(post, path = "/jobs/{id}/opened", tag = "jobs", operation_id = "note_opened_job",
    params(("id" = String, Path, description = "Job id")),
    responses(
        (status = NO_CONTENT),
        (status = NOT_FOUND, body = Document, description = "not_found"),
    ))]
pub(super) async fn opened(
    State(state): State<AppState>,
    own: OwnJob,
) -> Result<StatusCode, Problem> {
    let now = state.clock.now_ms();
    let mut transaction = state.db.write().await?;
    jobs::record_work(&mut transaction, &own.caller.user_id, own.job.id, now).await?;
    transaction.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}
