//! `GET /api/v1/jobs/{id}/shares`: the links of a job.

use axum::extract::State;
use slovo_app::http::{Document, Json, Problem};
use slovo_app::state::AppState;
use slovo_db::texts::shares;

use super::super::OwnJob;
use super::ShareBody;

/// Lists the job's share links, including expired ones, newest first.
#[utoipa::path(get, path = "/jobs/{id}/shares", tag = "shares", operation_id = "list_shares",
    params(("id" = String, Path, description = "Job id")),
    responses(
        (status = OK, body = Vec<ShareBody>),
        (status = NOT_FOUND, body = Document, description = "not_found"),
    ))]
pub(in super::super) async fn list(
    State(state): State<AppState>,
    own: OwnJob,
) -> Result<Json<Vec<ShareBody>>, Problem> {
    let all = shares::list(&mut *state.db.read().await?, own.job.id).await?;
    let all = all.iter().map(|share| ShareBody::of(&state, share));
    Ok(Json(all.collect()))
}
