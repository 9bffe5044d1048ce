//! `POST /api/v1/admin/models/{id}/verify`: starts to verify a model's checksum.

use axum::extract::State;
use axum::http::StatusCode;
use serde_json::Value;
use slovo_app::auth::Administrator;
use slovo_app::http::{Document, Json, Path};
use slovo_app::state::AppState;

use super::{Body, Error, current_state, find, record};

/// Starts recomputing a model's checksum: the list shows the progress and the result.
#[utoipa::path(post, path = "/admin/models/{id}/verify", tag = "admin",
    operation_id = "verify_model",
    params(("id" = String, Path, description = "Model id")),
    responses(
        (status = ACCEPTED, body = Body),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
        (status = FORBIDDEN, body = Document, description = "forbidden"),
        (status = NOT_FOUND, body = Document, description = "not_found"),
        (status = CONFLICT, body = Document, description = "model_busy, model_missing"),
    ))]
pub(super) async fn verify(
    State(state): State<AppState>,
    Administrator(caller): Administrator,
    Path(id): Path<String>,
) -> Result<(StatusCode, Json<Body>), Error> {
    let model = find(&state, &id)?;
    state.models.verify(model)?;
    let details = (Value::Null, Value::Null);
    record(&state, &caller, "model.verify", model, details).await?;
    Ok((
        StatusCode::ACCEPTED,
        Json(current_state(&state, model).await?),
    ))
}
