//! The forms of the public pages: `/api/v1/contact` and `/api/v1/newsletter`.

use serde::Deserialize;
use slovo_app::http::time_limit;
use slovo_app::routes;
use slovo_app::state::AppState;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

mod confirm;
mod contact;
mod leave;
mod subscribe;
mod visit;

/// The routes of this module.
pub(super) fn router() -> OpenApiRouter<AppState> {
    let router = OpenApiRouter::new()
        .routes(routes!(contact::send))
        .routes(routes!(subscribe::subscribe))
        .routes(routes!(confirm::confirm))
        .routes(routes!(leave::leave))
        .routes(routes!(visit::count));
    time_limit(router)
}

/// The token of a newsletter mail's link.
#[derive(Deserialize, ToSchema)]
#[schema(as = NewsletterLink)]
struct Link {
    /// From the link.
    token: String,
}
