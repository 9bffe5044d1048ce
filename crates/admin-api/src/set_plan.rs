//! `PUT /api/v1/admin/users/{id}/plan`: sets or removes an account's plan.

use axum::extract::State;
use serde::Deserialize;
use serde_json::json;
use slovo_accounts::audit::Change;
use slovo_app::auth::Administrator;
use slovo_app::http::{Document, Json, Path};
use slovo_app::state::AppState;
use slovo_db::plans::{self, ledger};
use slovo_db::{accounts, nocodb};
use slovo_rules::nocodb::require_user_id;
use utoipa::ToSchema;
use uuid::Uuid;

use super::Error;
use super::list_users::ManagedUser;

/// The new plan.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = SetPlanForm)]
pub(super) struct Form {
    /// Id of the new plan; null removes the current one.
    #[schema(required)]
    #[serde(deserialize_with = "Option::deserialize")]
    plan_id: Option<Uuid>,
}

/// Gives an account a plan, or none. Minutes used this month are kept.
#[utoipa::path(put, path = "/admin/users/{id}/plan", tag = "admin", operation_id = "set_user_plan",
    params(("id" = Uuid, Path, description = "Account id")), request_body = Form,
    responses(
        (status = OK, body = ManagedUser),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
        (status = FORBIDDEN, body = Document, description = "forbidden"),
        (status = NOT_FOUND, body = Document, description = "not_found: no such account or plan"),
        (status = UNPROCESSABLE_ENTITY, body = Document,
            description = "validation_failed: unknown to the external database"),
    ))]
pub(super) async fn set(
    State(state): State<AppState>,
    Administrator(caller): Administrator,
    Path(id): Path<Uuid>,
    Json(form): Json<Form>,
) -> Result<Json<ManagedUser>, Error> {
    let id = id.to_string();
    let mut transaction = state.db.write().await?;
    let plan = match form.plan_id {
        None => None,
        Some(plan) => {
            let found = plans::get(&mut transaction, plan).await?;
            let configured = nocodb::configured(&mut transaction).await?;
            let external_id = nocodb::user_external_id(&mut transaction, &id).await?;
            require_user_id(configured, external_id.as_deref())?;
            Some(found.ok_or(Error::NotFound)?)
        }
    };
    let before = plans::of_user(&mut transaction, &id).await?;
    let now = state.clock.now_ms();
    if !ledger::change_plan(&mut transaction, &id, plan.as_ref(), now).await? {
        return Err(Error::NotFound);
    }
    let person = accounts::search::get(&mut transaction, &id).await?;
    let person = person.ok_or(Error::NotFound)?;
    let change = Change {
        action: "user.set_plan",
        kind: "user",
        id: &id,
        name: &person.account.email,
        before: json!({ "plan": before.map(|plan| plan.form.name) }),
        after: json!({ "plan": plan.map(|plan| plan.form.name) }),
    };
    state
        .audit()
        .record(&mut transaction, &caller, change)
        .await?;
    transaction.commit().await?;
    Ok(Json(person.into()))
}
