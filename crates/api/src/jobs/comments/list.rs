//! `GET /api/v1/jobs/{id}/comments`: the comments on a job's text.

use axum::extract::State;
use slovo_app::http::{Document, Json, Problem};
use slovo_app::state::AppState;
use slovo_db::texts::share_comments;

use super::super::OwnJob;
use super::CommentBody;

/// Lists the comments that visitors of share links left on the transcript, oldest first, including
/// those of revoked links.
#[utoipa::path(get, path = "/jobs/{id}/comments", tag = "shares", operation_id = "list_comments",
    params(("id" = String, Path, description = "Job id")),
    responses(
        (status = OK, body = Vec<CommentBody>),
        (status = NOT_FOUND, body = Document, description = "not_found"),
    ))]
pub(in super::super) async fn list(
    State(state): State<AppState>,
    own: OwnJob,
) -> Result<Json<Vec<CommentBody>>, Problem> {
    let mut connection = state.db.read().await?;
    let all = share_comments::of_job(&mut connection, own.job.id).await?;
    Ok(Json(all.into_iter().map(CommentBody::from).collect()))
}
