//! Languages that may be spoken in a new recording, if its settings do not specify them.

use serde_json::Value;
use slovo_app::auth::Caller;
use slovo_app::state::AppState;
use slovo_db::accounts::preferences;
use slovo_db::presets;
use slovo_rules::settings::TranscriptionSettings;
use uuid::Uuid;

use crate::presets::viewer;

/// Whether the settings do not specify which languages may be spoken. An empty list does: it means
/// any.
pub(super) fn are_open(json: Option<&Value>, parsed: &TranscriptionSettings) -> bool {
    let is_given = json.is_some_and(|settings| settings.get("languages").is_some());
    parsed.detects_language() && !is_given
}

/// The languages of the preset, otherwise of the account, otherwise of the server. Each is skipped
/// if it has none; a preset also if the caller cannot see it.
///
/// # Errors
/// When the database fails.
pub async fn find(
    state: &AppState,
    caller: &Caller,
    preset: Option<Uuid>,
) -> slovo_db::Result<Vec<String>> {
    let mut connection = state.db.read().await?;
    if let Some(preset) = preset {
        let preset = presets::find(&mut connection, viewer(caller), preset).await?;
        let languages = preset.map(|preset| preset.settings.languages);
        if let Some(languages) = languages.filter(|languages| !languages.is_empty()) {
            return Ok(languages);
        }
    }
    let account = preferences::get(&mut connection, &caller.user_id).await?;
    let languages = account.map(|preferences| preferences.settings.languages);
    if let Some(languages) = languages.filter(|languages| !languages.is_empty()) {
        return Ok(languages);
    }
    drop(connection);
    Ok(state.settings.current().await?.defaults.languages)
}
