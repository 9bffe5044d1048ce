//! Addresses of recordings elsewhere: `/api/v1/urls`.

use axum::http::StatusCode;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::http::{Problem, time_limit};
use crate::state::AppState;
use slovo_fetch::FetchError;

mod probe;
#[cfg(test)]
mod tests;

/// The routes of this module.
pub(super) fn router() -> OpenApiRouter<AppState> {
    time_limit(OpenApiRouter::new().routes(routes!(probe::probe)))
}

/// The problem for an address from which nothing can be fetched; jobs that are made of one use it,
/// too. The cause in the log does not have the address in it.
pub(super) fn fetch_problem(error: &FetchError) -> Problem {
    let fault = error.fault();
    Problem::new(StatusCode::UNPROCESSABLE_ENTITY, fault.code)
        .params(fault.params)
        .because(error.to_string())
}
