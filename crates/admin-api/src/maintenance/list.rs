//! `GET /api/v1/admin/backups`: how backups are made, and the last runs.

use axum::extract::State;
use slovo_app::auth::Administrator;
use slovo_app::http::{Document, Json, Problem};
use slovo_app::state::AppState;

use super::View;

/// Returns how backups are made, and the last runs.
#[utoipa::path(get, path = "/admin/backups", tag = "admin", operation_id = "list_backups",
    responses(
        (status = OK, body = View),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
        (status = FORBIDDEN, body = Document, description = "forbidden"),
    ))]
pub(super) async fn list(
    State(state): State<AppState>,
    _administrator: Administrator,
) -> Result<Json<View>, Problem> {
    Ok(Json(super::view(&state).await?))
}
