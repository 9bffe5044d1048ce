//! `GET /api/v1/jobs`: the caller's jobs, by default the newest first.
#![expect(
    unused_qualifications,
    reason = "utoipa's macro repeats the type's path"
)]

use axum::extract::State;
use axum::http::HeaderMap;
use serde::{Deserialize, Serialize};
use slovo_app::auth::Caller;
use slovo_app::http::cookies::readers_locale;
use slovo_app::http::list_query::{malformed, period, plain, statuses};
use slovo_app::http::{Document, Json, Problem, Query};
use slovo_app::samples;
use slovo_app::state::AppState;
use slovo_db::jobs::{self, Filter};
use slovo_rules::settings::TranscriptionType;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::JobBody;
use super::order::{cursor_after, order, place};

/// Default page size.
const DEFAULT_LIMIT: u32 = 20;
/// Largest page size.
const MAX_PAGE_SIZE: u32 = 100;

/// Filters, order and page of the list.
#[derive(Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct QueryParams {
    /// Only jobs in this state; `error` also includes `failed`. `all` or no value: every state.
    pub status: Option<String>,
    /// Only jobs whose title or file name contains this text, ignoring case.
    pub q: Option<String>,
    /// Only jobs in this mode of recognition, `full` or `lite`.
    pub mode: Option<String>,
    /// Only jobs in this language, as set or detected.
    pub language: Option<String>,
    /// Only jobs with this tag of the caller.
    pub tag: Option<Uuid>,
    /// Only jobs in this folder of the caller.
    pub folder: Option<Uuid>,
    /// Only jobs created at or after this time (RFC 3339). A date means its beginning in UTC.
    pub from: Option<String>,
    /// Only jobs created before this time (RFC 3339). A date means its end in UTC.
    pub to: Option<String>,
    /// `date`, `name`, `length` or `state`, or one of these with a leading `-` for the reverse
    /// order; the default is `-date`, the newest first. Names are sorted by the Ukrainian alphabet,
    /// then Latin letters, ignoring case, and numbers by their value. A job without a length counts
    /// as the shortest. States are in the order `pending`, `processing`, `completed`, `error` with
    /// `failed`, `cancelled`; within a state the newest is first.
    pub sort: Option<String>,
    /// 1 to 100; 20 if absent.
    pub limit: Option<u32>,
    /// The `next_cursor` of the previous page, for the same order.
    pub cursor: Option<String>,
}

/// A page of jobs.
#[derive(Serialize, ToSchema)]
pub struct JobPage {
    /// In the requested order.
    pub items: Vec<JobBody>,
    /// Cursor of the next page; null on the last page.
    pub next_cursor: Option<String>,
}

/// Lists the caller's jobs.
#[utoipa::path(get, path = "/jobs", tag = "jobs", operation_id = "list_jobs", params(QueryParams),
    responses(
        (status = OK, body = JobPage),
        (status = BAD_REQUEST, body = Document, description = "malformed_query"),
    ))]
pub(super) async fn list(
    State(state): State<AppState>,
    caller: Caller,
    headers: HeaderMap,
    Query(query): Query<QueryParams>,
) -> Result<Json<JobPage>, Problem> {
    samples::create_if_due(state.samples(), &caller.user_id, readers_locale(&headers)).await;
    Ok(Json(page(&state, &caller.user_id, &query).await?))
}

/// A page of a user's jobs.
///
/// # Errors
/// `malformed_query`.
pub async fn page(
    state: &AppState,
    user_id: &str,
    query: &QueryParams,
) -> Result<JobPage, Problem> {
    let statuses = statuses(query.status.as_deref())?;
    let order = order(query.sort.as_deref())?;
    let after = match query.cursor.as_deref() {
        None | Some("") => None,
        Some(cursor) => {
            let of_order = place(order, cursor);
            Some(of_order.ok_or_else(|| malformed("cursor is not valid in this order"))?)
        }
    };
    let mode = match query.mode.as_deref() {
        None | Some("" | "all") => None,
        Some(name) => Some(
            TranscriptionType::parse(name)
                .ok_or_else(|| malformed("mode is neither full nor lite"))?,
        ),
    };
    let (from, to) = period(query.from.as_deref(), query.to.as_deref())?;
    let limit = query.limit.unwrap_or(DEFAULT_LIMIT).clamp(1, MAX_PAGE_SIZE);
    let filter = Filter {
        statuses,
        name: plain(query.q.as_deref()),
        mode,
        language: plain(query.language.as_deref()),
        groups: query.tag.into_iter().chain(query.folder).collect(),
        from,
        until: to,
        order,
        after,
        limit: limit + 1,
    };
    let mut found = jobs::list(&mut *state.db.read().await?, user_id, &filter).await?;
    // One more than requested, to know whether there is another page.
    let more = found.len() > limit as usize;
    found.truncate(limit as usize);
    let last = found.last().filter(|_| more);
    let next_cursor = last.map(|last| cursor_after(order, &order.position(last)));
    let body = |job| JobBody::of(job, &state.condition);
    Ok(JobPage {
        items: found.into_iter().map(body).collect(),
        next_cursor,
    })
}
