//! The languages that may be spoken in a new recording whose settings do not say which.

use serde_json::Value;
use slovo_app::auth::Caller;
use slovo_app::state::AppState;
use slovo_db::accounts::preferences;
use slovo_db::presets;
use slovo_rules::settings::TranscriptionSettings;
use uuid::Uuid;

use crate::presets::viewer;

/// Whether the settings leave open which languages may be spoken. An empty list does not: it means
/// any.
pub(super) fn are_open(json: Option<&Value>, parsed: &TranscriptionSettings) -> bool {
    let is_given = json.is_some_and(|settings| settings.get("languages").is_some());
    parsed.detects_language() && !is_given
}

/// The languages of the preset, else of the account, else of the server. Each of them is passed over
/// if it has none, or, of a preset, if the caller does not see it.
///
/// # Errors
/// When the database fails.
pub(super) async fn find(
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
