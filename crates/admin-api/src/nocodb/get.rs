//! `GET /api/v1/admin/nocodb`: the configuration of the external database.

use axum::extract::State;
use slovo_app::auth::Administrator;
use slovo_app::http::{Document, Json, Problem};
use slovo_app::state::AppState;
use slovo_db::nocodb;

use super::Body;

/// Returns the configuration of the external database.
#[utoipa::path(get, path = "/admin/nocodb", tag = "admin", operation_id = "get_nocodb",
    responses(
        (status = OK, body = Body),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
        (status = FORBIDDEN, body = Document, description = "forbidden"),
    ))]
pub(super) async fn get(
    State(state): State<AppState>,
    _administrator: Administrator,
) -> Result<Json<Body>, Problem> {
    let config = {
        let mut connection = state.db.read().await?;
        nocodb::config(&mut connection).await?
    };
    Ok(Json(Body::new(&state, config)))
}
