//! `GET /api/v1/presets/{id}`: returns a preset.

use axum::extract::State;
use slovo_app::auth::Caller;
use slovo_app::http::{Document, Json, Path};
use slovo_app::state::AppState;
use uuid::Uuid;

use super::{Error, PresetBody, visible_preset};

/// Returns a public preset or one of the caller's own; administrators can read any preset.
#[utoipa::path(get, path = "/presets/{id}", tag = "presets", operation_id = "get_preset",
    params(("id" = Uuid, Path, description = "Preset id")),
    responses(
        (status = OK, body = PresetBody),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
        (status = NOT_FOUND, body = Document, description = "not_found"),
    ))]
pub(super) async fn get(
    State(state): State<AppState>,
    caller: Caller,
    Path(id): Path<Uuid>,
) -> Result<Json<PresetBody>, Error> {
    let preset = visible_preset(&mut *state.db.read().await?, &caller, id).await?;
    Ok(Json(PresetBody::seen_by(&caller.user_id, preset)))
}
