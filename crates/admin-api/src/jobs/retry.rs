//! `POST /api/v1/admin/jobs/{id}/retry`: runs an ended job of any user again.

use axum::extract::State;
use slovo_api::jobs::JobBody;
use slovo_api::jobs::retry::{self, Error};
use slovo_app::auth::Administrator;
use slovo_app::http::{Document, Json, Path};
use slovo_app::state::AppState;
use uuid::Uuid;

use super::{find, reread};

/// Runs any user's finished job again.
#[utoipa::path(post, path = "/admin/jobs/{id}/retry", tag = "admin",
    operation_id = "retry_admin_job",
    params(("id" = Uuid, Path, description = "Job id")),
    responses(
        (status = OK, body = JobBody),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
        (status = FORBIDDEN, body = Document, description = "forbidden"),
        (status = NOT_FOUND, body = Document, description = "not_found"),
        (status = CONFLICT, body = Document, description = "job_under_way"),
    ))]
pub(super) async fn retry(
    State(state): State<AppState>,
    Administrator(caller): Administrator,
    Path(id): Path<Uuid>,
) -> Result<Json<JobBody>, Error> {
    let job = find(&state, id).await?;
    retry::begin(&state, &job, Some(&caller)).await?;
    Ok(Json(reread(&state, id).await?))
}
