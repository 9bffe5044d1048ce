//! `POST /api/v1/auth/sessions/revoke-others`: ends all other sessions of the caller.

use axum::extract::State;
use serde::Serialize;
use slovo_app::auth::Caller;
use slovo_app::http::{Document, Json, Problem};
use slovo_app::state::AppState;
use slovo_db::accounts::sessions::{self, EndReason};
use utoipa::ToSchema;

/// The result.
#[derive(Serialize, ToSchema)]
#[schema(as = EndedSessions)]
pub(super) struct EndedSessions {
    /// Number of sessions that were ended.
    ended: u64,
}

/// Ends all of the caller's other sessions.
#[utoipa::path(post, path = "/sessions/revoke-others", tag = "auth",
    operation_id = "revoke_other_sessions",
    responses(
        (status = OK, body = EndedSessions),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
    ))]
pub(super) async fn revoke_others(
    State(state): State<AppState>,
    caller: Caller,
) -> Result<Json<EndedSessions>, Problem> {
    let now = state.clock.now_ms();
    let mut transaction = state.db.write().await?;
    let (user, session) = (&caller.user_id, caller.credential.id());
    let ended =
        sessions::end_others(&mut transaction, user, session, EndReason::SignedOut, now).await?;
    transaction.commit().await?;
    Ok(Json(EndedSessions { ended }))
}
