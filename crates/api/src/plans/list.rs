//! `GET /api/v1/plans`: the plans on offer.

use axum::extract::State;
use serde::Serialize;
use slovo_app::auth::Caller;
use slovo_app::http::{Document, Json, Problem};
use slovo_app::state::AppState;
use slovo_db::plans;
use utoipa::ToSchema;

use super::PlanBody;

/// Plans.
#[derive(Serialize, ToSchema)]
#[schema(as = PlanList)]
pub(super) struct List {
    /// The cheapest first.
    plans: Vec<PlanBody>,
}

/// Lists the plans users can request.
#[utoipa::path(get, path = "/plans", tag = "plans", operation_id = "list_plans",
    responses(
        (status = OK, body = List),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
    ))]
pub(super) async fn list(
    State(state): State<AppState>,
    _caller: Caller,
) -> Result<Json<List>, Problem> {
    let mut connection = state.db.read().await?;
    let mut plans = plans::list(&mut connection).await?;
    plans.retain(|plan| plan.form.is_active);
    plans.sort_by(|a, b| a.form.price.total_cmp(&b.form.price));
    Ok(Json(List {
        plans: plans.into_iter().map(Into::into).collect(),
    }))
}
