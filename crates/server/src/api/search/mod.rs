//! Search over all of the caller's jobs: `/api/v1/search`.

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::http::time_limit;
use crate::state::AppState;

mod find;
mod hits;
#[cfg(test)]
mod tests;

/// The routes of this module.
pub(super) fn router() -> OpenApiRouter<AppState> {
    time_limit(
        OpenApiRouter::new()
            .routes(routes!(find::find))
            .routes(routes!(hits::hits)),
    )
}
