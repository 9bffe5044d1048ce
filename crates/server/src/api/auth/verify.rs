//! `POST /api/v1/auth/verify`: the code from the mail makes the account and signs it in. The
//! first account of an empty server becomes its administrator.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use slovo_db::registrations;
use slovo_rules::account;
use utoipa::ToSchema;

use crate::auth::registration::{MAX_TRIES, code_hash, find};
use crate::auth::session::{self, Session};
use crate::auth::{Limited, Origin, new_account};
use crate::http::{Document, Json, Problem};
use crate::state::AppState;

/// Why no account was made.
#[derive(Debug)]
pub(super) enum Error {
    Limited(Limited),
    /// Not the code; another try may be.
    InvalidCode,
    /// Over its time, or tried too often.
    CodeExpired,
    /// Nothing waits for a code, or not any more.
    RegistrationExpired,
    EmailTaken,
    Internal(anyhow::Error),
}

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        match self {
            Self::Limited(limited) => Problem::from(limited),
            Self::InvalidCode => Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "invalid_code"),
            Self::CodeExpired => Problem::new(StatusCode::GONE, "code_expired"),
            Self::RegistrationExpired => Problem::new(StatusCode::GONE, "registration_expired"),
            Self::EmailTaken => Problem::new(StatusCode::CONFLICT, "email_taken"),
            Self::Internal(error) => Problem::internal(error),
        }
        .into_response()
    }
}

impl From<slovo_db::Error> for Error {
    fn from(error: slovo_db::Error) -> Self {
        match error.constraint() {
            Some("accounts_email_key") => Self::EmailTaken,
            _ => Self::Internal(error.into()),
        }
    }
}

impl From<anyhow::Error> for Error {
    fn from(error: anyhow::Error) -> Self {
        Self::Internal(error)
    }
}

/// A registration and its code.
#[derive(Deserialize, ToSchema)]
pub(super) struct VerifyForm {
    /// As it came with the sign-up.
    pub registration: String,
    /// The five characters of the mail; case does not matter.
    pub code: String,
}

/// Confirms the address with the code from the mail; makes the account and signs it in.
#[utoipa::path(post, path = "/verify", tag = "auth", security(()), request_body = VerifyForm,
    responses(
        (status = CREATED, body = Session),
        (status = CONFLICT, body = Document, description = "email_taken"),
        (status = GONE, body = Document, description = "code_expired, registration_expired"),
        (status = UNPROCESSABLE_ENTITY, body = Document, description = "invalid_code"),
        (status = TOO_MANY_REQUESTS, body = Document, description = "rate_limited"),
    ))]
pub(super) async fn verify(
    State(state): State<AppState>,
    origin: Origin,
    Json(form): Json<VerifyForm>,
) -> Result<(StatusCode, Json<Session>), Error> {
    // What cannot be a code does not cost one of its tries.
    account::validate_code(&form.code).map_err(|_| Error::InvalidCode)?;
    state.limits.login(origin.address).map_err(Error::Limited)?;
    let mut transaction = state.db.write().await?;
    let row = find(&state, &mut transaction, &form.registration).await?;
    let row = row.ok_or(Error::RegistrationExpired)?;
    if row.code_expires_at <= state.clock.now_ms()
        || !registrations::count_try(&mut transaction, &row.id, MAX_TRIES).await?
    {
        return Err(Error::CodeExpired);
    }
    if code_hash(&state.secret, &row.id, &form.code) != row.code_hash {
        // The try counts, whatever comes after.
        transaction.commit().await?;
        return Err(Error::InvalidCode);
    }
    let hash = Some(row.password_hash.as_str());
    let account = new_account::open(&state, &mut transaction, &row.email, hash).await?;
    let session = session::begin(&state, &mut transaction, account, &origin.device, true).await?;
    transaction.commit().await?;
    Ok((StatusCode::CREATED, Json(session)))
}
