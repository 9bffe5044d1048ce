//! `HEAD /api/v1/uploads/{id}`: the offset at which to resume.

use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use slovo_app::auth::Caller;
use slovo_app::http::{Document, Path};
use slovo_app::state::AppState;
use slovo_rules::upload::UploadKind;
use uuid::Uuid;

use super::{Error, position, tus};

/// Returns how many bytes are stored.
#[utoipa::path(head, path = "/uploads/{id}", tag = "uploads", operation_id = "upload_offset",
    params(
        ("id" = String, Path, description = "Upload id"),
        ("Tus-Resumable" = String, Header, description = "1.0.0"),
    ),
    responses(
        (status = OK, description = "Upload-Offset, Upload-Length or \
            Upload-Defer-Length, Upload-Metadata, Upload-Expires"),
        (status = NOT_FOUND, body = Document, description = "not_found"),
        (status = GONE, body = Document, description = "upload_expired"),
        (status = UNSUPPORTED_MEDIA_TYPE, body = Document, description = "unsupported_media"),
    ))]
pub(super) async fn head(
    State(state): State<AppState>,
    caller: Caller,
    Path(id): Path<Uuid>,
    headers: HeaderMap,
) -> Result<(StatusCode, HeaderMap), Error> {
    tus::require_version(&headers)?;
    let upload = state.uploads.usable(&caller.user_id, id).await?;
    let mut answer = position(&upload);
    match upload.length.bytes() {
        Some(bytes) => answer.insert(tus::UPLOAD_LENGTH, HeaderValue::from(bytes)),
        None => answer.insert(tus::UPLOAD_DEFER_LENGTH, HeaderValue::from(1)),
    };
    answer.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    let kind = match upload.kind {
        UploadKind::File => "",
        other => other.as_str(),
    };
    let metadata = [
        ("filename", upload.filename.as_str()),
        ("filetype", upload.content_type.as_str()),
        ("kind", kind),
    ];
    if let Some(metadata) = tus::metadata_header(&metadata) {
        answer.insert(tus::UPLOAD_METADATA, metadata);
    }
    Ok((StatusCode::OK, answer))
}
