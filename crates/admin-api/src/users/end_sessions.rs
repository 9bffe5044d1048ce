//! `DELETE /api/v1/admin/users/{id}/sessions`: ends all sessions of a user.

use axum::extract::State;
use axum::http::StatusCode;
use serde_json::{Value, json};
use slovo_accounts::audit::Change;
use slovo_app::auth::Administrator;
use slovo_app::http::{Document, Path};
use slovo_app::state::AppState;
use slovo_db::accounts::sessions::{self, EndReason};
use uuid::Uuid;

use super::super::Error;
use super::other_account;

/// Ends all sessions of another user's account. They can sign in again.
#[utoipa::path(delete, path = "/admin/users/{id}/sessions", tag = "admin",
    operation_id = "end_user_sessions",
    params(("id" = Uuid, Path, description = "Account id")),
    responses(
        (status = NO_CONTENT),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
        (status = FORBIDDEN, body = Document, description = "forbidden"),
        (status = NOT_FOUND, body = Document, description = "not_found"),
        (status = CONFLICT, body = Document, description = "own_account"),
    ))]
pub(super) async fn end(
    State(state): State<AppState>,
    Administrator(caller): Administrator,
    Path(id): Path<Uuid>,
) -> Result<StatusCode, Error> {
    let mut transaction = state.db.write().await?;
    let account = other_account(&mut transaction, &caller, &id.to_string()).await?;
    let now = state.clock.now_ms();
    let ended = sessions::end_all(&mut transaction, &account.id, EndReason::SignedOut, now).await?;
    let change = Change {
        action: "user.end_sessions",
        kind: "user",
        id: &account.id,
        name: &account.email,
        before: Value::Null,
        after: json!({ "count": ended }),
    };
    state
        .audit()
        .record(&mut transaction, &caller, change)
        .await?;
    transaction.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}
