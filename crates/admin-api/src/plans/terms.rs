//! `GET` and `PUT /api/v1/admin/plan-terms`: the trial for new accounts, and the refund period. The
//! public pages state these terms.

use axum::extract::State;
use serde::Serialize;
use serde_json::{Value, json};
use slovo_accounts::audit::Change;
use slovo_accounts::plans::edition::{Edition, edition};
use slovo_accounts::plans::terms::{self, PlanTerms};
use slovo_app::auth::Administrator;
use slovo_app::http::{Document, Json, Problem};
use slovo_app::state::AppState;
use slovo_db::{Connection, plans};
use slovo_rules::plan::validate_days;
use slovo_rules::violation::{Code, Violation, Violations};
use utoipa::ToSchema;

use super::Error;

/// The terms, and whether they apply.
#[derive(Serialize, ToSchema)]
pub(super) struct PlanTermsInForce {
    #[serde(flatten)]
    terms: PlanTerms,
    /// False on an organisation's server, which sells nothing.
    in_force: bool,
}

/// Returns the trial and refund terms.
#[utoipa::path(get, path = "/admin/plan-terms", tag = "admin", operation_id = "get_plan_terms",
    responses(
        (status = OK, body = PlanTermsInForce),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
        (status = FORBIDDEN, body = Document, description = "forbidden"),
    ))]
pub(super) async fn get(
    State(state): State<AppState>,
    _administrator: Administrator,
) -> Result<Json<PlanTermsInForce>, Problem> {
    let mut connection = state.db.read().await?;
    let in_force = edition(state.config.edition, &mut connection).await? == Edition::Service;
    let terms = terms::terms(&mut connection).await?;
    Ok(Json(PlanTermsInForce { terms, in_force }))
}

/// Sets the trial and refund terms, for new accounts and the public pages.
#[utoipa::path(put, path = "/admin/plan-terms", tag = "admin", operation_id = "set_plan_terms",
    request_body = PlanTerms,
    responses(
        (status = OK, body = PlanTermsInForce),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
        (status = FORBIDDEN, body = Document, description = "forbidden"),
        (status = UNPROCESSABLE_ENTITY, body = Document, description = "validation_failed"),
    ))]
pub(super) async fn set(
    State(state): State<AppState>,
    Administrator(caller): Administrator,
    Json(terms): Json<PlanTerms>,
) -> Result<Json<PlanTermsInForce>, Error> {
    let mut violations = validate_days("trial_days", terms.trial_days);
    violations.extend(validate_days("refund_days", terms.refund_days));
    let mut transaction = state.db.write().await?;
    if let Some(id) = terms.trial_plan
        && plans::get(&mut transaction, id).await?.is_none()
    {
        violations.push(Violation::new("trial_plan", Code::IdInvalid));
    }
    if !violations.is_empty() {
        return Err(Error::Invalid(Violations(violations)));
    }
    let in_force = edition(state.config.edition, &mut transaction).await? == Edition::Service;
    let before = terms::terms(&mut transaction).await?;
    if before != terms {
        let now = state.clock.now_ms();
        terms::set_terms(&mut transaction, &terms, now).await?;
        let (old, new) = (
            audit_details(&mut transaction, &before).await?,
            audit_details(&mut transaction, &terms).await?,
        );
        let change = Change {
            action: "plan.terms",
            kind: "plan",
            id: "terms",
            name: "",
            before: old,
            after: new,
        };
        state
            .audit()
            .record(&mut transaction, &caller, change)
            .await?;
        transaction.commit().await?;
    }
    Ok(Json(PlanTermsInForce { terms, in_force }))
}

/// The terms for the audit log: with the plan's name instead of its id.
async fn audit_details(connection: &mut Connection, terms: &PlanTerms) -> slovo_db::Result<Value> {
    let plan = match terms.trial_plan {
        Some(id) => plans::get(connection, id).await?,
        None => None,
    };
    Ok(json!({
        "trial_plan": plan.map(|plan| plan.form.name),
        "trial_days": terms.trial_days,
        "refund_days": terms.refund_days,
    }))
}
