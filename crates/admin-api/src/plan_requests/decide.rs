//! `POST /api/v1/admin/plan-requests/{id}/decision`: approves or declines a plan request.

use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;
use serde_json::json;
use slovo_accounts::audit::Change;
use slovo_app::auth::Administrator;
use slovo_app::http::{Document, Json, Path, Problem};
use slovo_app::state::AppState;
use slovo_db::plans::mails::{NewMail, PlanMessage};
use slovo_db::plans::{self, ledger};
use slovo_rules::codes::ProblemCode;
use slovo_rules::plan::{RequestStatus, validate_request_message};
use utoipa::ToSchema;
use uuid::Uuid;

use super::RequestBody;

/// The decision.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = PlanDecisionForm)]
pub(super) struct Form {
    /// Whether the request is approved; if so, the user gets the plan immediately.
    approve: bool,
    /// Message to the user, at most 1,000 characters.
    #[serde(default)]
    answer: String,
}

/// Approves a plan request, which changes the user's plan immediately, or declines it. The user is
/// notified by email.
#[utoipa::path(post, path = "/admin/plan-requests/{id}/decision", tag = "admin",
    operation_id = "decide_plan_request",
    params(("id" = Uuid, Path, description = "Request id")), request_body = Form,
    responses(
        (status = OK, body = RequestBody),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
        (status = FORBIDDEN, body = Document, description = "forbidden"),
        (status = NOT_FOUND, body = Document, description = "not_found"),
        (status = CONFLICT, body = Document, description = "plan_request_ended: it was decided or \
            taken back"),
        (status = UNPROCESSABLE_ENTITY, body = Document, description = "validation_failed"),
    ))]
pub(super) async fn decide(
    State(state): State<AppState>,
    Administrator(caller): Administrator,
    Path(id): Path<Uuid>,
    Json(form): Json<Form>,
) -> Result<Json<RequestBody>, Problem> {
    let answer = validate_request_message(&form.answer)?;
    let (status, action) = if form.approve {
        (RequestStatus::Approved, "plan_request.approve")
    } else {
        (RequestStatus::Declined, "plan_request.decline")
    };
    let now = state.clock.now_ms();
    let mut transaction = state.db.write().await?;
    let request = plans::requests::get(&mut transaction, id).await?;
    let request = request.ok_or_else(Problem::not_found)?;
    if !plans::requests::end(&mut transaction, id, status, &answer, now).await? {
        return Err(Problem::new(
            StatusCode::CONFLICT,
            ProblemCode::PlanRequestEnded,
        ));
    }
    let mut granted = request.present_plan.clone();
    if form.approve {
        let plan = plans::get(&mut transaction, request.plan_id).await?;
        let plan = plan.ok_or_else(Problem::not_found)?;
        ledger::change_plan(&mut transaction, &request.user_id, Some(&plan), now).await?;
        granted = Some(plan.form.name);
    }
    let decision = if form.approve {
        PlanMessage::Approved(answer.clone())
    } else {
        PlanMessage::Declined(answer.clone())
    };
    let mail = NewMail {
        id: state.new_id().parse().map_err(Problem::internal)?,
        user_id: &request.user_id,
        plan_name: &request.plan_name,
        message: &decision,
        mail_after: now,
        now,
    };
    plans::mails::insert(&mut transaction, &mail).await?;
    let change = Change {
        action,
        kind: "plan_request",
        id: &id.to_string(),
        name: &request.email,
        before: json!({ "plan": request.present_plan }),
        after: json!({ "plan": granted, "wished": request.plan_name, "answer": answer }),
    };
    state
        .audit()
        .record(&mut transaction, &caller, change)
        .await
        .map_err(Problem::internal)?;
    let decided = plans::requests::get(&mut transaction, id).await?;
    transaction.commit().await?;
    let decided = decided.ok_or_else(Problem::not_found)?;
    Ok(Json(decided.into()))
}
