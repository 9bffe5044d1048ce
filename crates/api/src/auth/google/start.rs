//! `GET /api/v1/auth/google/start`: redirects the browser to the provider.
#![expect(
    unused_qualifications,
    reason = "utoipa's macro repeats the type's path"
)]

use axum::extract::State;
use axum::response::Response;
use serde::Deserialize;
use slovo_app::auth::ClientAddress;
use slovo_app::auth::openid::attempt::{self, ATTEMPT_SECONDS, Attempt, Intent};
use slovo_app::http::{Document, Problem, Query};
use slovo_app::state::AppState;
use slovo_rules::locale::Locale;
use utoipa::IntoParams;
use uuid::Uuid;

use super::cookie::set_cookie;
use super::{redirect, redirect_back};

/// Options of the sign-in.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct StartQuery {
    /// Where the sign-in was started.
    #[param(inline)]
    pub intent: Intent,
    /// Whether the session outlives the browser.
    #[serde(default)]
    pub remember: bool,
    /// Language of the provider's page and of a new account.
    #[serde(default)]
    #[param(value_type = Option<Locale>)]
    pub locale: Locale,
    /// The plan chosen on the price list; it is requested if the sign-in creates an account.
    pub plan: Option<Uuid>,
}

/// Redirects the browser to the provider's sign-in page.
#[utoipa::path(get, path = "/google/start", tag = "auth", operation_id = "start_google",
    security(()), params(StartQuery),
    responses(
        (status = SEE_OTHER, description = "To the provider"),
        (status = NOT_FOUND, body = Document, description = "not_found: not set up"),
        (status = TOO_MANY_REQUESTS, body = Document, description = "rate_limited"),
    ))]
pub(super) async fn start(
    State(state): State<AppState>,
    ClientAddress(address): ClientAddress,
    Query(begin): Query<StartQuery>,
) -> Result<Response, Problem> {
    let is_on = state.settings.current().await?.switches.google;
    let openid = state.openid.as_ref().filter(|_| is_on);
    let openid = openid.ok_or_else(Problem::not_found)?;
    state.limits.login(address)?;
    let request = attempt::SignInOptions {
        intent: begin.intent,
        remember: begin.remember,
        locale: begin.locale,
        plan: begin.plan,
    };
    let attempt = Attempt::new(&*state.random, &request, state.clock.now());
    let secrets = attempt.secrets(&state.secret);
    match openid.sign_in_url(secrets, begin.locale).await {
        Ok(url) => {
            let sealed = attempt.seal(&state.secret).map_err(Problem::internal)?;
            let cookie = set_cookie(&state, &sealed, ATTEMPT_SECONDS);
            Ok(redirect(&url, cookie))
        }
        Err(error) => {
            tracing::warn!(
                error = format!("{error:#}"),
                "nobody can sign in with Google"
            );
            Ok(redirect_back(&state, begin.intent, "google_failed"))
        }
    }
}
