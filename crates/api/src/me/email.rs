//! `/api/v1/me/email`: changes the address of the caller's account.
//!
//! The change requires two codes, one mailed to the current address and one to the new address.
//! Whether the new address is taken is revealed only to its owner by mail, and to whoever has
//! proven to own it: until then the answers are the same.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use slovo_app::auth::proof::{ProofError, confirm_password};
use slovo_app::auth::registration::{MAX_TRIES, code_hash, new_code};
use slovo_app::auth::session::User;
use slovo_app::auth::{Caller, ClientAddress, RateLimited};
use slovo_app::http::{Document, Json, Problem};
use slovo_app::state::AppState;
use slovo_db::accounts;
use slovo_db::accounts::email_changes::{self, EmailChange};
use slovo_db::accounts::sessions::{self, EndReason};
use slovo_mail::Mail;
use slovo_platform::clock::from_ms;
use slovo_rules::account::{self, CODE_MINUTES};
use slovo_rules::codes::ProblemCode;
use slovo_rules::violation::Violations;
use utoipa::ToSchema;

/// Why the address is unchanged.
#[derive(Debug)]
pub(super) enum Error {
    Limited(RateLimited),
    Invalid(Violations),
    NotProven(ProofError),
    /// It is already the account's address.
    Unchanged,
    /// There is no pending change, or its codes have expired or were tried too often.
    CodeExpired,
    /// At least one of the codes is wrong.
    InvalidCode,
    /// Another account has the address.
    Taken,
    Internal(anyhow::Error),
}

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        match self {
            Self::Limited(limited) => Problem::from(limited),
            Self::Invalid(violations) => Problem::from(violations),
            Self::NotProven(reason) => Problem::from(reason),
            Self::Unchanged => Problem::new(StatusCode::CONFLICT, ProblemCode::EmailUnchanged),
            Self::CodeExpired => Problem::new(StatusCode::GONE, ProblemCode::EmailCodesExpired),
            Self::InvalidCode => Problem::new(
                StatusCode::UNPROCESSABLE_ENTITY,
                ProblemCode::EmailCodesInvalid,
            ),
            Self::Taken => Problem::new(StatusCode::CONFLICT, ProblemCode::EmailTaken),
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

/// The requested address.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = ChangeEmailForm)]
pub(super) struct Form {
    /// The new e-mail address.
    email: String,
    /// The account's password; not required if it has none.
    #[serde(default)]
    password: String,
}

/// A pending change, which requires two codes.
#[derive(Serialize, ToSchema)]
#[schema(as = EmailChange)]
pub(super) struct PendingEmailChange {
    /// The new address, normalised.
    email: String,
    /// When the codes expire.
    #[schema(value_type = String, format = DateTime)]
    expires_at: Timestamp,
}

/// The pending change, if there is one.
#[derive(Serialize, ToSchema)]
#[schema(as = PendingEmailChange)]
pub(super) struct Pending {
    /// Null if no change is pending.
    #[schema(required)]
    change: Option<PendingEmailChange>,
}

/// Both codes.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = ConfirmEmailForm)]
pub(super) struct Codes {
    /// From the mail to the current address; case is ignored.
    old_code: String,
    /// From the mail to the new address.
    new_code: String,
}

impl From<EmailChange> for PendingEmailChange {
    fn from(change: EmailChange) -> Self {
        Self {
            email: change.new_email,
            expires_at: from_ms(change.expires_at),
        }
    }
}

/// Returns the email change that is waiting for its codes.
#[utoipa::path(get, path = "/me/email", tag = "me", operation_id = "get_email_change",
    responses(
        (status = OK, body = Pending),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
    ))]
pub(super) async fn get(
    State(state): State<AppState>,
    caller: Caller,
) -> Result<Json<Pending>, Problem> {
    let mut connection = state.db.read().await?;
    let now = state.clock.now_ms();
    let change = email_changes::find(&mut connection, &caller.user_id, now).await?;
    Ok(Json(Pending {
        change: change.map(PendingEmailChange::from),
    }))
}

/// Emails a code to the current address and one to the new address, and cancels an earlier change.
/// The answer is the same if another account already has the new address.
#[utoipa::path(post, path = "/me/email", tag = "me", operation_id = "begin_email_change",
    request_body = Form,
    responses(
        (status = ACCEPTED, body = PendingEmailChange),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
        (status = FORBIDDEN, body = Document, description = "wrong_password"),
        (status = CONFLICT, body = Document, description = "email_unchanged"),
        (status = UNPROCESSABLE_ENTITY, body = Document, description = "validation_failed"),
        (status = TOO_MANY_REQUESTS, body = Document, description = "rate_limited"),
    ))]
