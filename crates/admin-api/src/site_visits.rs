//! `GET /api/v1/admin/site-visits`: visits of the public pages.

use axum::extract::State;
use jiff::ToSpan;
use serde::Serialize;
use slovo_app::auth::Administrator;
use slovo_app::http::{Document, Json, Problem, Query};
use slovo_app::state::AppState;
use slovo_db::site::visits::{self, Visits};
use utoipa::ToSchema;

use super::page::Days;

/// Visits to a page on a day, by visitors who agreed to be counted.
#[derive(Serialize, ToSchema)]
#[schema(as = SiteVisits)]
pub(super) struct Body {
    /// The day in UTC.
    #[schema(format = Date)]
    day: String,
    /// The page's path.
    page: String,
    /// Its language.
    locale: String,
    /// Number of visits.
    visits: i64,
}

impl From<Visits> for Body {
    fn from(row: Visits) -> Self {
        Self {
            day: row.day,
            page: row.page,
            locale: row.locale,
            visits: row.visits,
        }
    }
}

/// Returns visits to the public pages by day, page and language.
#[utoipa::path(get, path = "/admin/site-visits", tag = "admin",
    operation_id = "list_site_visits", params(Days),
    responses(
        (status = OK, body = Vec<Body>),
        (status = BAD_REQUEST, body = Document, description = "malformed_query"),
        (status = FORBIDDEN, body = Document, description = "forbidden"),
    ))]
pub(super) async fn list(
    State(state): State<AppState>,
    _caller: Administrator,
    Query(days): Query<Days>,
) -> Result<Json<Vec<Body>>, Problem> {
    let first = state.clock.now() - (24 * (days.get() - 1)).hours();
    let first = first.strftime("%Y-%m-%d").to_string();
    let mut connection = state.db.read().await?;
    let rows = visits::since(&mut connection, &first).await?;
    Ok(Json(rows.into_iter().map(Body::from).collect()))
}
