//! `POST /api/v1/auth/google/session`: the session of a sign-in that the provider has ended.

use axum::extract::State;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::auth::session::Session;
use crate::http::{Document, Json, Problem};
use crate::state::AppState;

/// The way from the redirect to the session.
#[derive(Deserialize, ToSchema)]
pub(super) struct HandoffForm {
    /// From the address of the page; works once, for a minute, in the browser that began.
    pub handoff: String,
}

/// Exchanges a handoff for its session.
#[utoipa::path(post, path = "/google/session", tag = "auth", operation_id = "google_session",
    security(()), request_body = HandoffForm,
    responses(
        (status = OK, body = Session),
        (status = FORBIDDEN, body = Document, description = "account_blocked"),
        (status = GONE, body = Document, description = "handoff_expired"),
    ))]
pub(super) async fn session(
    State(_state): State<AppState>,
    Json(_form): Json<HandoffForm>,
) -> Result<Json<Session>, Problem> {
    Err(Problem::new(
        axum::http::StatusCode::NOT_IMPLEMENTED,
        "not_implemented",
    ))
}
