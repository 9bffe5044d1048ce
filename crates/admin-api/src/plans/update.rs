//! `PUT /api/v1/admin/plans/{id}`: changes a plan.

use axum::extract::State;
use serde_json::json;
use slovo_accounts::audit::Change;
use slovo_app::auth::Administrator;
use slovo_app::http::{Document, Json, Path};
use slovo_app::state::AppState;
use slovo_db::plans;
use slovo_rules::plan::{PlanForm, validate};
use uuid::Uuid;

use super::{Error, ManagedPlan};

/// Updates a plan. New limits apply to its users immediately, a new speed to their queued jobs.
#[utoipa::path(put, path = "/admin/plans/{id}", tag = "admin", operation_id = "update_plan",
    params(("id" = Uuid, Path, description = "Plan id")), request_body = PlanForm,
    responses(
        (status = OK, body = ManagedPlan),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
        (status = FORBIDDEN, body = Document, description = "forbidden"),
        (status = NOT_FOUND, body = Document, description = "not_found"),
        (status = UNPROCESSABLE_ENTITY, body = Document, description = "validation_failed"),
    ))]
pub(super) async fn update(
    State(state): State<AppState>,
    Administrator(caller): Administrator,
    Path(id): Path<Uuid>,
    Json(form): Json<PlanForm>,
) -> Result<Json<ManagedPlan>, Error> {
    let form = validate(&form).map_err(Error::Invalid)?;
    let mut transaction = state.db.write().await?;
    let before = plans::get(&mut transaction, id).await?;
    let before = before.ok_or(Error::NotFound)?;
    plans::update(&mut transaction, id, &form, state.clock.now_ms()).await?;
    let after = plans::get(&mut transaction, id).await?;
    let after = after.ok_or(Error::NotFound)?;
    let change = Change {
        action: "plan.update",
        kind: "plan",
        id: &id.to_string(),
        name: &form.name,
        before: json!(before.form),
        after: json!(after.form),
    };
    state
        .audit()
        .record(&mut transaction, &caller, change)
        .await?;
    transaction.commit().await?;
    Ok(Json(after.into()))
}
