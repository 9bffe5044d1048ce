//! `/api/v1/me/avatar`: the caller's picture.

use axum::body::Bytes;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;

use crate::auth::Caller;
use crate::auth::session::User;
use crate::http::{Document, Json, Problem};
use crate::state::AppState;

/// The caller's avatar, 400 by 400 pixels.
#[utoipa::path(get, path = "/me/avatar", tag = "me", operation_id = "get_avatar",
    responses(
        (status = OK, content_type = "image/webp", body = [u8]),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
        (status = NOT_FOUND, body = Document, description = "not_found: there is none"),
    ))]
pub(super) async fn get(
    State(_state): State<AppState>,
    _caller: Caller,
) -> Result<Response, Problem> {
    Err(Problem::new(
        axum::http::StatusCode::NOT_IMPLEMENTED,
        "not_implemented",
    ))
}

/// Replaces the avatar: a png, jpeg or webp image of at most 2 MB, drawn anew as 400 by 400 pixels.
#[utoipa::path(put, path = "/me/avatar", tag = "me", operation_id = "set_avatar",
    request_body(content = [u8], content_type = "application/octet-stream"),
    responses(
        (status = OK, body = User),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
        (status = UNPROCESSABLE_ENTITY, body = Document, description = "validation_failed, avatar_unreadable"),
    ))]
pub(super) async fn set(
    State(_state): State<AppState>,
    _caller: Caller,
    _image: Bytes,
) -> Result<Json<User>, Problem> {
    Err(Problem::new(
        axum::http::StatusCode::NOT_IMPLEMENTED,
        "not_implemented",
    ))
}

/// Removes the avatar.
#[utoipa::path(delete, path = "/me/avatar", tag = "me", operation_id = "remove_avatar",
    responses(
        (status = NO_CONTENT),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
    ))]
pub(super) async fn remove(
    State(_state): State<AppState>,
    _caller: Caller,
) -> Result<StatusCode, Problem> {
    Err(Problem::new(
        axum::http::StatusCode::NOT_IMPLEMENTED,
        "not_implemented",
    ))
}
