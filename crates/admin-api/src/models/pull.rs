//! `POST /api/v1/admin/models/{id}/pull`: starts the download of a model.

use axum::extract::State;
use axum::http::StatusCode;
use serde_json::Value;
use slovo_app::auth::Administrator;
use slovo_app::http::{Document, Json, Path};
use slovo_app::state::AppState;

use super::{Body, Error, current_state, find, record, source};

/// Starts downloading a model from the built-in list. The download resumes where an earlier one
/// stopped and runs in the background: the list shows its progress.
#[utoipa::path(post, path = "/admin/models/{id}/pull", tag = "admin", operation_id = "pull_model",
    params(("id" = String, Path, description = "Model id")),
    responses(
        (status = ACCEPTED, body = Body),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
        (status = FORBIDDEN, body = Document, description = "forbidden"),
        (status = NOT_FOUND, body = Document, description = "not_found"),
        (status = CONFLICT, body = Document, description = "model_busy"),
    ))]
pub(super) async fn pull(
    State(state): State<AppState>,
    Administrator(caller): Administrator,
    Path(id): Path<String>,
) -> Result<(StatusCode, Json<Body>), Error> {
    let model = find(&state, &id)?;
    state.models.pull(model)?;
    let details = (Value::Null, source(&state));
    record(&state, &caller, "model.pull", model, details).await?;
    Ok((
        StatusCode::ACCEPTED,
        Json(current_state(&state, model).await?),
    ))
}
