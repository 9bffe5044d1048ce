//! `GET` and `PUT /api/v1/admin/demo-plan`: limits for accounts without a plan.

use axum::extract::State;
use serde_json::json;
use slovo_accounts::audit::Change;
use slovo_app::auth::Administrator;
use slovo_app::http::{Document, Json, Problem};
use slovo_app::state::AppState;
use slovo_db::plans::ledger::{self, DEMO};
use slovo_db::site::server_settings;
use slovo_rules::plan::{DemoPlan, validate_demo};

use super::Error;

/// Returns what applies without a plan: minutes, maximum duration and features.
#[utoipa::path(get, path = "/admin/demo-plan", tag = "admin", operation_id = "get_demo_plan",
    responses(
        (status = OK, body = DemoPlan),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
        (status = FORBIDDEN, body = Document, description = "forbidden"),
    ))]
pub(super) async fn get(
    State(state): State<AppState>,
    _administrator: Administrator,
) -> Result<Json<DemoPlan>, Problem> {
    Ok(Json(ledger::demo(&mut *state.db.read().await?).await?))
}

/// Sets what applies without a plan, immediately for everyone who has none.
#[utoipa::path(put, path = "/admin/demo-plan", tag = "admin", operation_id = "set_demo_plan",
    request_body = DemoPlan,
    responses(
        (status = OK, body = DemoPlan),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
        (status = FORBIDDEN, body = Document, description = "forbidden"),
        (status = UNPROCESSABLE_ENTITY, body = Document, description = "validation_failed"),
    ))]
pub(super) async fn set(
    State(state): State<AppState>,
    Administrator(caller): Administrator,
    Json(form): Json<DemoPlan>,
) -> Result<Json<DemoPlan>, Error> {
    let form = validate_demo(&form).map_err(Error::Invalid)?;
    let mut transaction = state.db.write().await?;
    let before = ledger::demo(&mut transaction).await?;
    if before == *form {
        return Ok(Json(before));
    }
    server_settings::set(&mut transaction, DEMO, &*form, state.clock.now_ms()).await?;
    let change = Change {
        action: "plan.demo",
        kind: "plan",
        id: DEMO,
        name: "",
        before: json!(before),
        after: json!(*form),
    };
    state
        .audit()
        .record(&mut transaction, &caller, change)
        .await?;
    transaction.commit().await?;
    Ok(Json(form.into_inner()))
}
