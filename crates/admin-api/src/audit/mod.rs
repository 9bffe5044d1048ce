//! The audit log of administrators' changes: `/api/v1/admin/audit`.

use axum::http::StatusCode;
use serde::Deserialize;
use slovo_app::http::Problem;
use slovo_app::http::list_query::{moment, plain};
use slovo_app::routes;
use slovo_app::state::AppState;
use slovo_db::accounts::audit::Filter;
use slovo_rules::codes::ProblemCode;
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;

mod export;
mod list;

/// The routes of this module.
pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(list::list))
        .routes(routes!(export::export))
}

/// Filters for the changes.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct AuditQuery {
    /// Part of the administrator's address or of the target's name; case is ignored.
    search: Option<String>,
    /// An action, or the noun before its dot: `plan.update` or `plan`.
    action: Option<String>,
    /// Only changes made at or after this time (RFC 3339). A date means its beginning in UTC.
    from: Option<String>,
    /// Only changes made before this time (RFC 3339). A date means its end in UTC.
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
                        .detail("from and to must be dates or times in RFC 3339 format"),
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
