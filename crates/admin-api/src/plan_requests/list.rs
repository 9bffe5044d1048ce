//! `GET /api/v1/admin/plan-requests`: all plan requests.

use axum::extract::State;
use serde::Serialize;
use slovo_app::auth::Administrator;
use slovo_app::http::{Document, Json, Problem};
use slovo_app::state::AppState;
use slovo_db::plans;
use utoipa::ToSchema;

use super::RequestBody;

/// Maximum number of results; open requests come first, so that none is missed.
const MAX_PAGE_SIZE: u32 = 100;

/// Plan requests.
#[derive(Serialize, ToSchema)]
#[schema(as = ManagedPlanRequestList)]
pub(super) struct List {
    /// Open requests, the oldest first; then decided ones, the newest first. At most 100.
    requests: Vec<RequestBody>,
}

/// Lists plan requests.
#[utoipa::path(get, path = "/admin/plan-requests", tag = "admin",
    operation_id = "list_plan_requests",
    responses(
        (status = OK, body = List),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
        (status = FORBIDDEN, body = Document, description = "forbidden"),
    ))]
pub(super) async fn list(
    State(state): State<AppState>,
    _administrator: Administrator,
) -> Result<Json<List>, Problem> {
    let mut connection = state.db.read().await?;
    let requests = plans::requests::list(&mut connection, MAX_PAGE_SIZE).await?;
    Ok(Json(List {
        requests: requests.into_iter().map(Into::into).collect(),
    }))
}
