//! `POST /api/v1/admin/nocodb/test`: tests the connection to the external database.

use axum::extract::State;
use slovo_app::auth::Administrator;
use slovo_app::http::{Document, Json, Problem};
use slovo_app::state::AppState;
use slovo_nocodb::ConnectionTest;

/// Tests the connection. A failed test is not an error of the request.
#[utoipa::path(post, path = "/admin/nocodb/test", tag = "admin", operation_id = "test_nocodb",
    responses(
        (status = OK, body = ConnectionTest),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
        (status = FORBIDDEN, body = Document, description = "forbidden"),
        (status = CONFLICT, body = Document, description = "nocodb_not_configured"),
    ))]
pub(super) async fn test(
    State(state): State<AppState>,
    _administrator: Administrator,
) -> Result<Json<ConnectionTest>, Problem> {
    let config = super::config(&state).await?;
    Ok(Json(slovo_nocodb::test(&state.nocodb(), &config).await?))
}
