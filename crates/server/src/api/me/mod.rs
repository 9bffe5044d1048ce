//! What belongs to the caller: `/api/v1/me`.

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::http::time_limit;
use crate::state::AppState;

mod avatar;
mod delete;
mod export;
mod preferences;
mod profile;

/// The actions of this folder.
pub(super) fn router() -> OpenApiRouter<AppState> {
    let short = OpenApiRouter::new()
        .routes(routes!(profile::set))
        .routes(routes!(avatar::get, avatar::set, avatar::remove))
        .routes(routes!(preferences::get, preferences::set))
        .routes(routes!(export::link))
        .routes(routes!(delete::delete));
    // Everything that somebody has takes as long as it takes.
    let long = OpenApiRouter::new().routes(routes!(export::download));
    time_limit(short).merge(long)
}
