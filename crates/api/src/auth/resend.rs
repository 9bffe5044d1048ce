//! `POST /api/v1/auth/verify/resend`: mails another code for a registration.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use slovo_app::auth::registration::{Registration, Renewal, find, is_superseded, renew};
use slovo_app::auth::{ClientAddress, RateLimited};
use slovo_app::http::{Document, Json, Problem};
use slovo_app::state::AppState;
use slovo_rules::codes::ProblemCode;
use utoipa::ToSchema;

/// Why no code is sent.
#[derive(Debug)]
pub(super) enum Error {
    Limited(RateLimited),
    /// The registration does not exist or has expired.
    RegistrationExpired,
    /// A later sign-up with this address has replaced it.
    RegistrationSuperseded,
    /// The mail server did not accept the mail.
    MailFailed,
    Internal(slovo_db::Error),
}

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        match self {
            Self::Limited(limited) => Problem::from(limited),
            Self::RegistrationExpired => {
                Problem::new(StatusCode::GONE, ProblemCode::RegistrationExpired)
            }
            Self::RegistrationSuperseded => {
                Problem::new(StatusCode::GONE, ProblemCode::RegistrationSuperseded)
            }
            Self::MailFailed => Problem::new(StatusCode::BAD_GATEWAY, ProblemCode::MailFailed),
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

/// The registration.
#[derive(Deserialize, ToSchema)]
pub(super) struct ResendForm {
    /// The registration's id, as returned by the sign-up.
    pub registration: String,
}

/// Emails a new code; the previous one stops working.
#[utoipa::path(post, path = "/verify/resend", tag = "auth", operation_id = "resend_code",
    security(()), request_body = ResendForm,
    responses(
        (status = OK, body = Registration),
        (status = GONE, body = Document, description = "registration_expired, registration_superseded"),
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
    let row = find(state.auth(), &mut connection, &form.registration).await?;
    let Some(row) = row else {
        let superseded = is_superseded(state.auth(), &mut connection, &form.registration).await?;
        return Err(if superseded {
            Error::RegistrationSuperseded
        } else {
            Error::RegistrationExpired
        });
    };
    drop(connection);
    match renew(state.auth(), row, form.registration).await? {
        Renewal::Renewed(registration) if registration.sent => Ok(Json(registration)),
        Renewal::Renewed(_) => Err(Error::MailFailed),
        Renewal::TooSoon(limited) => Err(Error::Limited(limited)),
    }
}
