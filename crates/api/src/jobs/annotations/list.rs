//! `GET /api/v1/jobs/{id}/annotations`: the bookmarks and highlights of a job's text.

use axum::extract::State;
use slovo_app::http::{Document, Json, Problem};
use slovo_app::state::AppState;
use slovo_db::texts::annotations;

use super::super::OwnJob;
use super::AnnotationBody;

/// Lists the bookmarks and highlights of all runs of a job, in the order of the recording.
#[utoipa::path(get, path = "/jobs/{id}/annotations", tag = "edits",
    operation_id = "list_annotations",
    params(("id" = String, Path, description = "Job id")),
    responses(
        (status = OK, body = Vec<AnnotationBody>),
        (status = NOT_FOUND, body = Document, description = "not_found"),
    ))]
pub(in super::super) async fn list(
    State(state): State<AppState>,
    own: OwnJob,
) -> Result<Json<Vec<AnnotationBody>>, Problem> {
    let mut connection = state.db.read().await?;
    let all = annotations::list(&mut connection, own.job.id).await?;
    Ok(Json(all.into_iter().map(AnnotationBody::from).collect()))
}
