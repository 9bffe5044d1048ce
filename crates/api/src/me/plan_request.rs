//! `POST` and `DELETE /api/v1/me/plan-request`: requests another plan.

use axum::extract::State;
use axum::http::StatusCode;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use slovo_app::auth::Caller;
use slovo_app::http::{Document, Json, Problem};
use slovo_app::state::AppState;
use slovo_db::plans::requests::Request;
use slovo_db::plans::{self, trials};
use slovo_db::site::admin_notices::{self, NoticeTopic};
use slovo_platform::clock::from_ms;
use slovo_rules::codes::ProblemCode;
use slovo_rules::plan::{RequestStatus, validate_request_message};
use utoipa::ToSchema;
use uuid::Uuid;

/// A plan request.
#[derive(Serialize, ToSchema)]
#[schema(as = PlanRequest)]
pub(super) struct RequestBody {
    id: Uuid,
    plan_id: Uuid,
    /// Its current name.
    plan_name: String,
    /// The user's message.
    message: String,
    status: RequestStatus,
    /// The administrator's answer; may be empty.
    answer: String,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    /// When it was decided; null while it is open.
    #[schema(value_type = Option<String>, format = DateTime, required)]
    decided_at: Option<Timestamp>,
}

impl From<Request> for RequestBody {
    fn from(request: Request) -> Self {
        Self {
            id: request.id,
            plan_id: request.plan_id,
            plan_name: request.plan_name,
            message: request.message,
            status: request.status,
            answer: request.answer,
            created_at: from_ms(request.created_at),
            decided_at: request.decided_at.map(from_ms),
        }
    }
}

/// The requested plan.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = PlanRequestForm)]
pub(super) struct Form {
    plan_id: Uuid,
    /// Message to the administrator, at most 1,000 characters.
    #[serde(default)]
    message: String,
}

/// Requests another plan; administrators approve or decline it.
#[utoipa::path(post, path = "/me/plan-request", tag = "me", operation_id = "request_plan",
    request_body = Form,
    responses(
        (status = CREATED, body = RequestBody),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
        (status = NOT_FOUND, body = Document, description = "not_found: no active plan of this id"),
        (status = CONFLICT, body = Document, description = "plan_request_open, plan_held_already"),
        (status = UNPROCESSABLE_ENTITY, body = Document, description = "validation_failed"),
    ))]
pub(super) async fn create(
    State(state): State<AppState>,
    caller: Caller,
    Json(form): Json<Form>,
) -> Result<(StatusCode, Json<RequestBody>), Problem> {
    let message = validate_request_message(&form.message)?;
    let id = state.new_id().parse().map_err(Problem::internal)?;
    let conflict = |code| Problem::new(StatusCode::CONFLICT, code);
    let mut transaction = state.db.write().await?;
    let plan = plans::get(&mut transaction, form.plan_id).await?;
    let plan = plan.filter(|plan| plan.form.is_active);
    let plan = plan.ok_or_else(Problem::not_found)?;
    let current = plans::of_user(&mut transaction, &caller.user_id).await?;
    // A plan on trial may be requested, to keep it.
    let on_trial = trials::ends_at(&mut transaction, &caller.user_id).await?;
    if on_trial.is_none() && current.is_some_and(|current| current.id == plan.id) {
        return Err(conflict(ProblemCode::PlanHeldAlready));
    }
    let now = state.clock.now_ms();
    let user_id = &caller.user_id;
    let stored =
        plans::requests::insert(&mut transaction, id, user_id, plan.id, &message, now).await;
    match stored {
        Err(error) if error.constraint() == Some("plan_requests_user_id_key") => {
            return Err(conflict(ProblemCode::PlanRequestOpen));
        }
        other => other?,
    }
    admin_notices::insert(&mut transaction, NoticeTopic::PlanRequest, id, now).await?;
    let created = plans::requests::get(&mut transaction, id).await?;
    transaction.commit().await?;
    let created =
        created.ok_or_else(|| Problem::internal(anyhow::anyhow!("the new request is missing")))?;
    tracing::info!(by = %caller.user_id, plan = %plan.id, "another plan was requested");
    Ok((StatusCode::CREATED, Json(created.into())))
}

/// Withdraws the plan request.
#[utoipa::path(delete, path = "/me/plan-request", tag = "me", operation_id = "withdraw_plan_request",
    responses(
        (status = NO_CONTENT),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
        (status = NOT_FOUND, body = Document, description = "not_found: there is no open one"),
    ))]
pub(super) async fn withdraw(
    State(state): State<AppState>,
    caller: Caller,
) -> Result<StatusCode, Problem> {
    let now = state.clock.now_ms();
    let mut transaction = state.db.write().await?;
    let request = plans::requests::of_user(&mut transaction, &caller.user_id).await?;
    let request = request.ok_or_else(Problem::not_found)?;
    let status = RequestStatus::Withdrawn;
    if !plans::requests::end(&mut transaction, request.id, status, "", now).await? {
        return Err(Problem::not_found());
    }
    transaction.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}
