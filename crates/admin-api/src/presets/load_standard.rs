//! `POST /api/v1/admin/presets/standard`: restores the built-in presets.

use axum::extract::State;
use serde::Serialize;
use serde_json::json;
use slovo_accounts::audit::Change;
use slovo_api::presets::audit;
use slovo_app::auth::Administrator;
use slovo_app::http::{Document, Json};
use slovo_app::presets;
use slovo_app::state::AppState;
use slovo_rules::limits::BUILT_IN_PRESETS;
use utoipa::ToSchema;

use super::Error;

/// The result.
#[derive(Serialize, ToSchema)]
#[schema(as = LoadedPresets)]
pub(super) struct Body {
    /// Number of built-in presets, all of which are now in their original state.
    loaded: u32,
    /// Number of them that had been deleted.
    added: usize,
    /// Number of them that had been changed.
    reset: usize,
}

/// Restores the standard presets, including those that administrators have deleted or changed. The
/// changed versions stay in the audit log.
#[utoipa::path(post, path = "/admin/presets/standard", tag = "admin",
    operation_id = "load_standard_presets",
    responses(
        (status = OK, body = Body),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
        (status = FORBIDDEN, body = Document, description = "forbidden"),
    ))]
pub(super) async fn load(
    State(state): State<AppState>,
    Administrator(caller): Administrator,
) -> Result<Json<Body>, Error> {
    let now = state.clock.now_ms();
    let mut transaction = state.db.write().await?;
    let done = presets::restore(&mut transaction, &*state.random, now).await?;
    let names: Vec<_> = done.reset.iter().map(|preset| &preset.preset_id).collect();
    let before: Vec<_> = done.reset.iter().map(audit::as_json).collect();
    let change = Change {
        action: "preset.load_standard",
        kind: "preset",
        id: "standard",
        name: "standard",
        before: json!({ "changed": before }),
        after: json!({ "added": done.added, "reset": names }),
    };
    state
        .audit()
        .record(&mut transaction, &caller, change)
        .await?;
    transaction.commit().await?;
    Ok(Json(Body {
        loaded: BUILT_IN_PRESETS,
        added: done.added.len(),
        reset: done.reset.len(),
    }))
}
