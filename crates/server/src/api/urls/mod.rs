//! Addresses of recordings elsewhere: `/api/v1/urls`.

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::http::time_limit;
use crate::state::AppState;

mod probe;

/// The actions of this folder.
pub(super) fn router() -> OpenApiRouter<AppState> {
    time_limit(OpenApiRouter::new().routes(routes!(probe::probe)))
}
