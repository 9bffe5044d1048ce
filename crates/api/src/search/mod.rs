//! Search over all of the caller's jobs: `/api/v1/search`.

use slovo_app::http::time_limit;
use slovo_app::routes;
use slovo_app::state::AppState;
use utoipa_axum::router::OpenApiRouter;

pub mod find;
mod hits;

/// The routes of this module.
pub(super) fn router() -> OpenApiRouter<AppState> {
    time_limit(
        OpenApiRouter::new()
            .routes(routes!(find::find))
            .routes(routes!(hits::hits)),
    )
}
