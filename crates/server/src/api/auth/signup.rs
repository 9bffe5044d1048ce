//! `POST /api/v1/auth/signup`: makes an account and signs it in. The first account of an empty
//! server becomes its administrator.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use slovo_db::accounts::{self, NewAccount};
use slovo_db::roles;
use slovo_rules::account::{self, SignupForm};
use slovo_rules::violation::Violations;

use crate::auth::session::{self, Session};
use crate::auth::{ClientAddress, Limited};
use crate::http::{Document, Json, Problem};
use crate::state::AppState;

/// Why no account was made.
#[derive(Debug)]
pub(super) enum Error {
    Limited(Limited),
    Invalid(Violations),
    EmailTaken,
    Internal(anyhow::Error),
}

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        match self {
            Self::Limited(limited) => Problem::from(limited),
            Self::Invalid(violations) => Problem::from(violations),
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

/// Makes an account and signs it in.
#[utoipa::path(post, path = "/signup", tag = "auth", security(()), request_body = SignupForm,
    responses(
        (status = CREATED, body = Session),
        (status = CONFLICT, body = Document, description = "email_taken"),
        (status = UNPROCESSABLE_ENTITY, body = Document, description = "validation_failed"),
        (status = TOO_MANY_REQUESTS, body = Document, description = "rate_limited"),
    ))]
pub(super) async fn signup(
    State(state): State<AppState>,
    ClientAddress(address): ClientAddress,
    Json(form): Json<SignupForm>,
) -> Result<(StatusCode, Json<Session>), Error> {
    let valid = account::validate_signup(&form).map_err(Error::Invalid)?;
    // Mistakes in the form are free; each account and each question about an address counts.
    state.limits.signup(address).map_err(Error::Limited)?;
    // Before the address is looked at, so that a taken one takes as long as a free one.
    let hash = state.passwords.hash(&valid.password, &*state.random).await;
    let hash = hash.map_err(Error::Internal)?;

    let (id, synced_user_id) = (state.new_id(), state.new_id());
    let now = state.clock.now_ms();
    let mut transaction = state.db.write().await?;
    let new = NewAccount {
        id: &id,
        synced_user_id: &synced_user_id,
        email: &valid.email,
        password_hash: &hash,
        created_at: now,
    };
    accounts::insert(&mut transaction, &new).await?;
    if roles::claim_founding(&mut transaction, &id, now).await? {
        roles::grant_admin(&mut transaction, &id, now).await?;
    }
    let Some(account) = accounts::get(&mut transaction, &id).await? else {
        return Err(Error::Internal(anyhow::anyhow!("a new account is not there")));
    };
    let session = session::begin(&state, &mut transaction, account).await;
    let session = session.map_err(Error::Internal)?;
    transaction.commit().await?;
    Ok((StatusCode::CREATED, Json(session)))
}
