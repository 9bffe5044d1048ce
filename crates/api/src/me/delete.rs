//! `DELETE /api/v1/me`: deletes the caller's account with all its data.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use slovo_accounts::deletion::{self, DeletionError};
use slovo_app::auth::proof::{ProofError, confirm_password};
use slovo_app::auth::{Caller, ClientAddress};
use slovo_app::http::{Document, Json, Problem};
use slovo_app::state::AppState;
use slovo_rules::account::normalize_email;
use slovo_rules::codes::ProblemCode;
use utoipa::ToSchema;

/// Why the account is not deleted.
#[derive(Debug)]
pub(super) enum Error {
    NotProven(ProofError),
    Kept(DeletionError),
}

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        match self {
            Self::NotProven(reason) => Problem::from(reason),
            Self::Kept(DeletionError::LastAdmin) => {
                Problem::new(StatusCode::CONFLICT, ProblemCode::LastAdmin)
            }
            Self::Kept(DeletionError::NoAccount) => Problem::unauthorized(),
            Self::Kept(DeletionError::NotProven(reason)) => Problem::from(reason),
            Self::Kept(DeletionError::Internal(error)) => Problem::internal(error),
        }
        .into_response()
    }
}

impl From<ProofError> for Error {
    fn from(reason: ProofError) -> Self {
        Self::NotProven(reason)
    }
}

impl From<DeletionError> for Error {
    fn from(reason: DeletionError) -> Self {
        Self::Kept(reason)
    }
}

/// Confirmation of the deletion.
#[derive(Deserialize, ToSchema)]
#[schema(as = DeleteAccountForm)]
pub(super) struct Form {
    /// The account's password; not required if it has none.
    #[serde(default)]
    pub password: String,
    /// The account's e-mail address, if it has no password.
    #[serde(default)]
    pub email: String,
}

/// Permanently deletes the account with its recordings, transcripts, sessions and settings.
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
    State(state): State<AppState>,
    ClientAddress(address): ClientAddress,
    caller: Caller,
    Json(form): Json<Form>,
) -> Result<StatusCode, Error> {
    let proof = confirm_password(state.auth(), &caller, address, &form.password).await?;
    let without_password = !caller.account.has_password;
    if without_password && normalize_email(&form.email) != caller.account.email {
        return Err(ProofError::WrongPassword.into());
    }
    deletion::delete(&state.deletion(), caller.user_id, proof).await?;
    Ok(StatusCode::NO_CONTENT)
}
