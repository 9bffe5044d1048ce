//! `GET /api/v1/auth/google/callback`: where the provider leads the browser back to.

use axum::extract::State;
use axum::response::Redirect;
use serde::Deserialize;
use utoipa::IntoParams;

use crate::http::{Problem, Query};
use crate::state::AppState;

/// What the provider says (RFC 6749, section 4.1.2).
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct Answer {
    /// To be exchanged for tokens.
    pub code: Option<String>,
    /// As it was given to the provider.
    pub state: Option<String>,
    /// Why there is no code.
    pub error: Option<String>,
}

/// Ends the sign-in at the provider and leads the browser back to the page.
#[utoipa::path(get, path = "/google/callback", tag = "auth", operation_id = "finish_google",
    security(()), params(Answer),
    responses((status = SEE_OTHER, description = "To the page, with a handoff or a problem")))]
pub(super) async fn callback(
    State(_state): State<AppState>,
    Query(_answer): Query<Answer>,
) -> Result<Redirect, Problem> {
    Err(Problem::new(
        axum::http::StatusCode::NOT_IMPLEMENTED,
        "not_implemented",
    ))
}
