//! `GET /api/v1/auth/google/start`: leads the browser to the provider.

use axum::extract::State;
use axum::response::Redirect;
use serde::Deserialize;
use slovo_rules::locale::Locale;
use utoipa::{IntoParams, ToSchema};

use crate::http::{Document, Problem, Query};
use crate::state::AppState;

/// From where the sign-in begins; failures lead back there.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = GoogleIntent)]
pub(super) enum Intent {
    /// The sign-in page.
    Login,
    /// The sign-up page.
    Signup,
}

/// How to sign in.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct Begin {
    /// From where.
    #[param(inline)]
    pub intent: Intent,
    /// Whether the session outlives the browser.
    #[serde(default)]
    pub remember: bool,
    /// Language of the provider's page and of a new account.
    #[serde(default)]
    #[param(value_type = Option<Locale>)]
    pub locale: Locale,
}

/// Leads the browser to the provider's sign-in page.
#[utoipa::path(get, path = "/google/start", tag = "auth", operation_id = "start_google",
    security(()), params(Begin),
    responses(
        (status = SEE_OTHER, description = "To the provider"),
        (status = NOT_FOUND, body = Document, description = "not_found: not set up"),
        (status = TOO_MANY_REQUESTS, body = Document, description = "rate_limited"),
    ))]
pub(super) async fn start(
    State(_state): State<AppState>,
    Query(_begin): Query<Begin>,
) -> Result<Redirect, Problem> {
    Err(Problem::new(
        axum::http::StatusCode::NOT_IMPLEMENTED,
        "not_implemented",
    ))
}
