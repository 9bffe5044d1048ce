//! `GET /api/v1/auth/sessions`: the caller's sessions.

use axum::extract::State;
use jiff::Timestamp;
use serde::Serialize;
use slovo_app::auth::Caller;
use slovo_app::http::{Document, Json, Problem};
use slovo_app::state::AppState;
use slovo_db::accounts::sessions;
use slovo_platform::clock::from_ms;
use utoipa::ToSchema;

/// A session of an account.
#[derive(Serialize, ToSchema)]
#[schema(as = SessionInfo)]
pub(super) struct Info {
    /// UUID.
    #[schema(format = Uuid)]
    id: String,
    /// The browser's `User-Agent` when the session was last used.
    #[schema(required)]
    user_agent: Option<String>,
    /// Network address of its last use.
    #[schema(required)]
    address: Option<String>,
    /// When it was started.
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    /// When it was last used, to a quarter of an hour.
    #[schema(value_type = String, format = DateTime)]
    last_used_at: Timestamp,
    /// Whether it is the session of this request.
    current: bool,
    /// Whether it outlives the browser.
    remember: bool,
}

/// The sessions of an account.
#[derive(Serialize, ToSchema)]
#[schema(as = SessionList)]
pub(super) struct List {
    /// The most recently used first.
    sessions: Vec<Info>,
}

/// Lists the caller's active sessions.
#[utoipa::path(get, path = "/sessions", tag = "auth", operation_id = "list_sessions",
    responses(
        (status = OK, body = List),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
    ))]
pub(super) async fn list(
    State(state): State<AppState>,
    caller: Caller,
) -> Result<Json<List>, Problem> {
    let now = state.clock.now_ms();
    let mut connection = state.db.read().await?;
    let sessions = sessions::list(&mut connection, &caller.user_id, now).await?;
    let sessions = sessions.into_iter().map(|session| Info {
        current: session.id == caller.credential.id(),
        id: session.id,
        user_agent: session.device.user_agent,
        address: session.device.address,
        created_at: from_ms(session.created_at),
        last_used_at: from_ms(session.last_used_at),
        remember: session.remember,
    });
    Ok(Json(List {
        sessions: sessions.collect(),
    }))
}
