//! What administrators do: `/api/v1/admin`.

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::http::time_limit;
use crate::state::AppState;

mod list_users;
mod set_role;
mod set_status;

/// The actions of this folder.
pub(super) fn router() -> OpenApiRouter<AppState> {
    let router = OpenApiRouter::new()
        .routes(routes!(list_users::list))
        .routes(routes!(set_status::set))
        .routes(routes!(set_role::set));
    time_limit(router)
}
