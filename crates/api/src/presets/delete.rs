//! `DELETE /api/v1/presets/{id}`: deletes a preset.

use axum::extract::State;
use axum::http::StatusCode;
use slovo_app::auth::Caller;
use slovo_app::http::{Document, Path};
use slovo_app::state::AppState;
use slovo_db::presets;
use uuid::Uuid;

use super::{Error, audit, changeable};

/// Deletes a preset: one of the caller's own, or any preset for administrators. Jobs made with it
/// are kept.
#[utoipa::path(delete, path = "/presets/{id}", tag = "presets", operation_id = "delete_preset",
    params(("id" = Uuid, Path, description = "Preset id")),
    responses(
        (status = NO_CONTENT),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
        (status = FORBIDDEN, body = Document, description = "forbidden"),
        (status = NOT_FOUND, body = Document, description = "not_found"),
    ))]
pub(super) async fn delete(
    State(state): State<AppState>,
    caller: Caller,
    Path(id): Path<Uuid>,
) -> Result<StatusCode, Error> {
    let mut transaction = state.db.write().await?;
    let preset = changeable(&mut transaction, &caller, id).await?;
    if !presets::delete(&mut transaction, id).await? {
        return Err(Error::NotFound);
    }
    let deleted = Some(&preset);
    audit::record(
        &mut transaction,
        &state,
        &caller,
        "preset.delete",
        deleted,
        None,
    )
    .await?;
    transaction.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}
