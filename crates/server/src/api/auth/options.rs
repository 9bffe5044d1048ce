//! `GET /api/v1/auth/options`: which ways in there are.

use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use crate::http::Json;
use crate::state::AppState;

/// Ways to sign in besides e-mail and password.
#[derive(Serialize, ToSchema)]
pub(super) struct Options {
    /// Whether sign-in with Google is set up.
    google: bool,
}

/// Which ways in there are on this server.
#[utoipa::path(get, path = "/options", tag = "auth", operation_id = "sign_in_options", security(()),
    responses((status = OK, body = Options)))]
pub(super) async fn options(State(state): State<AppState>) -> Json<Options> {
    Json(Options {
        google: state.openid.is_some(),
    })
}
