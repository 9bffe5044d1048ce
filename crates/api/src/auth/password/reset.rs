//! `POST /api/v1/auth/password/reset`: sets a new password with a mailed link.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use slovo_app::auth::session::token_hash;
use slovo_app::auth::{ClientAddress, RateLimited};
use slovo_app::http::{Document, Json, Problem};
use slovo_app::state::AppState;
use slovo_db::accounts::sessions::{self, EndReason};
use slovo_db::accounts::{identities, resets};
use slovo_rules::account;
use slovo_rules::codes::ProblemCode;
use slovo_rules::violation::Violations;
use utoipa::ToSchema;

use super::{notify_owner, replace};

/// Why the password is unchanged.
#[derive(Debug)]
pub(super) enum Error {
    Limited(RateLimited),
    Invalid(Violations),
    /// Unknown, used, replaced by a newer one, or expired.
    LinkInvalid,
    Internal(anyhow::Error),
}

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        match self {
            Self::Limited(limited) => Problem::from(limited),
            Self::Invalid(violations) => Problem::from(violations),
            Self::LinkInvalid => Problem::new(StatusCode::GONE, ProblemCode::ResetLinkInvalid),
            Self::Internal(error) => Problem::internal(error),
        }
        .into_response()
    }
}

impl<E: Into<anyhow::Error>> From<E> for Error {
    fn from(error: E) -> Self {
        Self::Internal(error.into())
    }
}

/// A new password, and the token of the link.
#[derive(Deserialize, ToSchema)]
pub(super) struct ResetForm {
    /// Token from the link.
    pub token: String,
    /// The new password.
    pub password: String,
    /// The new password, repeated.
    pub confirm_password: String,
}

/// Sets a new password with the emailed link, and ends all sessions.
#[utoipa::path(post, path = "/password/reset", tag = "auth", operation_id = "reset_password",
    security(()), request_body = ResetForm,
    responses(
        (status = NO_CONTENT),
        (status = GONE, body = Document, description = "reset_link_invalid"),
        (status = UNPROCESSABLE_ENTITY, body = Document, description = "validation_failed"),
        (status = TOO_MANY_REQUESTS, body = Document, description = "rate_limited"),
    ))]
pub(super) async fn reset(
    State(state): State<AppState>,
    ClientAddress(address): ClientAddress,
    Json(form): Json<ResetForm>,
) -> Result<StatusCode, Error> {
    account::validate_password(account::RESET, &form.password, &form.confirm_password)
        .map_err(Error::Invalid)?;
    state.limits.login(address).map_err(Error::Limited)?;
    let chosen = state.passwords.choose(&form.password, &[], &*state.random);
    let hash = chosen
        .await?
        .ok_or_else(|| Error::Invalid(account::weak_password().into()))?;
    let now = state.clock.now_ms();
    let mut transaction = state.db.write().await?;
    let user = resets::consume(&mut transaction, &token_hash(&form.token), now).await?;
    let user = user.ok_or(Error::LinkInvalid)?;
    let account = replace(&state, &mut transaction, &user, &hash).await?;
    identities::remove_of(&mut transaction, &user).await?;
    sessions::end_all(&mut transaction, &user, EndReason::PasswordChanged, now).await?;
    transaction.commit().await?;
    notify_owner(&state, &account);
    Ok(StatusCode::NO_CONTENT)
}
