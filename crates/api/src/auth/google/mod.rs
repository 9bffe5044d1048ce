//! Sign-in with Google or another configured OpenID provider: `/api/v1/auth/google`.

use axum::http::header;
use axum::response::{IntoResponse, Redirect, Response};
use slovo_app::auth::openid::attempt::Intent;
use slovo_app::routes;
use slovo_app::state::AppState;
use utoipa_axum::router::OpenApiRouter;

mod callback;
mod cookie;
pub(super) mod mark;
mod session;
mod start;

/// The routes of this module.
pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(start::start))
        .routes(routes!(callback::callback))
        .routes(routes!(session::session))
        .routes(routes!(mark::mark))
}

/// Redirects the browser. The response is not cached, and the URL is not sent as referrer.
fn redirect(to: &str, cookie: String) -> Response {
    let headers = [
        (header::SET_COOKIE, cookie),
        (header::CACHE_CONTROL, "no-store".to_owned()),
        (header::REFERRER_POLICY, "no-referrer".to_owned()),
    ];
    (headers, Redirect::to(to)).into_response()
}

/// Redirects the browser to the page where it started, with a problem code.
fn redirect_back(state: &AppState, intent: Intent, problem: &str) -> Response {
    let page = match intent {
        Intent::Login => "/login",
        Intent::Signup => "/signup",
    };
    redirect(
        &format!("{page}?problem={problem}"),
        cookie::clear_cookie(state),
    )
}
