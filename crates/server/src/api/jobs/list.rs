//! `GET /api/v1/jobs`: the caller's jobs, the newest first.
#![expect(
    unused_qualifications,
    reason = "utoipa's macro repeats the type's path"
)]

use axum::extract::State;
use axum::http::StatusCode;
use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};
use slovo_db::jobs::{self, Filter, Job};
use slovo_rules::job::JobStatus;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::JobBody;
use crate::auth::Caller;
use crate::http::{Document, Json, Problem, Query};
use crate::state::AppState;

/// Jobs on a page unless asked otherwise.
const USUAL: u32 = 20;
/// The most on a page.
const MOST: u32 = 100;
/// The longest searched text, in characters: no name is longer.
const LONGEST_SEARCH: usize = 255;

/// What is asked for.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct Asked {
    /// Only jobs in this state; `error` also finds `failed`. `all` or nothing: every state.
    status: Option<String>,
    /// Only jobs whose file name holds this text, in any case.
    q: Option<String>,
    /// 1 to 100, 20 unless given.
    limit: Option<u32>,
    /// The `next_cursor` of the page before.
    cursor: Option<String>,
}

/// A page of jobs.
#[derive(Serialize, ToSchema)]
pub(super) struct JobPage {
    /// The newest first.
    items: Vec<JobBody>,
    /// Where the next page begins; null at the end.
    next_cursor: Option<String>,
}

/// Lists the caller's jobs.
#[utoipa::path(get, path = "/jobs", tag = "jobs", operation_id = "list_jobs", params(Asked),
    responses(
        (status = OK, body = JobPage),
        (status = BAD_REQUEST, body = Document, description = "malformed_query"),
    ))]
pub(super) async fn list(
    State(state): State<AppState>,
    caller: Caller,
    Query(asked): Query<Asked>,
) -> Result<Json<JobPage>, Problem> {
    let malformed =
        |detail: &str| Problem::new(StatusCode::BAD_REQUEST, "malformed_query").detail(detail);
    let statuses = match asked.status.as_deref() {
        None | Some("" | "all") => Vec::new(),
        Some(name) => JobStatus::parse(name)
            .ok_or_else(|| malformed("status is no state of a job"))?
            .filter()
            .to_vec(),
    };
    let after = match asked.cursor.as_deref() {
        None | Some("") => None,
        Some(cursor) => Some(position(cursor).ok_or_else(|| malformed("cursor is none of ours"))?),
    };
    let limit = asked.limit.unwrap_or(USUAL).clamp(1, MOST);
    let name = asked
        .q
        .unwrap_or_default()
        .trim()
        .chars()
        // No name has one, and PostgreSQL takes no text with a NUL.
        .filter(|c| !c.is_control())
        .take(LONGEST_SEARCH)
        .collect();
    let filter = Filter {
        statuses,
        name,
        after,
        limit: limit + 1,
    };
    let mut found = jobs::list(&mut *state.db.read().await?, &caller.user_id, &filter).await?;
    // One more than asked for tells whether there is another page.
    let more = found.len() > limit as usize;
    found.truncate(limit as usize);
    let next_cursor = found.last().filter(|_| more).map(cursor);
    Ok(Json(JobPage {
        items: found.into_iter().map(JobBody::from).collect(),
        next_cursor,
    }))
}

fn cursor(last: &Job) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(format!("{} {}", last.created_at, last.id))
}

fn position(cursor: &str) -> Option<(i64, Uuid)> {
    let text = String::from_utf8(BASE64_URL_SAFE_NO_PAD.decode(cursor).ok()?).ok()?;
    let (created_at, id) = text.split_once(' ')?;
    Some((created_at.parse().ok()?, id.parse().ok()?))
}
