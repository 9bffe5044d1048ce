//! `DELETE /api/v1/admin/jobs/{id}`: deletes a job of any user.

use axum::extract::State;
use axum::http::StatusCode;
use slovo_api::jobs::delete::remove;
use slovo_app::auth::Administrator;
use slovo_app::http::{Document, Path, Problem};
use slovo_app::state::AppState;
use uuid::Uuid;

use super::find;

/// Deletes any user's job with its recording and transcripts; a running job is stopped first.
#[utoipa::path(delete, path = "/admin/jobs/{id}", tag = "admin",
    operation_id = "delete_admin_job",
    params(("id" = Uuid, Path, description = "Job id")),
    responses(
        (status = NO_CONTENT),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
        (status = FORBIDDEN, body = Document, description = "forbidden"),
        (status = NOT_FOUND, body = Document, description = "not_found"),
    ))]
pub(super) async fn delete(
    State(state): State<AppState>,
    Administrator(caller): Administrator,
    Path(id): Path<Uuid>,
) -> Result<StatusCode, Problem> {
    let job = find(&state, id).await?;
    remove(&state, &job, Some(&caller)).await?;
    Ok(StatusCode::NO_CONTENT)
}
