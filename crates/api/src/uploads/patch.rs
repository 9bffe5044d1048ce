//! `PATCH /api/v1/uploads/{id}`: appends bytes.

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use slovo_app::auth::Caller;
use slovo_app::http::{Document, Path};
use slovo_app::state::AppState;
use slovo_uploads::ChunkRequest;
use slovo_uploads::checksum::ChecksumHasher;
use uuid::Uuid;

use super::tus::{self, HeaderError};
use super::{Error, check_size, content_length, or_of_file, position};

/// Appends bytes to an upload. Once the last byte has arrived, the file is checked, and refused if
/// it isn't a recording.
///
/// `Upload-Length` sets the length of an upload that was created without one; it cannot be changed
/// later, and the request may have an empty body. If such an upload exceeds the maximum size, the
/// excess is refused and the part that fits is kept.
#[utoipa::path(patch, path = "/uploads/{id}", tag = "uploads", operation_id = "append_to_upload",
    request_body(content_type = "application/offset+octet-stream"),
    params(
        ("id" = String, Path, description = "Upload id"),
        ("Tus-Resumable" = String, Header, description = "1.0.0"),
        ("Upload-Offset" = u64, Header, description = "Where these bytes begin"),
        ("Upload-Length" = Option<u64>, Header, description = "Bytes the whole file has, if it \
            began with Upload-Defer-Length"),
        ("Upload-Checksum" = Option<String>, Header, description = "sha1 or sha256 and base64"),
    ),
    responses(
        (status = NO_CONTENT, description = "Upload-Offset says how many are stored now"),
        (status = BAD_REQUEST, body = Document, description = "tus_header_invalid"),
        (status = NOT_FOUND, body = Document, description = "not_found"),
        (status = CONFLICT, body = Document, description = "upload_offset_mismatch, \
            upload_length_mismatch"),
        (status = GONE, body = Document, description = "upload_expired"),
        (status = PAYLOAD_TOO_LARGE, body = Document, description = "upload_too_large"),
        (status = UNSUPPORTED_MEDIA_TYPE, body = Document, description = "unsupported_media, \
            unsupported_media_type"),
        (status = UNPROCESSABLE_ENTITY, body = Document, description = or_of_file("validation_failed: \
            a length of 0, upload_refused")),
        (status = TOO_MANY_REQUESTS, body = Document, description = "too_many_uploads: their \
            bytes add up to too much"),
        (status = LOCKED, body = Document, description = "upload_locked"),
        (status = 460, body = Document, description = "checksum_mismatch"),
        (status = SERVICE_UNAVAILABLE, body = Document, description = "unavailable: the whole \
            file is stored and could not be looked into"),
        (status = INSUFFICIENT_STORAGE, body = Document, description = "storage_full"),
    ))]
pub(super) async fn patch(
    State(state): State<AppState>,
    caller: Caller,
    Path(id): Path<Uuid>,
    headers: HeaderMap,
    body: Body,
) -> Result<(StatusCode, HeaderMap), Error> {
    append(&state, &caller, id, &headers, body).await
}

/// Implements PATCH, also for requests that override the method.
pub(super) async fn append(
    state: &AppState,
    caller: &Caller,
    id: Uuid,
    headers: &HeaderMap,
    body: Body,
) -> Result<(StatusCode, HeaderMap), Error> {
    tus::require_version(headers)?;
    tus::require_content_type(headers)?;
    let offset = tus::bytes(headers, &tus::UPLOAD_OFFSET, "Upload-Offset")?
        .ok_or(HeaderError::Missing("Upload-Offset"))?;
    let length = tus::declared_length(headers)?;
    if let Some(length) = length {
        check_size(state, length).await?;
    }
    let piece = ChunkRequest {
        offset,
        announced: content_length(headers),
        length,
        checksum: tus::checksum(headers)?.map(ChecksumHasher::new),
    };
    let uploads = &state.uploads;
    let upload = uploads
        .append(&caller.user_id, id, piece, body.into_data_stream())
        .await?;
    Ok((StatusCode::NO_CONTENT, position(&upload)))
}
