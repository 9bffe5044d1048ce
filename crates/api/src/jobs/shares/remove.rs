//! `DELETE /api/v1/jobs/{id}/shares/{share_id}`: withdraws a link.

use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;
use slovo_app::http::{Document, Path, Problem};
use slovo_app::state::AppState;
use slovo_db::texts::shares;
use uuid::Uuid;

use super::super::OwnJob;

/// The link from the path.
#[derive(Deserialize)]
pub(in super::super) struct SharePath {
    pub(super) share_id: Uuid,
}

/// Revokes a share link: it stops working immediately, and so does any playback.
#[utoipa::path(delete, path = "/jobs/{id}/shares/{share_id}", tag = "shares",
    operation_id = "withdraw_share",
    params(("id" = String, Path, description = "Job id"),
        ("share_id" = String, Path, description = "Id of the link")),
    responses(
        (status = NO_CONTENT, description = "Withdrawn"),
        (status = NOT_FOUND, body = Document, description = "not_found"),
    ))]
pub(in super::super) async fn remove(
    State(state): State<AppState>,
    own: OwnJob,
    Path(SharePath { share_id }): Path<SharePath>,
) -> Result<StatusCode, Problem> {
    let mut transaction = state.db.write().await?;
    if !shares::remove(&mut transaction, own.job.id, share_id).await? {
        return Err(Problem::not_found());
    }
    transaction.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}
