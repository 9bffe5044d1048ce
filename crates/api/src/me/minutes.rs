//! `GET /api/v1/me/minutes`: the minutes used this month.

use axum::extract::State;
use jiff::Timestamp;
use serde::Serialize;
use slovo_app::auth::Caller;
use slovo_app::http::{Document, Json, Problem};
use slovo_app::state::AppState;
use slovo_db::plans::ledger::{self, Balance};
use slovo_platform::clock::from_ms;
use slovo_rules::minutes as rules;
use utoipa::ToSchema;

/// A user's minutes, rounded to hundredths.
#[derive(Serialize, ToSchema)]
pub struct Minutes {
    /// Name of the user's plan; null without one.
    #[schema(required)]
    plan: Option<String>,
    /// Monthly minutes of the plan, or without a plan; null means unlimited.
    #[schema(required)]
    plan_limit: Option<f64>,
    /// Minutes of this month, including administrators' corrections; null means unlimited.
    #[schema(required)]
    limit: Option<f64>,
    /// Minutes of this month's jobs, including queued and running ones. Jobs that failed or were
    /// cancelled use none.
    used: f64,
    /// Minutes reserved for queued and running jobs; they are settled when the jobs end.
    reserved: f64,
    /// Minutes that administrators have added or subtracted for this month; they lapse at its end.
    bonus: f64,
    /// Minutes left this month; null means unlimited.
    #[schema(required)]
    left: Option<f64>,
    /// Longest recording in minutes; null means unlimited.
    #[schema(required)]
    max_file_duration: Option<f64>,
    /// When the next month begins.
    #[schema(value_type = String, format = DateTime)]
    reset_at: Timestamp,
}

impl From<&Balance> for Minutes {
    fn from(balance: &Balance) -> Self {
        let limit = balance.limit();
        Self {
            plan: balance.plan.as_ref().map(|plan| plan.form.name.clone()),
            plan_limit: balance.monthly_limit.map(rules::rounded),
            limit,
            used: rules::rounded(balance.used),
            reserved: rules::rounded(balance.reserved),
            bonus: rules::rounded(balance.bonus),
            left: limit.map(|limit| rules::remaining(limit, balance.used)),
            max_file_duration: balance.longest.map(rules::rounded),
            reset_at: from_ms(balance.reset_date),
        }
    }
}

/// Returns the caller's minutes this month.
#[utoipa::path(get, path = "/me/minutes", tag = "me", operation_id = "get_minutes",
    responses(
        (status = OK, body = Minutes),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
    ))]
pub(super) async fn minutes(
    State(state): State<AppState>,
    caller: Caller,
) -> Result<Json<Minutes>, Problem> {
    let mut connection = state.db.read().await?;
    let now = state.clock.now_ms();
    let balance = ledger::read_balance(&mut connection, &caller.user_id, now).await?;
    Ok(Json(Minutes::from(&balance)))
}
