//! `GET /api/v1/admin/mail`: how the server sends mail.

use axum::extract::State;
use slovo_app::auth::Administrator;
use slovo_app::http::{Document, Json};
use slovo_app::state::AppState;

use super::View;

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
