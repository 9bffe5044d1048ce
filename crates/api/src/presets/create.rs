//! `POST /api/v1/presets`: creates a preset of the caller.

use axum::extract::State;
use axum::http::StatusCode;
use slovo_app::auth::Caller;
use slovo_app::http::{Document, Json};
use slovo_app::state::AppState;
use slovo_db::presets::{self, NewPreset, generated_id};
use slovo_rules::preset::{self as rules, PresetForm};

use super::{Error, PresetBody, audit, may_publish, new_id, visible_preset};

/// Creates a preset. Only administrators can create public or recommended ones.
#[utoipa::path(post, path = "/presets", tag = "presets", operation_id = "create_preset",
    request_body = PresetForm,
    responses(
        (status = CREATED, body = PresetBody),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
        (status = FORBIDDEN, body = Document, description = "publishing_denied"),
        (status = CONFLICT, body = Document, description = "too_many_presets: 500 of one user"),
        (status = UNPROCESSABLE_ENTITY, body = Document, description = "validation_failed"),
    ))]
pub(super) async fn create(
    State(state): State<AppState>,
    caller: Caller,
    Json(form): Json<PresetForm>,
) -> Result<(StatusCode, Json<PresetBody>), Error> {
    let form = rules::validate(&form)?;
    may_publish(&caller, &form)?;
    let id = new_id(&state)?;
    let new = NewPreset {
        id,
        preset_id: generated_id(id),
        form,
    };
    let now = state.clock.now_ms();
    let mut transaction = state.db.write().await?;
    let created = presets::insert(&mut transaction, &caller.user_id, vec![new], now).await?;
    created.ok_or(Error::TooMany)?;
    let preset = visible_preset(&mut transaction, &caller, id).await?;
    let created = Some(&preset);
    audit::record(
        &mut transaction,
        &state,
        &caller,
        "preset.create",
        None,
        created,
    )
    .await?;
    transaction.commit().await?;
    let body = PresetBody::seen_by(&caller.user_id, preset);
    Ok((StatusCode::CREATED, Json(body)))
}
