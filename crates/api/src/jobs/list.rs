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
const USUAL: u32 = 20;
/// Largest page size.
const MAX_PAGE_SIZE: u32 = 100;

/// What is asked for.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct QueryParams {
    /// Only jobs in this state; `error` also finds `failed`. `all` or nothing: every state.
    status: Option<String>,
    /// Only jobs whose title or file name holds this text, in any case.
    q: Option<String>,
    /// Only jobs of this mode of recognition, `full` or `lite`.
    mode: Option<String>,
    /// Only jobs in this language, given or found.
    language: Option<String>,
    /// Only jobs with this tag of the caller's.
    tag: Option<Uuid>,
    /// Only jobs in this folder of the caller's.
    folder: Option<Uuid>,
    /// Only jobs made at this time or later: RFC 3339, a date is its beginning in UTC.
    from: Option<String>,
    /// Only jobs made until this time: RFC 3339, of a date its end in UTC, of a time exclusively.
    to: Option<String>,
    /// `date`, `name`, `length` or `state`, with `-` before it the other way; `-date`, the newest
    /// first, unless given. Names are in the order of the Ukrainian alphabet, then Latin letters, in
    /// any case, numbers by their value. What has no length yet counts as the shortest. States go from
    /// `pending`, `processing`, `completed` and `error` with `failed` to `cancelled`, those of one the
    /// newest first.
    sort: Option<String>,
    /// 1 to 100, 20 unless given.
    limit: Option<u32>,
    /// The `next_cursor` of the page before, in the same order.
    cursor: Option<String>,
}

/// A page of jobs.
#[derive(Serialize, ToSchema)]
pub(super) struct JobPage {
    /// In the order that was asked for.
    items: Vec<JobBody>,
    /// Where the next page begins; null at the end.
    next_cursor: Option<String>,
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
    let statuses = statuses(query.status.as_deref())?;
    let order = order(query.sort.as_deref())?;
    let after = match query.cursor.as_deref() {
        None | Some("") => None,
        Some(cursor) => {
            let of_order = place(order, cursor);
            Some(of_order.ok_or_else(|| malformed("cursor is none of ours in this order"))?)
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
    let limit = query.limit.unwrap_or(USUAL).clamp(1, MAX_PAGE_SIZE);
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
    samples::lay_due(state.samples(), &caller.user_id, readers_locale(&headers)).await;
    let mut found = jobs::list(&mut *state.db.read().await?, &caller.user_id, &filter).await?;
    // One more than requested, to know whether there is another page.
    let more = found.len() > limit as usize;
    found.truncate(limit as usize);
    let last = found.last().filter(|_| more);
    let next_cursor = last.map(|last| cursor_after(order, &order.place(last)));
    let body = |job| JobBody::of(job, &state.condition);
    Ok(Json(JobPage {
        items: found.into_iter().map(body).collect(),
        next_cursor,
    }))
}
