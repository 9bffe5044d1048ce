//! `GET /api/v1/admin/jobs`: the newest jobs of all users.
#![expect(
    unused_qualifications,
    reason = "utoipa's macro repeats the type's path"
)]

use axum::extract::State;
use serde::{Deserialize, Serialize};
use slovo_api::jobs::JobBody;
use slovo_api::jobs::get::OwnerBody;
use slovo_app::auth::Administrator;
use slovo_app::http::list_query::{period, plain, statuses};
use slovo_app::http::{Document, Json, Problem, Query};
use slovo_app::state::AppState;
use slovo_db::jobs::{self, AllJobsFilter, JobWithOwner};
use slovo_rules::limits::ADMIN_JOBS;
use slovo_work::condition::Condition;
use utoipa::{IntoParams, ToSchema};

/// A job and its owner.
#[derive(Serialize, ToSchema)]
#[schema(as = AdminJob)]
pub(super) struct Body {
    job: JobBody,
    /// Its owner; null if the account does not exist.
    #[schema(required)]
    owner: Option<OwnerBody>,
    /// Whether it is hidden from its owner.
    is_hidden: bool,
}

impl Body {
    fn of(owned: JobWithOwner, condition: &Condition) -> Self {
        Self {
            is_hidden: !owned.job.is_visible,
            job: JobBody::of(owned.job, condition),
            owner: owned.owner.map(OwnerBody::from),
        }
    }
}

/// Jobs of all users.
#[derive(Serialize, ToSchema)]
#[schema(as = AdminJobs)]
pub(super) struct List {
    /// The newest first, at most 100.
    items: Vec<Body>,
}

/// Filters for the jobs.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct JobQuery {
    /// Part of the file name (case is ignored) or of the job's id.
    search: Option<String>,
    /// Part of the owner's address or name; case is ignored.
    user: Option<String>,
    /// Only jobs in this state; `error` also includes `failed`. `all` or no value: every state.
    status: Option<String>,
    /// Only jobs created at or after this time (RFC 3339). A date means its beginning in UTC.
    from: Option<String>,
    /// Only jobs created before this time (RFC 3339). A date means its end in UTC.
    to: Option<String>,
}

/// Lists the newest jobs of all users, or those that match the filters.
#[utoipa::path(get, path = "/admin/jobs", tag = "admin", operation_id = "list_admin_jobs",
    params(JobQuery),
    responses(
        (status = OK, body = List),
        (status = BAD_REQUEST, body = Document, description = "malformed_query"),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
        (status = FORBIDDEN, body = Document, description = "forbidden"),
    ))]
pub(super) async fn list(
    State(state): State<AppState>,
    _administrator: Administrator,
    Query(query): Query<JobQuery>,
) -> Result<Json<List>, Problem> {
    let (from, to) = period(query.from.as_deref(), query.to.as_deref())?;
    let query = AllJobsFilter {
        text: plain(query.search.as_deref()),
        owner: plain(query.user.as_deref()),
        statuses: statuses(query.status.as_deref())?,
        from,
        until: to,
        limit: ADMIN_JOBS,
    };
    let found = jobs::list_all(&mut *state.db.read().await?, &query).await?;
    let body = |owned| Body::of(owned, &state.condition);
    Ok(Json(List {
        items: found.into_iter().map(body).collect(),
    }))
}
