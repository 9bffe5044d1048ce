//! `POST /api/v1/auth/verify`: creates the account with the mailed code and signs it in. The first
//! account of an empty server becomes its administrator.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use slovo_app::auth::registration::{MAX_TRIES, code_hash, find, is_superseded};
use slovo_app::auth::session::{self, Session};
use slovo_app::auth::sign_ins::{self, Failure};
use slovo_app::auth::{Origin, RateLimited, new_account};
use slovo_app::http::{Document, Json, Problem};
use slovo_app::state::AppState;
use slovo_db::accounts::{profiles, registrations};
use slovo_rules::account;
use slovo_rules::codes::ProblemCode;
use slovo_rules::sign_in::{SignInMethod, SignInOutcome};
use utoipa::ToSchema;

/// Why no account was created.
#[derive(Debug)]
pub(super) enum Error {
    Limited(RateLimited),
    /// The code is wrong; there may be attempts left.
    InvalidCode,
    /// The code has expired, or there were too many attempts.
    CodeExpired,
    /// The registration does not exist or has expired.
    RegistrationExpired,
    /// A later sign-up with this address has replaced it.
    RegistrationSuperseded,
    EmailTaken,
    /// An administrator has disabled sign-up.
    Closed,
    Internal(anyhow::Error),
}

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        match self {
            Self::Limited(limited) => Problem::from(limited),
            Self::InvalidCode => {
                Problem::new(StatusCode::UNPROCESSABLE_ENTITY, ProblemCode::InvalidCode)
            }
            Self::CodeExpired => Problem::new(StatusCode::GONE, ProblemCode::CodeExpired),
            Self::RegistrationExpired => {
                Problem::new(StatusCode::GONE, ProblemCode::RegistrationExpired)
            }
            Self::RegistrationSuperseded => {
                Problem::new(StatusCode::GONE, ProblemCode::RegistrationSuperseded)
            }
            Self::EmailTaken => Problem::new(StatusCode::CONFLICT, ProblemCode::EmailTaken),
            Self::Closed => Problem::new(StatusCode::FORBIDDEN, ProblemCode::SignupClosed),
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
    /// The registration's id, as returned by the sign-up.
    pub registration: String,
    /// The five-character code from the mail; case is ignored.
    pub code: String,
}

/// Verifies the address with the emailed code, creates the account and signs it in.
#[utoipa::path(post, path = "/verify", tag = "auth", security(()), request_body = VerifyForm,
    responses(
        (status = CREATED, body = Session),
        (status = FORBIDDEN, body = Document, description = "signup_closed"),
        (status = CONFLICT, body = Document, description = "email_taken"),
        (status = GONE, body = Document, description = "code_expired, registration_expired, \
            registration_superseded"),
        (status = UNPROCESSABLE_ENTITY, body = Document, description = "invalid_code"),
        (status = TOO_MANY_REQUESTS, body = Document, description = "rate_limited"),
    ))]
pub(super) async fn verify(
    State(state): State<AppState>,
    origin: Origin,
    Json(form): Json<VerifyForm>,
) -> Result<(StatusCode, Json<Session>), Error> {
    // A text that cannot be a code does not use up an attempt.
    account::validate_code(&form.code).map_err(|_| Error::InvalidCode)?;
    // Also for registrations that began before sign-up was disabled, because disabling must stop
    // these too.
    if !state.settings.current().await?.switches.sign_up {
        return Err(Error::Closed);
    }
    state.limits.login(origin.address).map_err(Error::Limited)?;
    let mut transaction = state.db.write().await?;
    let row = find(state.auth(), &mut transaction, &form.registration).await?;
    let Some(row) = row else {
        let superseded = is_superseded(state.auth(), &mut transaction, &form.registration).await?;
        return Err(if superseded {
            Error::RegistrationSuperseded
        } else {
            Error::RegistrationExpired
        });
    };
    if row.code_expires_at <= state.clock.now_ms()
        || !registrations::count_try(&mut transaction, &row.id, MAX_TRIES).await?
    {
        return Err(Error::CodeExpired);
    }
    if code_hash(&state.secret, &row.id, &form.code) != row.code_hash {
        // The attempt counts even if the code is wrong.
        transaction.commit().await?;
        note_wrong(&state, &origin, &row.email).await;
        return Err(Error::InvalidCode);
    }
    let hash = Some(row.password_hash.as_str());
    let mut account = new_account::open(state.auth(), &mut transaction, &row.email, hash).await?;
    // Every registration requires them.
    profiles::accept_terms(&mut transaction, &account.id, state.clock.now_ms()).await?;
    account.terms_accepted = true;
    let method = SignInMethod::Code;
    sign_ins::succeeded(state.auth(), &mut transaction, &origin, &account, method).await?;
    if let Some(plan_id) = row.plan_id {
        new_account::request_plan(state.auth(), &mut transaction, &account.id, plan_id).await?;
    }
    let session = session::begin(
        state.auth(),
        &mut transaction,
        account,
        &origin.device,
        true,
    )
    .await?;
    transaction.commit().await?;
    Ok((StatusCode::CREATED, Json(session)))
}

/// Logs a wrong code for this address.
async fn note_wrong(state: &AppState, origin: &Origin, email: &str) {
    let failure = Failure {
        email,
        account_id: None,
        method: SignInMethod::Code,
        outcome: SignInOutcome::WrongCode,
    };
    sign_ins::failed(state.auth(), origin, failure).await;
}
