//! `DELETE /api/v1/jobs/{id}/comments/{comment_id}`: deletes a comment.

use axum::extract::State;
use axum::http::StatusCode;
use slovo_app::http::{Document, Path, Problem};
use slovo_app::state::AppState;
use slovo_db::texts::share_comments;

use super::super::OwnJob;
use super::CommentPath;

/// Deletes a comment and its answer.
#[utoipa::path(delete, path = "/jobs/{id}/comments/{comment_id}", tag = "shares",
    operation_id = "delete_comment",
    params(("id" = String, Path, description = "Job id"),
        ("comment_id" = String, Path, description = "Id of the comment")),
    responses(
        (status = NO_CONTENT, description = "Deleted"),
        (status = NOT_FOUND, body = Document, description = "not_found"),
    ))]
pub(in super::super) async fn remove(
    State(state): State<AppState>,
    own: OwnJob,
    Path(CommentPath { comment_id }): Path<CommentPath>,
) -> Result<StatusCode, Problem> {
    let mut transaction = state.db.write().await?;
    if !share_comments::remove(&mut transaction, own.job.id, comment_id).await? {
        return Err(Problem::not_found());
    }
    transaction.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}
