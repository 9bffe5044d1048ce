//! Whoever changes what an account rests on shows once more that it is theirs: a session left open
//! is not enough.

use std::net::IpAddr;

use axum::http::StatusCode;
use slovo_db::Connection;
use slovo_db::accounts::{self, sessions};

use crate::auth::{Caller, Limited, Verdict};
use crate::http::Problem;
use crate::state::AppState;

/// Why it is not shown.
#[derive(Debug)]
pub enum NotProven {
    /// Tried too often.
    Limited(Limited),
    /// Not the account's password, or not any more.
    WrongPassword,
    /// The session ended meanwhile.
    SessionOver,
    /// Something broke.
    Internal(anyhow::Error),
}

impl From<NotProven> for Problem {
    fn from(reason: NotProven) -> Self {
        match reason {
            NotProven::Limited(limited) => Self::from(limited),
            NotProven::WrongPassword => Self::new(StatusCode::FORBIDDEN, "wrong_password"),
            NotProven::SessionOver => Self::unauthorized(),
            NotProven::Internal(error) => Self::internal(error),
        }
    }
}

/// That the caller has shown the password which the account had a moment ago.
#[derive(Clone)]
pub struct Proof {
    user_id: String,
    session_id: String,
    /// The hash that was compared; `None` where the account had none.
    hash: Option<String>,
}

impl Proof {
    /// Makes it count: nobody changes the account from here until the transaction ends. Refuses
    /// when password or session are other ones by now, as when the owner has just reset it.
    ///
    /// # Errors
    /// [`NotProven`].
    pub async fn hold(&self, connection: &mut Connection, now_ms: i64) -> Result<(), NotProven> {
        let hash = self.hash.as_deref();
        if !accounts::hold(connection, &self.user_id, hash).await? {
            return Err(NotProven::WrongPassword);
        }
        let session = sessions::account(connection, &self.session_id, now_ms).await?;
        session.map(|_| ()).ok_or(NotProven::SessionOver)
    }
}

impl From<slovo_db::Error> for NotProven {
    fn from(error: slovo_db::Error) -> Self {
        Self::Internal(error.into())
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
) -> Result<Proof, NotProven> {
    let mut connection = state.db.read().await?;
    let hash = accounts::password_hash(&mut connection, &caller.user_id).await?;
    drop(connection);
    let proof = Proof {
        user_id: caller.user_id.clone(),
        session_id: caller.session_id.clone(),
        hash,
    };
    let Some(hash) = &proof.hash else {
        return Ok(proof);
    };
    let limits = state.limits.login_to(&caller.account.email, address);
    limits.map_err(NotProven::Limited)?;
    let limits = state.limits.proof_of(&caller.user_id);
    limits.map_err(NotProven::Limited)?;
    let verdict = state.passwords.verify(password, Some(hash), &*state.random);
    match verdict.await.map_err(NotProven::Internal)? {
        Verdict::Right | Verdict::RightButRehash(_) => Ok(proof),
        Verdict::Wrong => Err(NotProven::WrongPassword),
    }
}
