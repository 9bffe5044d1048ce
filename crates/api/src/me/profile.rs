//! `PUT /api/v1/me/profile`: the caller's profile.

use axum::extract::State;
use slovo_app::auth::Caller;
use slovo_app::auth::session::User;
use slovo_app::http::{Document, Json, Problem};
use slovo_app::state::AppState;
use slovo_db::accounts::{self, profiles};
use slovo_rules::profile::{self, ProfileForm};

/// Sets name and usage. `terms` is required from users who haven't agreed yet.
#[utoipa::path(put, path = "/me/profile", tag = "me", operation_id = "set_profile",
    request_body = ProfileForm,
    responses(
        (status = OK, body = User),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
        (status = UNPROCESSABLE_ENTITY, body = Document, description = "validation_failed"),
    ))]
pub(super) async fn set(
    State(state): State<AppState>,
    caller: Caller,
    Json(mut form): Json<ProfileForm>,
) -> Result<Json<User>, Problem> {
    form.terms |= caller.account.terms_accepted;
    let valid = profile::validate(&form)?;
    let mut transaction = state.db.write().await?;
    let now = state.clock.now_ms();
    profiles::set(&mut transaction, &caller.user_id, &valid, now).await?;
    let account = accounts::get(&mut transaction, &caller.user_id).await?;
    transaction.commit().await?;
    Ok(Json(account.ok_or_else(Problem::unauthorized)?.into()))
}
