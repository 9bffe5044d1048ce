//! Accounts and sessions: `/api/v1/auth`.

use slovo_app::routes;
use slovo_app::state::AppState;
use utoipa_axum::router::OpenApiRouter;

mod google;
mod login;
mod logout;
mod me;
mod options;
pub mod password;
mod refresh;
mod resend;
mod sessions;
mod signup;
mod verify;

/// The routes of this module.
pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(signup::signup))
        .routes(routes!(verify::verify))
        .routes(routes!(resend::resend))
        .routes(routes!(login::login))
        .routes(routes!(refresh::refresh))
        .routes(routes!(logout::logout))
        .routes(routes!(me::me))
        .routes(routes!(options::options))
        .merge(password::router())
        .merge(sessions::router())
        .merge(google::router())
}
