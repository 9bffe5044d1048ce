//! `POST /api/v1/auth/signup`: starts a registration. The account is created when the mailed code
//! has been entered; until then others can also sign up with this address.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use slovo_app::auth::registration::{self, NewRegistration, Registration};
use slovo_app::auth::{ClientAddress, RateLimited};
use slovo_app::http::{Document, Json, Problem};
use slovo_app::state::AppState;
use slovo_db::accounts;
use slovo_rules::account::{self, SignupForm};
use slovo_rules::codes::ProblemCode;
use slovo_rules::locale::Locale;
use slovo_rules::violation::Violations;
use utoipa::ToSchema;
use uuid::Uuid;

/// Why no registration was started.
#[derive(Debug)]
pub(super) enum Error {
    Limited(RateLimited),
    Closed,
    Invalid(Violations),
    EmailTaken,
    Internal(anyhow::Error),
}

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        match self {
            Self::Limited(limited) => Problem::from(limited),
            Self::Closed => Problem::new(StatusCode::FORBIDDEN, ProblemCode::SignupClosed),
            Self::Invalid(violations) => Problem::from(violations),
            Self::EmailTaken => Problem::new(StatusCode::CONFLICT, ProblemCode::EmailTaken),
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

/// The sign-up form and the page's language.
#[derive(Deserialize, ToSchema)]
pub(super) struct SignupRequest {
    #[serde(flatten)]
    form: SignupForm,
    /// Language of the mail.
    #[serde(default)]
    locale: Locale,
    /// The plan chosen on the price list; it is requested once the account exists.
    #[serde(default)]
    plan: Option<Uuid>,
}

/// Starts a sign-up: emails a code to verify the address.
#[utoipa::path(post, path = "/signup", tag = "auth", security(()), request_body = SignupRequest,
    responses(
        (status = CREATED, body = Registration),
        (status = FORBIDDEN, body = Document, description = "signup_closed"),
        (status = CONFLICT, body = Document, description = "email_taken"),
        (status = UNPROCESSABLE_ENTITY, body = Document, description = "validation_failed"),
        (status = TOO_MANY_REQUESTS, body = Document, description = "rate_limited"),
    ))]
pub(super) async fn signup(
    State(state): State<AppState>,
    ClientAddress(address): ClientAddress,
    Json(request): Json<SignupRequest>,
) -> Result<(StatusCode, Json<Registration>), Error> {
    if !state.settings.current().await?.switches.sign_up {
        return Err(Error::Closed);
    }
    let valid = account::validate_signup(&request.form).map_err(Error::Invalid)?;
    // Invalid forms do not count against the limit; each lookup of an address does.
    state.limits.signup(address).map_err(Error::Limited)?;
    // Hashed before the address is looked up, so that taken and free addresses take equally long.
    let chosen = state
        .passwords
        .choose(&valid.password, &[&valid.email], &*state.random)
        .await?;
    let hash = chosen.ok_or_else(|| Error::Invalid(account::weak_password().into()))?;
    let existing = accounts::get_by_email(&mut *state.db.read().await?, &valid.email).await?;
    if existing.is_some() {
        return Err(Error::EmailTaken);
    }
    let limits = state.limits.code_to(&valid.email, address);
    limits.map_err(Error::Limited)?;
    let details = NewRegistration {
        email: &valid.email,
        password_hash: hash,
        locale: request.locale,
        plan_id: request.plan,
    };
    let started = registration::begin(state.auth(), details, address).await?;
    Ok((StatusCode::CREATED, Json(started)))
}
