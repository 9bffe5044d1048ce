//! `POST /api/v1/auth/logout`: ends a session.

use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;
use slovo_db::sessions::{self, EndReason};
use utoipa::ToSchema;

use crate::auth::session;
use crate::http::{Json, Problem};
use crate::state::AppState;

/// Which session.
#[derive(Deserialize, ToSchema)]
pub(super) struct LogoutForm {
    /// A refresh token of the session; whoever holds it may end it, signed in or not.
    pub refresh_token: String,
}

/// Ends the session that the refresh token belongs to. What is unknown or has ended is fine: the
/// session is not in force afterwards.
#[utoipa::path(post, path = "/logout", tag = "auth", security(()), request_body = LogoutForm,
    responses((status = NO_CONTENT)))]
pub(super) async fn logout(
    State(state): State<AppState>,
    Json(form): Json<LogoutForm>,
) -> Result<StatusCode, Problem> {
    let hash = session::token_hash(&form.refresh_token);
    let mut transaction = state.db.write().await?;
    if let Some(id) = sessions::session_of_token(&mut transaction, &hash).await? {
        let now = state.clock.now_ms();
        sessions::end(&mut transaction, &id, EndReason::SignedOut, now).await?;
    }
    transaction.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}
