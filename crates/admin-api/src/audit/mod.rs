//! The audit log of administrators' changes: `/api/v1/admin/audit`.

use axum::http::StatusCode;
use serde::Deserialize;
use slovo_app::http::Problem;
use slovo_app::http::list_query::{moment, plain};
use slovo_app::state::AppState;
use slovo_db::accounts::audit::Filter;
use slovo_rules::codes::ProblemCode;
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

mod export;
mod list;

/// The routes of this module.
pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(list::list))
        .routes(routes!(export::export))
}

/// Which changes.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct AuditQuery {
    /// A part of the administrator's address or of the target's name, in any case.
    search: Option<String>,
    /// An action, or the noun before its dot: `plan.update` or `plan`.
    action: Option<String>,
    /// Only changes made at this time or later: RFC 3339, a date is its beginning in UTC.
    from: Option<String>,
    /// Only changes made until this time: RFC 3339, of a date its end in UTC, of a time exclusively.
    to: Option<String>,
}

impl AuditQuery {
    fn filter(&self) -> Result<Filter, Problem> {
        let time = |input: &Option<String>, end_of_day| match input.as_deref() {
            None | Some("") => Ok(None),
            Some(text) => match moment(text, end_of_day) {
                Some(ms) => Ok(Some(ms)),
                None => Err(
                    Problem::new(StatusCode::BAD_REQUEST, ProblemCode::MalformedQuery)
                        .detail("from and to are dates or times as in RFC 3339"),
                ),
            },
        };
        Ok(Filter {
            search: plain(self.search.as_deref()),
            action: plain(self.action.as_deref()),
            from: time(&self.from, false)?,
            until: time(&self.to, true)?,
        })
    }
}
