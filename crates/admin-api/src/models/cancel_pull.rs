//! `DELETE /api/v1/admin/models/{id}/pull`: cancels the download of a model.

use axum::extract::State;
use slovo_app::auth::Administrator;
use slovo_app::http::{Document, Json, Path};
use slovo_app::state::AppState;

use super::{Body, Error, current_state, find};

/// Cancels the download of a model. What was downloaded is kept, and the next download resumes from
/// there. It is not an error if no download is running.
#[utoipa::path(delete, path = "/admin/models/{id}/pull", tag = "admin",
    operation_id = "cancel_model_pull",
    params(("id" = String, Path, description = "Model id")),
    responses(
        (status = OK, body = Body),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
        (status = FORBIDDEN, body = Document, description = "forbidden"),
        (status = NOT_FOUND, body = Document, description = "not_found"),
    ))]
pub(super) async fn cancel(
    State(state): State<AppState>,
    _administrator: Administrator,
    Path(id): Path<String>,
) -> Result<Json<Body>, Error> {
    let model = find(&state, &id)?;
    if state.models.cancel(model) {
        tracing::info!(model = model.id, "the download of a model is cancelled");
    }
    Ok(Json(current_state(&state, model).await?))
}
