//! `GET /api/v1/admin/plans`: all plans.

use axum::extract::State;
use serde::Serialize;
use slovo_app::auth::Administrator;
use slovo_app::http::{Document, Json, Problem};
use slovo_app::state::AppState;
use slovo_db::plans;
use utoipa::ToSchema;

use super::ManagedPlan;

/// Plans.
#[derive(Serialize, ToSchema)]
#[schema(as = ManagedPlanList)]
pub(super) struct List {
    /// The newest first.
    plans: Vec<ManagedPlan>,
}

/// Lists all plans, including inactive ones.
#[utoipa::path(get, path = "/admin/plans", tag = "admin", operation_id = "list_managed_plans",
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
    let plans = plans::list(&mut connection).await?;
    Ok(Json(List {
        plans: plans.into_iter().map(Into::into).collect(),
    }))
}
