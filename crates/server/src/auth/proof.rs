//! Whoever changes what an account rests on shows once more that it is theirs: a session left open
//! is not enough.

use std::net::IpAddr;

use axum::http::StatusCode;
use slovo_db::accounts;

use crate::auth::{Caller, Limited, Verdict};
use crate::http::Problem;
use crate::state::AppState;

/// Why it is not shown.
#[derive(Debug)]
pub enum NotProven {
    /// Tried too often.
    Limited(Limited),
    /// Not the account's password.
    WrongPassword,
    /// Something broke.
    Internal(anyhow::Error),
}

impl From<NotProven> for Problem {
    fn from(reason: NotProven) -> Self {
        match reason {
            NotProven::Limited(limited) => Self::from(limited),
            NotProven::WrongPassword => Self::new(StatusCode::FORBIDDEN, "wrong_password"),
            NotProven::Internal(error) => Self::internal(error),
        }
    }
}

/// Checks the caller's password, as often as sign-in allows. An account without one has nothing
/// to show.
///
/// # Errors
/// [`NotProven`].
pub async fn prove(
    state: &AppState,
    caller: &Caller,
    address: IpAddr,
    password: &str,
) -> Result<(), NotProven> {
    let internal = |error: slovo_db::Error| NotProven::Internal(error.into());
    let mut connection = state.db.read().await.map_err(internal)?;
    let stored = accounts::password_hash(&mut connection, &caller.user_id).await;
    drop(connection);
    let Some(stored) = stored.map_err(internal)? else {
        return Ok(());
    };
    let limits = state.limits.login_to(&caller.account.email, address);
    limits.map_err(NotProven::Limited)?;
    let verdict = state
        .passwords
        .verify(password, Some(&stored), &*state.random);
    match verdict.await.map_err(NotProven::Internal)? {
        Verdict::Right | Verdict::RightButRehash(_) => Ok(()),
        Verdict::Wrong => Err(NotProven::WrongPassword),
    }
}
