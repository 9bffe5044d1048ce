//! `POST /api/v1/auth/password/change`: replaces the password; requires the current one.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use slovo_app::auth::proof::{ProofError, confirm_password};
use slovo_app::auth::{Caller, ClientAddress};
use slovo_app::http::{Document, Json, Problem};
use slovo_app::state::AppState;
use slovo_db::accounts::Account;
use slovo_db::accounts::sessions::{self, EndReason};
use slovo_rules::account;
use slovo_rules::codes::ProblemCode;
use slovo_rules::violation::Violations;
use utoipa::ToSchema;

use super::{notify_owner, replace};

/// Why the password is unchanged.
#[derive(Debug)]
pub(super) enum Error {
    Invalid(Violations),
    NotProven(ProofError),
    /// There is none. The first password requires a mailed link, so that a session left open is not
    /// enough to set it.
    NotSet,
    Internal(anyhow::Error),
}

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        match self {
            Self::Invalid(violations) => Problem::from(violations),
            Self::NotProven(reason) => Problem::from(reason),
            Self::NotSet => Problem::new(StatusCode::CONFLICT, ProblemCode::PasswordNotSet),
            Self::Internal(error) => Problem::internal(error),
        }
        .into_response()
    }
}

impl From<ProofError> for Error {
    fn from(reason: ProofError) -> Self {
        Self::NotProven(reason)
    }
}

impl From<slovo_db::Error> for Error {
    fn from(error: slovo_db::Error) -> Self {
        Self::Internal(error.into())
    }
}

impl From<anyhow::Error> for Error {
    fn from(error: anyhow::Error) -> Self {
        Self::Internal(error)
    }
}

/// The current password and the new one.
#[derive(Deserialize, ToSchema)]
pub(super) struct ChangeForm {
    /// The current password.
    pub current_password: String,
    /// The new password.
    pub password: String,
    /// The new password, repeated.
    pub confirm_password: String,
}

/// Changes the password and ends the account's other sessions.
#[utoipa::path(post, path = "/password/change", tag = "auth", operation_id = "change_password",
    request_body = ChangeForm,
    responses(
        (status = NO_CONTENT),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
        (status = FORBIDDEN, body = Document, description = "wrong_password"),
        (status = CONFLICT, body = Document, description = "password_not_set"),
        (status = UNPROCESSABLE_ENTITY, body = Document, description = "validation_failed"),
        (status = TOO_MANY_REQUESTS, body = Document, description = "rate_limited"),
    ))]
pub(super) async fn change(
    State(state): State<AppState>,
    ClientAddress(address): ClientAddress,
    caller: Caller,
    Json(form): Json<ChangeForm>,
) -> Result<StatusCode, Error> {
    account::validate_password(account::CHANGE, &form.password, &form.confirm_password)
        .map_err(Error::Invalid)?;
    if !caller.account.has_password {
        return Err(Error::NotSet);
    }
    let proof = confirm_password(state.auth(), &caller, address, &form.current_password).await?;
    let Account {
        email, fullname, ..
    } = &caller.account;
    let about = [email.as_str(), fullname.as_deref().unwrap_or_default()];
    let chosen = state
        .passwords
        .choose(&form.password, &about, &*state.random);
    let hash = chosen
        .await?
        .ok_or_else(|| Error::Invalid(account::weak_password().into()))?;
    let now = state.clock.now_ms();
    let (user, session) = (&caller.user_id, caller.credential.id());
    let mut transaction = state.db.write().await?;
    proof.hold(&mut transaction, now).await?;
    let account = replace(&state, &mut transaction, user, &hash).await?;
    let reason = EndReason::PasswordChanged;
    sessions::end_others(&mut transaction, user, session, reason, now).await?;
    transaction.commit().await?;
    notify_owner(&state, &account);
    Ok(StatusCode::NO_CONTENT)
}
