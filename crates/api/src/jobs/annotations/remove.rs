//! `DELETE /api/v1/jobs/{id}/annotations/{annotation_id}`: deletes a bookmark or a highlight.

use axum::extract::State;
use axum::http::StatusCode;
use slovo_app::http::{Document, Path, Problem};
use slovo_app::state::AppState;
use slovo_db::texts::annotations;

use super::super::OwnJob;
use super::AnnotationPath;

/// Deletes a bookmark or a highlight and its note.
#[utoipa::path(delete, path = "/jobs/{id}/annotations/{annotation_id}", tag = "edits",
    operation_id = "delete_annotation",
    params(("id" = String, Path, description = "Job id"),
        ("annotation_id" = String, Path, description = "Id of the bookmark or highlight")),
    responses(
        (status = NO_CONTENT, description = "Deleted"),
        (status = NOT_FOUND, body = Document, description = "not_found"),
    ))]
pub(in super::super) async fn remove(
    State(state): State<AppState>,
    own: OwnJob,
    Path(AnnotationPath { annotation_id }): Path<AnnotationPath>,
) -> Result<StatusCode, Problem> {
    let mut transaction = state.db.write().await?;
    if !annotations::remove(&mut transaction, own.job.id, annotation_id).await? {
        return Err(Problem::not_found());
    }
    transaction.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}
