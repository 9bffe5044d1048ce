//! `POST /api/v1/auth/login`: starts a session.

use std::collections::BTreeMap;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use slovo_app::auth::registration::{self, Registration};
use slovo_app::auth::session::{self, Session};
use slovo_app::auth::sign_ins::{self, Failure};
use slovo_app::auth::{Origin, RateLimited, Verdict};
use slovo_app::http::{Document, Json, Problem};
use slovo_app::state::AppState;
use slovo_db::accounts::{self, Status, sessions};
use slovo_rules::Valid;
use slovo_rules::account::{self, LoginForm};
use slovo_rules::codes::ProblemCode;
use slovo_rules::sign_in::{SignInMethod, SignInOutcome};
use slovo_rules::violation::Violations;
use utoipa::ToSchema;

/// Why the sign-in failed.
#[derive(Debug)]
pub(super) enum Error {
    Limited(RateLimited),
    Invalid(Violations),
    /// Unknown address (`None`) or wrong password (with the account's id): the answer does not say
    /// which.
    Refused(Option<String>),
    /// Revealed only with the correct password.
    Blocked(String),
    /// The address is not verified yet. Revealed only with the correct password.
    Unverified(Registration),
    Internal(anyhow::Error),
}

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        match self {
            Self::Limited(limited) => Problem::from(limited),
            Self::Invalid(violations) => Problem::from(violations),
            Self::Refused(_) => {
                Problem::new(StatusCode::UNAUTHORIZED, ProblemCode::InvalidCredentials)
            }
            Self::Blocked(_) => Problem::new(StatusCode::FORBIDDEN, ProblemCode::AccountBlocked),
            Self::Unverified(registration) => unverified(&registration),
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

/// Includes what the verification page needs.
fn unverified(registration: &Registration) -> Problem {
    let params = match serde_json::to_value(registration) {
        Ok(serde_json::Value::Object(params)) => params.into_iter().collect(),
        _ => BTreeMap::new(),
    };
    Problem::new(StatusCode::FORBIDDEN, ProblemCode::EmailUnverified).params(params)
}

/// The sign-in form, and the duration of the session.
#[derive(Deserialize, ToSchema)]
pub(super) struct LoginRequest {
    #[serde(flatten)]
    form: LoginForm,
    /// Whether the session outlives the browser.
    #[serde(default)]
    remember: bool,
}

/// Signs in with an email address and a password.
#[utoipa::path(post, path = "/login", tag = "auth", security(()), request_body = LoginRequest,
    responses(
        (status = OK, body = Session),
        (status = UNAUTHORIZED, body = Document, description = "invalid_credentials"),
        (status = FORBIDDEN, body = Document, description = "account_blocked, email_unverified"),
        (status = UNPROCESSABLE_ENTITY, body = Document, description = "validation_failed"),
        (status = TOO_MANY_REQUESTS, body = Document, description = "rate_limited"),
    ))]
pub(super) async fn login(
    State(state): State<AppState>,
    origin: Origin,
    Json(request): Json<LoginRequest>,
) -> Result<Json<Session>, Error> {
    let valid = account::validate_login(&request.form).map_err(Error::Invalid)?;
    let signed_in = sign_in(&state, &origin, &valid, request.remember).await;
    if let Err(error) = &signed_in {
        log_failure(&state, &origin, &valid.email, error).await;
    }
    signed_in.map(Json)
}

/// Logs the failure. Unknown addresses are logged too, so that they take as long as wrong
/// passwords.
async fn log_failure(state: &AppState, origin: &Origin, email: &str, error: &Error) {
    let (outcome, account_id) = match error {
        Error::Limited(_) => (SignInOutcome::Limited, None),
        Error::Refused(None) => (SignInOutcome::UnknownAddress, None),
        Error::Refused(Some(id)) => (SignInOutcome::WrongPassword, Some(id.clone())),
        Error::Blocked(id) => (SignInOutcome::Blocked, Some(id.clone())),
        Error::Unverified(_) => (SignInOutcome::Unverified, None),
        Error::Invalid(_) | Error::Internal(_) => return,
    };
    let failure = Failure {
        email,
        account_id,
        method: SignInMethod::Password,
        outcome,
    };
    sign_ins::failed(state.auth(), origin, failure).await;
}

async fn sign_in(
    state: &AppState,
    origin: &Origin,
    valid: &Valid<LoginForm>,
    remember: bool,
) -> Result<Session, Error> {
    check_limits(state, &valid.email, origin).await?;

    // The connection is released while the password is checked. Both queries run for every address,
    // and exactly one hash is compared, so that all answers take equally long.
    let mut connection = state.db.read().await?;
    let stored = accounts::credentials(&mut connection, &valid.email).await?;
    let address = origin.address;
    let pending =
        registration::of_email(state.auth(), &mut connection, &valid.email, address).await?;
    drop(connection);
    let hash = match (&stored, &pending) {
        (Some(stored), _) => stored.password_hash.as_deref(),
        (None, pending) => pending
            .as_ref()
            .map(|pending| pending.password_hash.as_str()),
    };
    let verdict = state
        .passwords
        .verify(&valid.password, hash, &*state.random)
        .await?;
    let account_id = stored.as_ref().map(|stored| stored.account_id.clone());
    if verdict == Verdict::Wrong {
        return Err(Error::Refused(account_id));
    }
    let Some(stored) = stored else {
        let pending = pending.ok_or(Error::Refused(None))?;
        let mails = state.limits.code_to(&pending.email, address).is_ok();
        let started = registration::move_to_browser(state.auth(), pending, mails).await?;
        return Err(Error::Unverified(started));
    };

    let mut transaction = state.db.write().await?;
    // The password may have been changed during the comparison.
    let hash = stored.password_hash.as_deref();
    if !accounts::lock_unchanged(&mut transaction, &stored.account_id, hash).await? {
        return Err(Error::Refused(account_id));
    }
    let account = accounts::get(&mut transaction, &stored.account_id).await?;
    let account = account.ok_or(Error::Refused(account_id))?;
    if account.status == Status::Blocked {
        return Err(Error::Blocked(account.id));
    }
    if let (Verdict::RightButRehash(stronger), Some(old)) = (&verdict, &stored.password_hash) {
        accounts::rehash(&mut transaction, &account.id, old, stronger).await?;
    }
    let method = SignInMethod::Password;
    sign_ins::succeeded(state.auth(), &mut transaction, origin, &account, method).await?;
    let device = &origin.device;
    let session = session::begin(state.auth(), &mut transaction, account, device, remember).await?;
    transaction.commit().await?;
    Ok(session)
}

async fn check_limits(state: &AppState, email: &str, origin: &Origin) -> Result<(), Error> {
    state.limits.login(origin.address).map_err(Error::Limited)?;
    let limits = state.limits.login_to(email, origin.address);
    limits.map_err(Error::Limited)?;
    let Err(limited) = state.limits.login_from_new_networks(email) else {
        return Ok(());
    };
    let address = origin.device.address.as_deref().unwrap_or_default();
    let mut connection = state.db.read().await?;
    if sessions::known_address(&mut connection, email, address).await? {
        return Ok(());
    }
    Err(Error::Limited(limited))
}
