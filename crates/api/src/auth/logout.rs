//! `POST /api/v1/auth/logout`: ends a session.

use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;
use slovo_app::auth::session;
use slovo_app::http::{Json, Problem};
use slovo_app::state::AppState;
use slovo_db::accounts::sessions::{self, EndReason};
use utoipa::ToSchema;

/// The session.
#[derive(Deserialize, ToSchema)]
pub(super) struct LogoutForm {
    /// A refresh token of the session; its holder can end the session without being signed in.
    pub refresh_token: String,
}

/// Ends the session of a refresh token. It is not an error if the session is unknown or has already
/// ended.
#[utoipa::path(post, path = "/logout", tag = "auth", security(()), request_body = LogoutForm,
    responses((status = NO_CONTENT)))]
pub(super) async fn logout(
    State(state): State<AppState>,
    Json(form): Json<LogoutForm>,
) -> Result<StatusCode, Problem> {
    let hash = session::token_hash(&form.refresh_token);
    // Callers are not authenticated: unknown tokens are refused without taking the write lock.
    let session = sessions::session_of_token(&mut *state.db.read().await?, &hash).await?;
    if let Some(id) = session {
        let mut transaction = state.db.write().await?;
        let now = state.clock.now_ms();
        sessions::end(&mut transaction, &id, EndReason::SignedOut, now).await?;
        transaction.commit().await?;
    }
    Ok(StatusCode::NO_CONTENT)
}
