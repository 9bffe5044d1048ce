//! The sessions of an account: `/api/v1/auth/sessions`.

use slovo_app::routes;
use slovo_app::state::AppState;
use utoipa_axum::router::OpenApiRouter;

mod list;
mod revoke;
mod revoke_others;

/// The routes of this module.
pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(list::list))
        .routes(routes!(revoke::revoke))
        .routes(routes!(revoke_others::revoke_others))
}
