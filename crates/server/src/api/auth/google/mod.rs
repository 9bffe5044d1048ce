//! Sign-in with Google, or with whatever OpenID provider stands in for it: `/api/v1/auth/google`.

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::state::AppState;

mod callback;
mod session;
mod start;

/// The actions of this folder.
pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(start::start))
        .routes(routes!(callback::callback))
        .routes(routes!(session::session))
}
