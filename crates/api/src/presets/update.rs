//! `PUT /api/v1/presets/{id}`: replaces a preset.

use axum::extract::State;
use slovo_app::auth::Caller;
use slovo_app::http::{Document, Json, Path};
use slovo_app::state::AppState;
use slovo_db::presets;
use slovo_rules::preset::{self as rules, PresetForm};
use uuid::Uuid;

use super::{Error, PresetBody, audit, changeable, may_publish, visible_preset};

/// Updates a preset: one of the caller's own, or any preset for administrators. A standard preset
/// that was changed is no longer updated with the program.
#[utoipa::path(put, path = "/presets/{id}", tag = "presets", operation_id = "update_preset",
    params(("id" = Uuid, Path, description = "Preset id")), request_body = PresetForm,
    responses(
        (status = OK, body = PresetBody),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
        (status = FORBIDDEN, body = Document, description = "forbidden, publishing_denied"),
        (status = NOT_FOUND, body = Document, description = "not_found"),
        (status = UNPROCESSABLE_ENTITY, body = Document, description = "validation_failed"),
    ))]
pub(super) async fn update(
    State(state): State<AppState>,
    caller: Caller,
    Path(id): Path<Uuid>,
    Json(form): Json<PresetForm>,
) -> Result<Json<PresetBody>, Error> {
    let mut transaction = state.db.write().await?;
    let before = changeable(&mut transaction, &caller, id).await?;
    let form = rules::validate(&form)?;
    may_publish(&caller, &form)?;
    presets::update(&mut transaction, id, &form, state.clock.now_ms()).await?;
    let preset = visible_preset(&mut transaction, &caller, id).await?;
    let (old, new) = (Some(&before), Some(&preset));
    audit::record(&mut transaction, &state, &caller, "preset.update", old, new).await?;
    transaction.commit().await?;
    Ok(Json(PresetBody::seen_by(&caller.user_id, preset)))
}
