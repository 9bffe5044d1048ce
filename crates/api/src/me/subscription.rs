//! `GET /api/v1/me/subscription`: the caller's plan, its features, and the pending plan request.

use axum::extract::State;
use jiff::Timestamp;
use serde::Serialize;
use slovo_app::auth::Caller;
use slovo_app::http::{Document, Json, Problem};
use slovo_app::state::AppState;
use slovo_db::plans::{self, ledger, trials};
use slovo_export::Format;
use slovo_platform::clock::from_ms;
use slovo_rules::plan::{PlanFeature, export_needs};
use utoipa::ToSchema;

use super::minutes::Minutes;
use super::plan_request::RequestBody;
use crate::plans::PlanBody;

/// The caller's plan and its features.
#[derive(Serialize, ToSchema)]
pub(super) struct Subscription {
    /// Null without a plan.
    #[schema(required)]
    plan: Option<PlanBody>,
    /// When the trial of the plan ends; null if it is not on trial.
    #[schema(value_type = Option<String>, format = DateTime, required)]
    trial_ends_at: Option<Timestamp>,
    /// The available features, with or without a plan.
    features: Vec<PlanFeature>,
    /// The formats available for export, by their API names.
    export_formats: Vec<&'static str>,
    /// The minutes of the current month.
    minutes: Minutes,
    /// The newest plan request that was not withdrawn; null without one.
    #[schema(required)]
    request: Option<RequestBody>,
}

/// Returns the caller's plan, minutes and plan request.
#[utoipa::path(get, path = "/me/subscription", tag = "me", operation_id = "get_subscription",
    responses(
        (status = OK, body = Subscription),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
    ))]
pub(super) async fn get(
    State(state): State<AppState>,
    caller: Caller,
) -> Result<Json<Subscription>, Problem> {
    let mut connection = state.db.read().await?;
    let now = state.clock.now_ms();
    let balance = ledger::read_balance(&mut connection, &caller.user_id, now).await?;
    let request = plans::requests::of_user(&mut connection, &caller.user_id).await?;
    let trial = trials::ends_at(&mut connection, &caller.user_id).await?;
    let formats = Format::ALL.into_iter().map(Format::name);
    let is_available = |name: &&str| export_needs(name).is_none_or(|feature| balance.has(feature));
    let export_formats = formats.filter(is_available).collect();
    Ok(Json(Subscription {
        export_formats,
        minutes: Minutes::from(&balance),
        plan: balance.plan.map(Into::into),
        trial_ends_at: trial.map(from_ms),
        features: balance.features,
        request: request.map(Into::into),
    }))
}
