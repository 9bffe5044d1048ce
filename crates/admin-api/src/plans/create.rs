//! `POST /api/v1/admin/plans`: creates a plan.

use axum::extract::State;
use axum::http::StatusCode;
use serde_json::{Value, json};
use slovo_accounts::audit::Change;
use slovo_app::auth::Administrator;
use slovo_app::http::{Document, Json, Problem};
use slovo_app::state::AppState;
use slovo_db::plans;
use slovo_rules::plan::{PlanForm, validate};

use super::{Error, ManagedPlan};

/// Creates a plan.
#[utoipa::path(post, path = "/admin/plans", tag = "admin", operation_id = "create_plan",
    request_body = PlanForm,
    responses(
        (status = CREATED, body = ManagedPlan),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
        (status = FORBIDDEN, body = Document, description = "forbidden"),
        (status = CONFLICT, body = Document, description = "plan_raced: another one was made at \
            the same moment"),
        (status = UNPROCESSABLE_ENTITY, body = Document, description = "validation_failed"),
    ))]
pub(super) async fn create(
    State(state): State<AppState>,
    Administrator(caller): Administrator,
    Json(form): Json<PlanForm>,
) -> Result<(StatusCode, Json<ManagedPlan>), Error> {
    let form = validate(&form).map_err(Error::Invalid)?;
    let id = state.new_id().parse().map_err(Problem::internal)?;
    let mut transaction = state.db.write().await?;
    match plans::insert(&mut transaction, id, &form, state.clock.now_ms()).await {
        Err(error) if error.constraint() == Some("synced_subscriptions_subscription_id_key") => {
            return Err(Error::Raced);
        }
        other => other?,
    }
    let created = plans::get(&mut transaction, id).await?;
    let created = created.ok_or(Error::NotFound)?;
    let change = Change {
        action: "plan.create",
        kind: "plan",
        id: &id.to_string(),
        name: &form.name,
        before: Value::Null,
        after: json!(&*form),
    };
    state
        .audit()
        .record(&mut transaction, &caller, change)
        .await?;
    transaction.commit().await?;
    Ok((StatusCode::CREATED, Json(created.into())))
}
