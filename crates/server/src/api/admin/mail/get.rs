//! `GET /api/v1/admin/mail`: how the server sends mail.

use axum::extract::State;

use super::View;
use crate::auth::Administrator;
use crate::http::{Document, Json};
use crate::state::AppState;

/// Returns how email is sent from this server.
#[utoipa::path(get, path = "/admin/mail", tag = "admin", operation_id = "get_mail_way",
    responses(
        (status = OK, body = View),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
        (status = FORBIDDEN, body = Document, description = "forbidden"),
    ))]
pub(super) async fn get(
    State(state): State<AppState>,
    _administrator: Administrator,
) -> Json<View> {
    Json(View::of(&state))
}
