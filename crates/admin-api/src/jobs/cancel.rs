//! `POST /api/v1/admin/jobs/{id}/cancel`: cancels a job of any user.

use axum::extract::State;
use slovo_api::jobs::JobBody;
use slovo_api::jobs::cancel::{self, Error};
use slovo_app::auth::Administrator;
use slovo_app::http::{Document, Json, Path};
use slovo_app::state::AppState;
use uuid::Uuid;

use super::{find, reread};

/// Cancels any user's queued or running job.
#[utoipa::path(post, path = "/admin/jobs/{id}/cancel", tag = "admin",
    operation_id = "cancel_admin_job",
    params(("id" = Uuid, Path, description = "Job id")),
    responses(
        (status = OK, body = JobBody),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
        (status = FORBIDDEN, body = Document, description = "forbidden"),
        (status = NOT_FOUND, body = Document, description = "not_found"),
        (status = CONFLICT, body = Document, description = "job_ended"),
    ))]
pub(super) async fn cancel(
    State(state): State<AppState>,
    Administrator(caller): Administrator,
    Path(id): Path<Uuid>,
) -> Result<Json<JobBody>, Error> {
    let job = find(&state, id).await?;
    cancel::stop(&state, &job, Some(&caller)).await?;
    Ok(Json(reread(&state, id).await?))
}
