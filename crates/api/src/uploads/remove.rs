//! `DELETE /api/v1/uploads/{id}`: deletes an upload.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use slovo_app::auth::Caller;
use slovo_app::http::{Document, Path};
use slovo_app::state::AppState;
use uuid::Uuid;

use super::{Error, tus};

/// Deletes an upload and its bytes, even while it is in progress.
#[utoipa::path(delete, path = "/uploads/{id}", tag = "uploads", operation_id = "remove_upload",
    params(
        ("id" = String, Path, description = "Upload id"),
        ("Tus-Resumable" = String, Header, description = "1.0.0"),
    ),
    responses(
        (status = NO_CONTENT),
        (status = NOT_FOUND, body = Document, description = "not_found"),
        (status = GONE, body = Document, description = "upload_expired"),
    ))]
pub(super) async fn remove(
    State(state): State<AppState>,
    caller: Caller,
    Path(id): Path<Uuid>,
    headers: HeaderMap,
) -> Result<StatusCode, Error> {
    tus::require_version(&headers)?;
    state.uploads.terminate(&caller.user_id, id).await?;
    Ok(StatusCode::NO_CONTENT)
}
