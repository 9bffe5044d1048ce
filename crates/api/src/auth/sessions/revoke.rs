//! `DELETE /api/v1/auth/sessions/{id}`: ends one of the caller's sessions.

use axum::extract::State;
use axum::http::StatusCode;
use slovo_app::auth::Caller;
use slovo_app::http::{Document, Path, Problem};
use slovo_app::state::AppState;
use slovo_db::accounts::sessions;
use uuid::Uuid;

/// Ends one of the caller's sessions.
#[utoipa::path(delete, path = "/sessions/{id}", tag = "auth", operation_id = "revoke_session",
    params(("id" = Uuid, Path, description = "Session id")),
    responses(
        (status = NO_CONTENT),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
        (status = NOT_FOUND, body = Document, description = "not_found"),
    ))]
pub(super) async fn revoke(
    State(state): State<AppState>,
    caller: Caller,
    Path(id): Path<Uuid>,
) -> Result<StatusCode, Problem> {
    let now = state.clock.now_ms();
    let mut transaction = state.db.write().await?;
    let id = id.to_string();
    if !sessions::end_own(&mut transaction, &caller.user_id, &id, now).await? {
        return Err(Problem::not_found());
    }
    transaction.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}
