//! `GET /api/v1/uploads`: the caller's uploads, complete or in progress.

use axum::extract::State;
use serde::Serialize;
use slovo_app::auth::Caller;
use slovo_app::http::Json;
use slovo_app::state::AppState;
use utoipa::ToSchema;

use super::{Error, UploadState};

/// Uploads.
#[derive(Serialize, ToSchema)]
pub(super) struct UploadList {
    /// The newest first.
    uploads: Vec<UploadState>,
}

/// Lists the caller's uploads that can be resumed or transcribed, newest first, at most 50. Refused
/// and expired ones aren't included.
#[utoipa::path(get, path = "/uploads", tag = "uploads", operation_id = "list_uploads",
    responses((status = OK, body = UploadList)))]
pub(super) async fn list(
    State(state): State<AppState>,
    caller: Caller,
) -> Result<Json<UploadList>, Error> {
    let uploads = state.uploads.list(&caller.user_id).await?;
    let uploads = uploads.into_iter().map(UploadState::from).collect();
    Ok(Json(UploadList { uploads }))
}
