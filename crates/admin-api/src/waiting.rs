//! `GET /api/v1/admin/waiting`: the number of items that need an administrator.

use axum::extract::State;
use serde::Serialize;
use slovo_app::auth::Administrator;
use slovo_app::http::{Document, Json, Problem};
use slovo_app::state::AppState;
use slovo_db::plans;
use slovo_db::site::contact;
use utoipa::ToSchema;

/// Numbers of items that need an administrator.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AdminWaiting)]
pub(super) struct Body {
    /// Contact form messages that are not marked as handled.
    contact_messages: i64,
    /// Open plan requests.
    plan_requests: i64,
}

/// Returns how much is waiting for an administrator.
#[utoipa::path(get, path = "/admin/waiting", tag = "admin", operation_id = "get_admin_waiting",
    responses(
        (status = OK, body = Body),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
        (status = FORBIDDEN, body = Document, description = "forbidden"),
    ))]
pub(super) async fn get(
    State(state): State<AppState>,
    _administrator: Administrator,
) -> Result<Json<Body>, Problem> {
    let mut connection = state.db.read().await?;
    Ok(Json(Body {
        contact_messages: contact::count(&mut connection).await?.open,
        plan_requests: plans::requests::count_open(&mut connection).await?,
    }))
}
