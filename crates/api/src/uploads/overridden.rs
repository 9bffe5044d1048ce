//! `POST /api/v1/uploads/{id}` with `X-HTTP-Method-Override`: PATCH and DELETE for clients whose
//! proxies block these methods (part of the tus core protocol).

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use slovo_app::auth::Caller;
use slovo_app::http::{Document, Path, Problem};
use slovo_app::state::AppState;
use slovo_rules::codes::ProblemCode;
use uuid::Uuid;

use super::{Error, or_of_file, patch, tus};

/// Performs PATCH or DELETE, according to the header.
#[utoipa::path(post, path = "/uploads/{id}", tag = "uploads", operation_id = "upload_override",
    request_body(content_type = "application/offset+octet-stream"),
    params(
        ("id" = String, Path, description = "Upload id"),
        ("X-HTTP-Method-Override" = String, Header, description = "PATCH or DELETE"),
    ),
    responses(
        (status = NO_CONTENT),
        (status = METHOD_NOT_ALLOWED, body = Document, description = "method_not_allowed"),
        (status = BAD_REQUEST, body = Document, description = "tus_header_invalid"),
        (status = NOT_FOUND, body = Document, description = "not_found"),
        (status = CONFLICT, body = Document, description = "upload_offset_mismatch, \
            upload_length_mismatch"),
        (status = GONE, body = Document, description = "upload_expired"),
        (status = PRECONDITION_FAILED, body = Document, description = "tus_version"),
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
pub(super) async fn overridden(
    State(state): State<AppState>,
    caller: Caller,
    Path(id): Path<Uuid>,
    headers: HeaderMap,
    body: Body,
) -> Result<(StatusCode, HeaderMap), Error> {
    match headers
        .get(&tus::METHOD_OVERRIDE)
        .map(HeaderValue::as_bytes)
    {
        Some(b"PATCH") => patch::append(&state, &caller, id, &headers, body).await,
        Some(b"DELETE") => {
            tus::require_version(&headers)?;
            state.uploads.terminate(&caller.user_id, id).await?;
            Ok((StatusCode::NO_CONTENT, HeaderMap::new()))
        }
        _ => {
            let problem = Problem::new(
                StatusCode::METHOD_NOT_ALLOWED,
                ProblemCode::MethodNotAllowed,
            );
            Err(Error::Internal(problem))
        }
    }
}
