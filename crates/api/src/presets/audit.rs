//! Audit log of administrators' changes to presets.

use serde_json::{Value, json};
use slovo_accounts::audit::Change;
use slovo_app::auth::Caller;
use slovo_app::state::AppState;
use slovo_db::Connection;
use slovo_db::presets::Preset;

/// Logs an administrator's change to a preset if it concerns others: the preset is another user's,
/// built-in, or public before or after the change.
pub(super) async fn record(
    connection: &mut Connection,
    state: &AppState,
    caller: &Caller,
    action: &str,
    before: Option<&Preset>,
    after: Option<&Preset>,
) -> slovo_db::Result<()> {
    let Some(preset) = after.or(before) else {
        return Ok(());
    };
    let is_own = preset.user_id.as_deref() == Some(&*caller.user_id);
    let is_public = [before, after].into_iter().flatten().any(|it| it.is_public);
    if !caller.is_admin() || (is_own && !is_public) {
        return Ok(());
    }
    let change = Change {
        action,
        kind: "preset",
        id: &preset.id.to_string(),
        name: &preset.name,
        before: before.map(as_json).unwrap_or_default(),
        after: after.map(as_json).unwrap_or_default(),
    };
    state.audit().record(connection, caller, change).await
}

/// All fields of a preset that can be changed.
pub fn as_json(preset: &Preset) -> Value {
    json!({
        "preset_id": preset.preset_id,
        "name": preset.name,
        "description": preset.description,
        "category": preset.category,
        "is_public": preset.is_public,
        "is_default": preset.is_default,
        "settings": preset.settings,
        "user_id": preset.user_id,
    })
}
