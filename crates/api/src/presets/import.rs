//! `POST /api/v1/presets/import`: imports presets from a file.

use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;
use serde_json::Value;
use slovo_app::auth::Caller;
use slovo_app::http::{Document, Json};
use slovo_app::state::AppState;
use slovo_db::presets::{self, NewPreset};
use slovo_rules::preset::{MAX_IMPORT_BYTES, parse_import, private_copies};
use slovo_rules::violation::Violations;
use utoipa::ToSchema;

use super::{Error, List, new_id, visible_preset};

/// Largest body, in bytes: an import with its envelope.
pub const MAX_BODY: usize = MAX_IMPORT_BYTES + 1024;

/// The presets to import.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = PresetImportForm)]
pub struct Form {
    /// An array of presets or a single one, as in a file. Each has `preset_id`, `name`, `category`,
    /// `transcription_type` and `settings`; other fields of a downloaded file are ignored.
    pub presets: Value,
}

/// Imports private presets from a file. A preset whose `preset_id` is already taken gets a new one.
#[utoipa::path(post, path = "/presets/import", tag = "presets", operation_id = "import_presets",
    request_body = Form,
    responses(
        (status = CREATED, body = List, description = "The new presets, in the given order"),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
        (status = CONFLICT, body = Document, description = "too_many_presets: 500 of one user"),
        (status = PAYLOAD_TOO_LARGE, body = Document, description = "body_too_large: 2 MB"),
        (status = UNPROCESSABLE_ENTITY, body = Document, description = "validation_failed"),
    ))]
pub(super) async fn import(
    State(state): State<AppState>,
    caller: Caller,
    Json(form): Json<Form>,
) -> Result<(StatusCode, Json<List>), Error> {
    // Serialised again, because the limits of size and depth apply to the text.
    let imported = parse_import(&form.presets.to_string()).map_err(under_presets)?;
    let new = private_copies(imported).map(|(preset_id, form)| {
        Ok(NewPreset {
            id: new_id(&state)?,
            preset_id,
            form,
        })
    });
    let new = new.collect::<Result<Vec<_>, Error>>()?;
    let now = state.clock.now_ms();
    let mut transaction = state.db.write().await?;
    let created = presets::insert(&mut transaction, &caller.user_id, new, now).await?;
    let mut presets = Vec::new();
    for id in created.ok_or(Error::TooMany)? {
        presets.push(visible_preset(&mut transaction, &caller, id).await?);
    }
    transaction.commit().await?;
    Ok((StatusCode::CREATED, Json(List::seen_by(&caller, presets))))
}

/// The violations of an import, with field names relative to the body.
pub fn under_presets(violations: Violations) -> Violations {
    violations.under("presets")
}
