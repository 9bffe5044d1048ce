//! `POST /api/v1/auth/password/forgot`: mails a link to set a new password. Neither the answer nor
//! its timing reveals whether the address has an account.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use slovo_app::auth::{ClientAddress, RateLimited};
use slovo_app::http::{Document, Json, Problem};
use slovo_app::state::AppState;
use slovo_db::accounts::{self, Status};
use slovo_mail::Mail;
use slovo_rules::account::{self, RESET_LINK_HOURS};
use slovo_rules::locale::Locale;
use slovo_rules::violation::Violations;
use utoipa::ToSchema;

use super::make_link;

/// Why no link is made. None of these depends on the account.
#[derive(Debug)]
pub(super) enum Error {
    Limited(RateLimited),
    Invalid(Violations),
}

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        match self {
            Self::Limited(limited) => Problem::from(limited),
            Self::Invalid(violations) => Problem::from(violations),
        }
        .into_response()
    }
}

/// The account whose password is reset.
#[derive(Deserialize, ToSchema)]
pub(super) struct ForgotForm {
    /// E-mail address.
    pub email: String,
    /// Language of the mail, if the user has not chosen one.
    #[serde(default)]
    pub locale: Locale,
}

/// Emails a link to set a new password, if there is an account with this address.
#[utoipa::path(post, path = "/password/forgot", tag = "auth", operation_id = "forgot_password",
    security(()), request_body = ForgotForm,
    responses(
        (status = ACCEPTED, description = "Whether or not there is such an account"),
        (status = UNPROCESSABLE_ENTITY, body = Document, description = "validation_failed"),
        (status = TOO_MANY_REQUESTS, body = Document, description = "rate_limited"),
    ))]
pub(super) async fn forgot(
    State(state): State<AppState>,
    ClientAddress(address): ClientAddress,
    Json(form): Json<ForgotForm>,
) -> Result<StatusCode, Error> {
    let email = account::validate_email("email", &form.email);
    let email = email.map_err(|violation| Error::Invalid(violation.into()))?;
    state.limits.login(address).map_err(Error::Limited)?;
    let limits = state.limits.link_to(&email, address);
    limits.map_err(Error::Limited)?;
    // In the background, so that timing does not reveal whether there is an account.
    let beside = state.clone();
    state.tasks.spawn(async move {
        if let Err(error) = send_link(&beside, &email, form.locale).await {
            tracing::error!(%error, "a reset link could not be created");
        }
    });
    Ok(StatusCode::ACCEPTED)
}

async fn send_link(state: &AppState, email: &str, locale: Locale) -> slovo_db::Result<()> {
    let mut transaction = state.db.write().await?;
    let account = accounts::get_by_email(&mut transaction, email).await?;
    let Some(account) = account.filter(|account| account.status == Status::Active) else {
        return Ok(());
    };
    let link = make_link(state, &mut transaction, &account.id, RESET_LINK_HOURS).await?;
    transaction.commit().await?;
    let hours = RESET_LINK_HOURS;
    let locale = account.locale.unwrap_or(locale);
    state
        .mail
        .send_soon(&account.email, locale, &Mail::Reset { link, hours });
    Ok(())
}
