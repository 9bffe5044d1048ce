//! `GET /api/v1/me/minutes`: what the caller's recordings have taken this month.

use axum::extract::State;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};
use serde::Serialize;
use slovo_db::jobs;
use slovo_rules::job::JobStatus;
use slovo_rules::minutes as rules;
use utoipa::ToSchema;

use crate::auth::Caller;
use crate::http::{Document, Json, Problem};
use crate::state::AppState;

/// Minutes of recordings, in hundredths.
#[derive(Serialize, ToSchema)]
pub(super) struct Minutes {
    /// Name of the caller's plan; null while they have none.
    #[schema(required)]
    plan: Option<String>,
    /// Minutes of a month; null means without a limit.
    #[schema(required)]
    limit: Option<f64>,
    /// Minutes of this month's jobs, those that run or wait included. A job that was given up, by
    /// whomever, takes none.
    used: f64,
    /// Minutes left this month; null means without a limit.
    #[schema(required)]
    left: Option<f64>,
    /// When the next month begins, in UTC.
    #[schema(value_type = String, format = DateTime)]
    reset_at: Timestamp,
}

/// The minutes that the caller has used this calendar month (UTC).
#[utoipa::path(get, path = "/me/minutes", tag = "me", operation_id = "get_minutes",
    responses(
        (status = OK, body = Minutes),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
    ))]
pub(super) async fn minutes(
    State(state): State<AppState>,
    caller: Caller,
) -> Result<Json<Minutes>, Problem> {
    let (begin, end) = month(state.clock.now()).map_err(Problem::internal)?;
    let statuses: Vec<_> = JobStatus::ALL
        .iter()
        .copied()
        .filter(|status| status.takes_minutes())
        .collect();
    let mut connection = state.db.read().await?;
    let period = (begin.as_millisecond(), end.as_millisecond());
    let seconds = jobs::durations(&mut connection, &caller.user_id, period, &statuses).await?;
    let limit = None;
    let used = rules::of_durations(seconds);
    Ok(Json(Minutes {
        plan: None,
        limit,
        used,
        left: limit.map(|limit| rules::left(limit, used)),
        reset_at: end,
    }))
}

/// The first moments of this month and of the next one, in UTC.
fn month(now: Timestamp) -> Result<(Timestamp, Timestamp), jiff::Error> {
    let today = now.to_zoned(TimeZone::UTC);
    let begin = today.first_of_month()?.start_of_day()?;
    let end = begin.checked_add(1.month())?;
    Ok((begin.timestamp(), end.timestamp()))
}
