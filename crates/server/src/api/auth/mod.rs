//! Accounts and sessions in their basic form: `/api/v1/auth`.

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::state::AppState;

mod login;
mod logout;
mod me;
mod refresh;
mod signup;

/// The actions of this folder.
pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(signup::signup))
        .routes(routes!(login::login))
        .routes(routes!(refresh::refresh))
        .routes(routes!(logout::logout))
        .routes(routes!(me::me))
}
