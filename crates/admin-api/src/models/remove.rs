//! `DELETE /api/v1/admin/models/{id}`: deletes a model's file.

use axum::extract::State;
use serde_json::{Value, json};
use slovo_app::auth::Administrator;
use slovo_app::http::{Document, Json, Path, Problem};
use slovo_app::state::AppState;

use super::{Body, Error, current_state, find, record};

/// Deletes a model and its partial downloads. A model can't be deleted while a mode or a running
/// job uses it, or while it is being downloaded or verified.
#[utoipa::path(delete, path = "/admin/models/{id}", tag = "admin", operation_id = "remove_model",
    params(("id" = String, Path, description = "Model id")),
    responses(
        (status = OK, body = Body),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
        (status = FORBIDDEN, body = Document, description = "forbidden"),
        (status = NOT_FOUND, body = Document, description = "not_found"),
        (status = CONFLICT, body = Document, description = "model_in_use (params: used_by), \
            model_busy, model_missing"),
    ))]
pub(super) async fn remove(
    State(state): State<AppState>,
    Administrator(caller): Administrator,
    Path(id): Path<String>,
) -> Result<Json<Body>, Error> {
    let model = find(&state, &id)?;
    let models = state.models.clone();
    let removed = tokio::task::spawn_blocking(move || models.remove(model)).await;
    removed.map_err(Problem::internal)??;
    let details = (json!({"bytes": model.bytes()}), Value::Null);
    record(&state, &caller, "model.remove", model, details).await?;
    Ok(Json(current_state(&state, model).await?))
}
