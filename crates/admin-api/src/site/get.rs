//! `GET /api/v1/admin/site`: the server's data on the public pages.

use axum::extract::State;
use slovo_app::auth::Administrator;
use slovo_app::http::{Document, Json, Problem};
use slovo_app::state::AppState;
use slovo_server_settings::read_site;

use super::View;

/// Returns what the public pages say about this server, and what is missing.
#[utoipa::path(get, path = "/admin/site", tag = "admin", operation_id = "get_site",
    responses(
        (status = OK, body = View),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
        (status = FORBIDDEN, body = Document, description = "forbidden"),
    ))]
pub(super) async fn get(
    State(state): State<AppState>,
    _administrator: Administrator,
) -> Result<Json<View>, Problem> {
    // Read from the database, not from this process's cache: the result fills a form.
    let settings = read_site(&mut *state.db.read().await?).await?;
    Ok(Json(View::of(&state, settings).await?))
}
