//! `DELETE /api/v1/me`: removes the caller's account with everything it owns.

use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::auth::{Caller, ClientAddress};
use crate::http::{Document, Json, Problem};
use crate::state::AppState;

/// That it is meant.
#[derive(Deserialize, ToSchema)]
#[schema(as = DeleteAccountForm)]
pub(super) struct Form {
    /// The account's password; not asked where it has none.
    #[serde(default)]
    pub password: String,
    /// The account's e-mail address, where it has no password.
    #[serde(default)]
    pub email: String,
}

/// Removes the account with its recordings, texts, sessions and settings. There is no way back.
#[utoipa::path(delete, path = "/me", tag = "me", operation_id = "delete_account",
    request_body = Form,
    responses(
        (status = NO_CONTENT),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
        (status = FORBIDDEN, body = Document, description = "wrong_password"),
        (status = CONFLICT, body = Document, description = "last_admin"),
        (status = TOO_MANY_REQUESTS, body = Document, description = "rate_limited"),
    ))]
pub(super) async fn delete(
    State(_state): State<AppState>,
    ClientAddress(_address): ClientAddress,
    _caller: Caller,
    Json(_form): Json<Form>,
) -> Result<StatusCode, Problem> {
    Err(Problem::new(
        axum::http::StatusCode::NOT_IMPLEMENTED,
        "not_implemented",
    ))
}
