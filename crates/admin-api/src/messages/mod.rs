//! Data from the forms of the public pages: `/api/v1/admin/contact-messages` and
//! `/api/v1/admin/newsletter`.

use slovo_app::routes;
use slovo_app::state::AppState;
use utoipa_axum::router::OpenApiRouter;

mod delete;
mod export_contact;
mod export_subscribers;
mod list_contact;
mod list_subscribers;
mod set_handled;

/// The routes of this module.
pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(list_contact::list))
        .routes(routes!(export_contact::export))
        .routes(routes!(set_handled::set))
        .routes(routes!(delete::delete))
        .routes(routes!(list_subscribers::list))
        .routes(routes!(export_subscribers::export))
}