pub(super) async fn begin(
    State(state): State<AppState>,
    ClientAddress(address): ClientAddress,
    caller: Caller,
    Json(form): Json<Form>,
) -> Result<(StatusCode, Json<PendingEmailChange>), Error> {
    let email = account::validate_email("email", &form.email);
    let email = email.map_err(|violation| Error::Invalid(violation.into()))?;
    if email == caller.account.email {
        return Err(Error::Unchanged);
    }
    let proof = confirm_password(state.auth(), &caller, address, &form.password).await;
    let proof = proof.map_err(Error::NotProven)?;
    for to in [&caller.account.email, &email] {
        state.limits.code_to(to, address).map_err(Error::Limited)?;
    }
    let now = state.clock.now_ms();
    let (id, old_code) = (state.new_id(), new_code(&*state.random));
    let fresh_code = new_code(&*state.random);
    let change = EmailChange {
        user_id: caller.user_id.clone(),
        old_code_hash: old_hash(&state, &id, &old_code),
        new_code_hash: new_hash(&state, &id, &fresh_code),
        id,
        new_email: email,
        created_at: now,
        expires_at: now + CODE_MINUTES * 60 * 1000,
    };
    let mut transaction = state.db.write().await?;
    let proven = proof.hold(&mut transaction, now).await;
    proven.map_err(Error::NotProven)?;
    let existing = accounts::get_by_email(&mut transaction, &change.new_email).await?;
    email_changes::insert(&mut transaction, &change).await?;
    transaction.commit().await?;
    let minutes = u32::try_from(CODE_MINUTES).unwrap_or(0);
    let locale = caller.account.locale.unwrap_or_default();
    let to_old = Mail::EmailCodeOld {
        code: old_code,
        wanted: change.new_email.clone(),
        minutes,
    };
    // Both mails are sent in the background, so that timing reveals no more than the answer.
    state.mail.send_soon(&caller.account.email, locale, &to_old);
    match existing {
        None => {
            let code = fresh_code;
            let mail = Mail::EmailCodeNew { code, minutes };
            state.mail.send_soon(&change.new_email, locale, &mail);
        }
        // The address is taken, so its owner gets a notice instead of a code.
        Some(other) => {
            let locale = other.locale.unwrap_or(locale);
            state
                .mail
                .send_soon(&other.email, locale, &Mail::EmailTaken);
        }
    }
    Ok((StatusCode::ACCEPTED, Json(change.into())))
}

/// Changes the email address with both codes, and ends the account's other sessions.
#[utoipa::path(post, path = "/me/email/confirm", tag = "me", operation_id = "confirm_email_change",
    request_body = Codes,
    responses(
        (status = OK, body = User),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
        (status = CONFLICT, body = Document, description = "email_taken"),
        (status = GONE, body = Document, description = "email_codes_expired"),
        (status = UNPROCESSABLE_ENTITY, body = Document, description = "email_codes_invalid"),
        (status = TOO_MANY_REQUESTS, body = Document, description = "rate_limited"),
    ))]
pub(super) async fn confirm(
    State(state): State<AppState>,
    ClientAddress(address): ClientAddress,
    caller: Caller,
    Json(codes): Json<Codes>,
) -> Result<Json<User>, Error> {
    // A text that cannot be a code does not use up an attempt.
    for code in [&codes.old_code, &codes.new_code] {
        account::validate_code(code).map_err(|_| Error::InvalidCode)?;
    }
    state.limits.login(address).map_err(Error::Limited)?;
    let now = state.clock.now_ms();
    let mut transaction = state.db.write().await?;
    let change = email_changes::find(&mut transaction, &caller.user_id, now).await?;
    let change = change.ok_or(Error::CodeExpired)?;
    if !email_changes::count_try(&mut transaction, &change.id, MAX_TRIES).await? {
        return Err(Error::CodeExpired);
    }
    // The answer does not say which one is wrong; otherwise each could be guessed separately.
    let old = old_hash(&state, &change.id, &codes.old_code) == change.old_code_hash;
    let new = new_hash(&state, &change.id, &codes.new_code) == change.new_code_hash;
    if !(old && new) {
        // The attempt counts even when a code is wrong.
        transaction.commit().await?;
        return Err(Error::InvalidCode);
    }
    let applied = email_changes::apply(&mut transaction, &change, now).await;
    applied.map_err(|error| match error.constraint() {
        Some("accounts_email_key" | "synced_users_email_key") => Error::Taken,
        _ => error.into(),
    })?;
    let (user, session) = (&caller.user_id, caller.credential.id());
    sessions::end_others(&mut transaction, user, session, EndReason::SignedOut, now).await?;
    let account = accounts::get(&mut transaction, user).await?;
    let account =
        account.ok_or_else(|| anyhow::anyhow!("an account was deleted in the meantime"))?;
    transaction.commit().await?;
    let mail = Mail::EmailChanged {
        now: change.new_email,
        when: state.clock.now(),
    };
    let locale = account.locale.unwrap_or_default();
    state.mail.send_soon(&caller.account.email, locale, &mail);
    Ok(Json(account.into()))
}

/// Cancels the email change: its codes stop working.
#[utoipa::path(delete, path = "/me/email", tag = "me", operation_id = "cancel_email_change",
    responses(
        (status = NO_CONTENT),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
    ))]
pub(super) async fn cancel(
    State(state): State<AppState>,
    caller: Caller,
) -> Result<StatusCode, Problem> {
    let mut transaction = state.db.write().await?;
    email_changes::remove_of(&mut transaction, &caller.user_id).await?;
    transaction.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

fn old_hash(state: &AppState, id: &str, code: &str) -> String {
    code_hash(&state.secret, &format!("{id} old address"), code)
}

fn new_hash(state: &AppState, id: &str, code: &str) -> String {
    code_hash(&state.secret, &format!("{id} new address"), code)
}
