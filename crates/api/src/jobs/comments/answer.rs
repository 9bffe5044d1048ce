//! `PUT /api/v1/jobs/{id}/comments/{comment_id}/answer`: the owner's reply to a comment.

use axum::extract::State;
use serde::Deserialize;
use slovo_app::http::{Document, Json, Path, Problem};
use slovo_app::state::AppState;
use slovo_db::texts::share_comments;
use slovo_rules::share::validate_answer;
use utoipa::ToSchema;

use super::super::OwnJob;
use super::{CommentBody, CommentPath};

/// An answer to a comment.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(in super::super) struct CommentAnswer {
    /// 1 to 2,000 characters; null removes an earlier answer.
    answer: Option<String>,
}

/// Answers a comment: visitors of the same link see the answer. A new answer replaces the previous
/// one.
#[utoipa::path(put, path = "/jobs/{id}/comments/{comment_id}/answer", tag = "shares",
    operation_id = "answer_comment",
    params(("id" = String, Path, description = "Job id"),
        ("comment_id" = String, Path, description = "Id of the comment")),
    request_body = CommentAnswer,
    responses(
        (status = OK, body = CommentBody),
        (status = NOT_FOUND, body = Document, description = "not_found"),
        (status = UNPROCESSABLE_ENTITY, body = Document, description = "validation_failed"),
    ))]
pub(in super::super) async fn answer(
    State(state): State<AppState>,
    own: OwnJob,
    Path(CommentPath { comment_id }): Path<CommentPath>,
    Json(form): Json<CommentAnswer>,
) -> Result<Json<CommentBody>, Problem> {
    let text = match &form.answer {
        Some(answer) => Some(validate_answer(answer)?.into_inner()),
        None => None,
    };
    let (job, now) = (own.job.id, state.clock.now_ms());
    let mut transaction = state.db.write().await?;
    share_comments::answer(&mut transaction, job, comment_id, text.as_deref(), now).await?;
    let comment = share_comments::find(&mut transaction, job, comment_id).await?;
    transaction.commit().await?;
    let comment = comment.ok_or_else(Problem::not_found)?;
    Ok(Json(comment.into()))
}
