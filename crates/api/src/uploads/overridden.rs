//! `POST /api/v1/uploads/{id}` with `X-HTTP-Method-Override`: PATCH and DELETE for clients whose
//! proxies block these methods (part of the tus core protocol).

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use slovo_app::auth::Caller;
use slovo_app::http::{Document, Path, Problem};
use slovo_app::state::AppState;
use uuid::Uuid;

use super::{Error, patch, tus};

/// Does what PATCH or DELETE would do.
#[utoipa::path(post, path = "/uploads/{id}", tag = "uploads", operation_id = "upload_override",
    request_body(content_type = "application/offset+octet-stream"),
    params(
        ("id" = String, Path, description = "Upload id"),
        ("X-HTTP-Method-Override" = String, Header, description = "PATCH or DELETE"),
    ),
    responses(
        (status = NO_CONTENT),
        (status = METHOD_NOT_ALLOWED, body = Document, description = "method_not_allowed"),
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
            let problem = Problem::new(StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed");
            Err(Error::Internal(problem))
        }
    }
}
