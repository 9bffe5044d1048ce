//! `POST /api/v1/auth/verify/resend`: another code for a registration.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::auth::registration::{Registration, Renewal, find, renew};
use crate::auth::{ClientAddress, Limited};
use crate::http::{Document, Json, Problem};
use crate::state::AppState;

/// Why there is no other code.
#[derive(Debug)]
pub(super) enum Error {
    Limited(Limited),
    /// Nothing waits for a code, or not any more.
    RegistrationExpired,
    /// It could not be handed to the mail server.
    MailFailed,
    Internal(slovo_db::Error),
}

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        match self {
            Self::Limited(limited) => Problem::from(limited),
            Self::RegistrationExpired => Problem::new(StatusCode::GONE, "registration_expired"),
            Self::MailFailed => Problem::new(StatusCode::BAD_GATEWAY, "mail_failed"),
            Self::Internal(error) => Problem::internal(error),
        }
        .into_response()
    }
}

impl From<slovo_db::Error> for Error {
    fn from(error: slovo_db::Error) -> Self {
        Self::Internal(error)
    }
}

/// Which registration.
#[derive(Deserialize, ToSchema)]
pub(super) struct ResendForm {
    /// As it came with the sign-up.
    pub registration: String,
}

/// Mails another code; the one before stops working.
#[utoipa::path(post, path = "/verify/resend", tag = "auth", operation_id = "resend_code",
    security(()), request_body = ResendForm,
    responses(
        (status = OK, body = Registration),
        (status = GONE, body = Document, description = "registration_expired"),
        (status = TOO_MANY_REQUESTS, body = Document, description = "rate_limited"),
        (status = BAD_GATEWAY, body = Document, description = "mail_failed"),
    ))]
pub(super) async fn resend(
    State(state): State<AppState>,
    ClientAddress(address): ClientAddress,
    Json(form): Json<ResendForm>,
) -> Result<Json<Registration>, Error> {
    state.limits.login(address).map_err(Error::Limited)?;
    let mut connection = state.db.read().await?;
    let row = find(&state, &mut connection, &form.registration).await?;
    drop(connection);
    let row = row.ok_or(Error::RegistrationExpired)?;
    state.limits.mail_to(&row.email).map_err(Error::Limited)?;
    match renew(&state, row, form.registration).await? {
        Renewal::Renewed(registration) if registration.sent => Ok(Json(registration)),
        Renewal::Renewed(_) => Err(Error::MailFailed),
        Renewal::TooSoon(limited) => Err(Error::Limited(limited)),
    }
}
