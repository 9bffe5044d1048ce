//! URLs of remote recordings: `/api/v1/urls`.

use axum::http::StatusCode;
use slovo_app::http::{Problem, time_limit};
use slovo_app::routes;
use slovo_app::state::AppState;
use slovo_fetch::FetchError;
use utoipa_axum::router::OpenApiRouter;

mod probe;

/// The routes of this module.
pub(super) fn router() -> OpenApiRouter<AppState> {
    time_limit(OpenApiRouter::new().routes(routes!(probe::probe)))
}

/// The problem for a URL that cannot be fetched; also used when a job is created from a URL. The
/// logged cause does not contain the URL.
pub(super) fn fetch_problem(error: &FetchError) -> Problem {
    Problem::new(StatusCode::UNPROCESSABLE_ENTITY, error.code())
        .params(error.fault().params)
        .with_cause(error.to_string())
}
