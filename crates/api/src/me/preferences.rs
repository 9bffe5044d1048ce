//! `/api/v1/me/preferences`: the caller's preferences.

use axum::extract::State;
use slovo_app::auth::Caller;
use slovo_app::http::{Document, Json, Problem};
use slovo_app::state::AppState;
use slovo_db::accounts::preferences;
use slovo_rules::preferences::{self as rules, Preferences};

/// Returns the caller's preferences, or the defaults.
#[utoipa::path(get, path = "/me/preferences", tag = "me", operation_id = "get_preferences",
    responses(
        (status = OK, body = Preferences),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
    ))]
pub(super) async fn get(
    State(state): State<AppState>,
    caller: Caller,
) -> Result<Json<Preferences>, Problem> {
    let mut connection = state.db.read().await?;
    let stored = preferences::get(&mut connection, &caller.user_id).await?;
    Ok(Json(stored.unwrap_or_default()))
}

/// Sets the caller's preferences.
#[utoipa::path(put, path = "/me/preferences", tag = "me", operation_id = "set_preferences",
    request_body = Preferences,
    responses(
        (status = OK, body = Preferences),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
        (status = UNPROCESSABLE_ENTITY, body = Document, description = "validation_failed"),
    ))]
pub(super) async fn set(
    State(state): State<AppState>,
    caller: Caller,
    Json(form): Json<Preferences>,
) -> Result<Json<Preferences>, Problem> {
    let valid = rules::validate(&form)?;
    let mut transaction = state.db.write().await?;
    preferences::set(
        &mut transaction,
        &caller.user_id,
        &valid,
        state.clock.now_ms(),
    )
    .await?;
    transaction.commit().await?;
    Ok(Json(valid.into_inner()))
}
