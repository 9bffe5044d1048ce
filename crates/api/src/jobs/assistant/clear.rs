//! `DELETE /api/v1/jobs/{id}/assistant`: deletes the conversation about a text.

use axum::extract::State;
use axum::http::StatusCode;
use slovo_app::http::{Document, Problem};
use slovo_app::state::AppState;
use slovo_db::texts::assistant;

use crate::jobs::OwnJob;

/// Deletes the conversation with the assistant.
#[utoipa::path(delete, path = "/jobs/{id}/assistant", tag = "assistant",
    operation_id = "clear_assistant",
    params(("id" = String, Path, description = "Job id")),
    responses(
        (status = NO_CONTENT),
        (status = NOT_FOUND, body = Document, description = "not_found"),
    ))]
pub(in crate::jobs) async fn clear(
    State(state): State<AppState>,
    own: OwnJob,
) -> Result<StatusCode, Problem> {
    let mut transaction = state.db.write().await?;
    assistant::clear(&mut transaction, own.job.id).await?;
    transaction.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}
