//! `DELETE /api/v1/admin/users/{id}`: deletes a user's account.

use axum::extract::State;
use axum::http::StatusCode;
use slovo_accounts::deletion::{self, DeletionError};
use slovo_app::auth::Administrator;
use slovo_app::http::{Document, Path};
use slovo_app::state::AppState;
use uuid::Uuid;

use super::super::Error;
use super::other_account;

/// Permanently deletes another user's account with its recordings, transcripts, sessions and
/// settings. Download its archive first if it may be needed.
#[utoipa::path(delete, path = "/admin/users/{id}", tag = "admin", operation_id = "delete_user",
    params(("id" = Uuid, Path, description = "Account id")),
    responses(
        (status = NO_CONTENT),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
        (status = FORBIDDEN, body = Document, description = "forbidden"),
        (status = NOT_FOUND, body = Document, description = "not_found"),
        (status = CONFLICT, body = Document, description = "own_account, last_admin"),
    ))]
pub(super) async fn delete(
    State(state): State<AppState>,
    Administrator(caller): Administrator,
    Path(id): Path<Uuid>,
) -> Result<StatusCode, Error> {
    let id = id.to_string();
    other_account(&mut *state.db.read().await?, &caller, &id).await?;
    let deleted = deletion::delete_by_administrator(&state.deletion(), id, caller).await;
    deleted.map_err(|refusal| match refusal {
        DeletionError::LastAdmin => Error::LastAdmin,
        DeletionError::NoAccount => Error::NotFound,
        DeletionError::NotProven(reason) => {
            Error::Internal(anyhow::anyhow!("not proven: {reason:?}"))
        }
        DeletionError::Internal(error) => Error::Internal(error),
    })?;
    Ok(StatusCode::NO_CONTENT)
}
