//! `POST /api/v1/auth/login`: begins a session.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use slovo_db::accounts::{self, Status};
use slovo_rules::account::{self, LoginForm};
use slovo_rules::violation::Violations;

use crate::auth::session::{self, Session};
use crate::auth::{ClientAddress, Limited, Verdict};
use crate::http::{Document, Json, Problem};
use crate::state::AppState;

/// Why nobody was signed in.
#[derive(Debug)]
pub(super) enum Error {
    Limited(Limited),
    Invalid(Violations),
    /// Unknown address or wrong password: the answer does not say which.
    Refused,
    /// Said only to who knows the password.
    Blocked,
    Internal(anyhow::Error),
}

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        match self {
            Self::Limited(limited) => Problem::from(limited),
            Self::Invalid(violations) => Problem::from(violations),
            Self::Refused => Problem::new(StatusCode::UNAUTHORIZED, "invalid_credentials"),
            Self::Blocked => Problem::new(StatusCode::FORBIDDEN, "account_blocked"),
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

/// Signs in with e-mail and password.
#[utoipa::path(post, path = "/login", tag = "auth", security(()), request_body = LoginForm,
    responses(
        (status = OK, body = Session),
        (status = UNAUTHORIZED, body = Document, description = "invalid_credentials"),
        (status = FORBIDDEN, body = Document, description = "account_blocked"),
        (status = UNPROCESSABLE_ENTITY, body = Document, description = "validation_failed"),
        (status = TOO_MANY_REQUESTS, body = Document, description = "rate_limited"),
    ))]
pub(super) async fn login(
    State(state): State<AppState>,
    ClientAddress(address): ClientAddress,
    Json(form): Json<LoginForm>,
) -> Result<Json<Session>, Error> {
    let valid = account::validate_login(&form).map_err(Error::Invalid)?;
    state.limits.login(address).map_err(Error::Limited)?;
    state.limits.login_to(&valid.email, address).map_err(Error::Limited)?;

    // The connection is given back while the password is checked.
    let stored = accounts::credentials(&mut *state.db.read().await?, &valid.email).await?;
    let hash = stored.as_ref().map(|stored| stored.password_hash.as_str());
    let verdict = state.passwords.verify(&valid.password, hash, &*state.random).await?;
    let (Some(stored), Verdict::Right | Verdict::RightButRehash(_)) = (&stored, &verdict) else {
        return Err(Error::Refused);
    };

    let mut transaction = state.db.write().await?;
    let account = accounts::get(&mut transaction, &stored.account_id).await?;
    let account = account.ok_or(Error::Refused)?;
    if account.status == Status::Blocked {
        return Err(Error::Blocked);
    }
    if let Verdict::RightButRehash(stronger) = &verdict {
        accounts::rehash(&mut transaction, &account.id, &stored.password_hash, stronger).await?;
    }
    let session = session::begin(&state, &mut transaction, account).await?;
    transaction.commit().await?;
    Ok(Json(session))
}
