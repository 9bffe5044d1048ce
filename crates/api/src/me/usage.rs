//! `GET /api/v1/me/usage` and `/me/usage-history`: what the caller's minutes were used for.
#![expect(
    unused_qualifications,
    reason = "utoipa's macro repeats the type's path"
)]

use std::sync::Arc;

use axum::extract::State;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use slovo_app::auth::Caller;
use slovo_app::http::{Document, Json, Problem, Query};
use slovo_app::state::AppState;
use slovo_db::Connection;
use slovo_db::plans::ledger::{self, Entry};
use slovo_platform::clock::from_ms;
use slovo_rules::limits::USAGE_HISTORY_ROWS;
use slovo_rules::minutes::UsageChange;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

/// Largest page size.
const MAX_PAGE_SIZE: u32 = 100;
/// Largest offset from UTC, in minutes.
const MAX_OFFSET: i64 = 14 * 60;

/// Minutes used on one day.
#[derive(Serialize, ToSchema)]
#[schema(as = UsageDay)]
struct Day {
    /// `YYYY-MM-DD`, in the reader's time zone.
    date: String,
    /// Minutes used, minus those refunded on that day; may be negative.
    minutes: f64,
    /// Number of jobs that used minutes.
    jobs: i64,
}

/// Minutes used by day.
#[derive(Serialize, ToSchema)]
#[schema(as = UsageByDay)]
pub(super) struct Days {
    /// Each day up to today, including days without usage.
    days: Vec<Day>,
}

/// The number of days, and the reader's time zone.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct QueryParams {
    /// 1 to 366 days up to today; 30 if absent.
    days: Option<u32>,
    /// Minutes by which the reader's clock is ahead of UTC, -840 to 840; 0 if absent.
    offset: Option<i64>,
}

/// Returns the minutes the caller's jobs used, by day.
#[utoipa::path(get, path = "/me/usage", tag = "me", operation_id = "get_usage_by_day",
    params(QueryParams),
    responses(
        (status = OK, body = Days),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
    ))]
pub(super) async fn by_day(
    State(state): State<AppState>,
    caller: Caller,
    Query(query): Query<QueryParams>,
) -> Result<Json<Days>, Problem> {
    const DAY_MS: i64 = 24 * 3600 * 1000;
    let days = i64::from(query.days.unwrap_or(30).clamp(1, 366));
    let offset = query.offset.unwrap_or(0).clamp(-MAX_OFFSET, MAX_OFFSET);
    let ahead = SignedDuration::from_mins(offset).as_millis();
    let ahead = i64::try_from(ahead).unwrap_or(0);
    // The reader's midnight, treated as if it were in UTC.
    let today = (state.clock.now_ms() + ahead).div_euclid(DAY_MS) * DAY_MS;
    let first = today - (days - 1) * DAY_MS;
    let mut connection = state.db.read().await?;
    let changes = ledger::count_changes(&mut connection, &caller.user_id).await?;
    drop(connection);
    let from = first - ahead;
    let found = async || {
        let mut connection = state.db.read().await?;
        let used = ledger::by_day(&mut connection, &caller.user_id, from).await?;
        Ok::<_, slovo_db::Error>((changes, Arc::from(used)))
    };
    // Entries are never changed: with the same number of entries, the cached days are still valid.
    let is_current = |(known, _): &(i64, _)| *known == changes;
    let question = (caller.user_id.clone(), from);
    let (_, used) = state.usage.get(question, is_current, found).await?;
    let of_day = |day: i64| {
        let used = used.iter().find(|used| used.day == day);
        Day {
            date: from_ms(first + day * DAY_MS)
                .strftime("%Y-%m-%d")
                .to_string(),
            minutes: used.map_or(0.0, |used| used.minutes),
            jobs: used.map_or(0, |used| used.jobs),
        }
    };
    Ok(Json(Days {
        days: (0..days).map(of_day).collect(),
    }))
}

/// A change of the remaining minutes; what a run of a job used and got refunded is one change.
#[derive(Serialize, ToSchema)]
#[schema(as = UsageEntry)]
struct EntryBody {
    /// Counted from 1.
    id: i64,
    change_type: UsageChange,
    /// Change of the remaining minutes.
    change_amount_minutes: f64,
    /// The file name, the administrator's reason, or the plan's name; may be empty.
    description: String,
    /// The job, which may have been deleted; null if it does not concern a job.
    #[schema(required)]
    my_job_id: Option<Uuid>,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
}

/// The reader of the history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reader {
    /// The user, without the names of jobs that are hidden from them.
    Owner,
    /// An administrator.
    Administrator,
}

impl From<Entry> for EntryBody {
    fn from(entry: Entry) -> Self {
        Self {
            id: entry.number,
            change_type: entry.kind,
            change_amount_minutes: entry.minutes,
            description: entry.description,
            my_job_id: entry.job_id,
            created_at: from_ms(entry.created_at),
        }
    }
}

/// A page of changes.
#[derive(Serialize, ToSchema)]
#[schema(as = UsageHistoryPage)]
pub struct Page {
    /// The newest first.
    items: Vec<EntryBody>,
    /// Value of `before` for the next page; null on the last page.
    #[schema(required)]
    next_before: Option<i64>,
}

/// The requested page.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct UsagePageParams {
    /// 1 to 100; 20 if absent.
    limit: Option<u32>,
    /// The `next_before` of the previous page.
    before: Option<i64>,
}

/// Lists the changes to the caller's minutes.
#[utoipa::path(get, path = "/me/usage-history", tag = "me", operation_id = "list_usage_history",
    params(UsagePageParams),
    responses(
        (status = OK, body = Page),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
    ))]
pub(super) async fn history(
    State(state): State<AppState>,
    caller: Caller,
    Query(query): Query<UsagePageParams>,
) -> Result<Json<Page>, Problem> {
    let mut connection = state.db.read().await?;
    let reader = Reader::Owner;
    let page = page(&mut connection, &caller.user_id, reader, &query).await?;
    Ok(Json(page))
}

/// A page of a user's history of minutes.
///
/// # Errors
/// When the database fails.
pub async fn page(
    connection: &mut Connection,
    user_id: &str,
    reader: Reader,
    query: &UsagePageParams,
) -> slovo_db::Result<Page> {
    let limit = query
        .limit
        .unwrap_or(USAGE_HISTORY_ROWS)
        .clamp(1, MAX_PAGE_SIZE);
    let mut entries = ledger::by_run(connection, user_id, query.before, limit + 1).await?;
    let more = entries.len() > limit as usize;
    entries.truncate(limit as usize);
    for entry in &mut entries {
        if entry.is_hidden && reader == Reader::Owner {
            entry.description.clear();
            entry.job_id = None;
        }
    }
    Ok(Page {
        next_before: entries.last().filter(|_| more).map(|last| last.number),
        items: entries.into_iter().map(Into::into).collect(),
    })
}
