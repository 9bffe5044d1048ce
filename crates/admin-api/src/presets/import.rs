//! `POST /api/v1/admin/presets/import`: imports system presets from a file.

use anyhow::Context;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Serialize;
use serde_json::{Value, json};
use slovo_accounts::audit::Change;
use slovo_api::presets::import::{Form, under_presets};
use slovo_app::auth::Administrator;
use slovo_app::http::{Document, Json};
use slovo_app::state::AppState;
use slovo_db::presets::{self, NewPreset};
use slovo_rules::preset::{parse_import, system_presets};
use utoipa::ToSchema;

use super::{Error, ManagedPreset};

/// The result of the import.
#[derive(Serialize, ToSchema)]
#[schema(as = ImportedPresets)]
pub(super) struct Body {
    presets: Vec<ManagedPreset>,
}

/// Imports system presets from a file. They are recommended and public as the file says, and public
/// if it doesn't say. A preset whose `preset_id` is already taken gets a new one.
#[utoipa::path(post, path = "/admin/presets/import", tag = "admin",
    operation_id = "import_system_presets", request_body = Form,
    responses(
        (status = CREATED, body = Body, description = "The new presets, in the given order"),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
        (status = FORBIDDEN, body = Document, description = "forbidden"),
        (status = PAYLOAD_TOO_LARGE, body = Document, description = "body_too_large: 2 MB"),
        (status = UNPROCESSABLE_ENTITY, body = Document, description = "validation_failed"),
    ))]
pub(super) async fn import(
    State(state): State<AppState>,
    Administrator(caller): Administrator,
    Json(form): Json<Form>,
) -> Result<(StatusCode, Json<Body>), Error> {
    // Serialised again, because the limits of size and depth apply to the text.
    let imported = parse_import(&form.presets.to_string()).map_err(under_presets)?;
    let new = system_presets(imported).map(|(preset_id, form)| {
        let id = state.new_id().parse().context("a new id is not a UUID")?;
        Ok(NewPreset {
            id,
            preset_id,
            form,
        })
    });
    let new = new.collect::<Result<Vec<_>, Error>>()?;
    let now = state.clock.now_ms();
    let mut transaction = state.db.write().await?;
    let mut presets = Vec::with_capacity(new.len());
    for id in presets::managed::insert(&mut transaction, new, now).await? {
        presets.extend(presets::managed::get(&mut transaction, id).await?);
    }
    let names: Vec<_> = presets
        .iter()
        .map(|managed| json!({"id": managed.preset.id, "preset_id": managed.preset.preset_id, "name": managed.preset.name}))
        .collect();
    let change = Change {
        action: "preset.import",
        kind: "preset",
        id: &presets
            .first()
            .map(|managed| managed.preset.id.to_string())
            .unwrap_or_default(),
        name: presets.first().map_or("", |managed| &managed.preset.name),
        before: Value::Null,
        after: json!({ "presets": names }),
    };
    state
        .audit()
        .record(&mut transaction, &caller, change)
        .await?;
    transaction.commit().await?;
    let body = |managed| ManagedPreset::seen_by(&caller.user_id, managed);
    let presets = presets.into_iter().map(body).collect();
    Ok((StatusCode::CREATED, Json(Body { presets })))
}
