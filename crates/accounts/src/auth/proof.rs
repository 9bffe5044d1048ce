//! Password confirmation before sensitive changes to an account: an open session is not enough.

use std::net::IpAddr;

use slovo_db::Connection;
use slovo_db::accounts::{self, sessions};

use super::{Caller, Parts, RateLimited, Verdict};

/// Why the confirmation failed.
#[derive(Debug)]
pub enum ProofError {
    /// Too many attempts.
    Limited(RateLimited),
    /// The password is wrong, or was changed meanwhile.
    WrongPassword,
    /// The session has ended meanwhile.
    SessionOver,
    /// An internal error.
    Internal(anyhow::Error),
}

/// Proof that the caller gave the account's current password.
#[derive(Clone)]
pub struct PasswordProof {
    user_id: String,
    session_id: String,
    /// The hash that was verified; `None` if the account had no password.
    hash: Option<String>,
}

impl PasswordProof {
    /// Locks the account until the transaction ends, and fails if the password or the session has
    /// changed since, for example because the owner has just reset it.
    ///
    /// # Errors
    /// [`ProofError`].
    pub async fn hold(&self, connection: &mut Connection, now_ms: i64) -> Result<(), ProofError> {
        let hash = self.hash.as_deref();
        if !accounts::lock_unchanged(connection, &self.user_id, hash).await? {
            return Err(ProofError::WrongPassword);
        }
        let session = sessions::account(connection, &self.session_id, now_ms).await?;
        session.map(|_| ()).ok_or(ProofError::SessionOver)
    }
}

impl From<slovo_db::Error> for ProofError {
    fn from(error: slovo_db::Error) -> Self {
        Self::Internal(error.into())
    }
}

/// Verifies the caller's password, rate limited like sign-in. An account without a password needs
/// no proof.
///
/// # Errors
/// [`ProofError`].
pub async fn confirm_password(
    parts: Parts<'_>,
    caller: &Caller,
    address: IpAddr,
    password: &str,
) -> Result<PasswordProof, ProofError> {
    let mut connection = parts.db.read().await?;
    let hash = accounts::password_hash(&mut connection, &caller.user_id).await?;
    drop(connection);
    let proof = PasswordProof {
        user_id: caller.user_id.clone(),
        session_id: caller.credential.id().to_owned(),
        hash,
    };
    let Some(hash) = &proof.hash else {
        return Ok(proof);
    };
    let limits = parts.limits.login_to(&caller.account.email, address);
    limits.map_err(ProofError::Limited)?;
    let limits = parts.limits.proof_of(&caller.user_id);
    limits.map_err(ProofError::Limited)?;
    let verdict = parts.passwords.verify(password, Some(hash), parts.random);
    match verdict.await.map_err(ProofError::Internal)? {
        Verdict::Right | Verdict::RightButRehash(_) => Ok(proof),
        Verdict::Wrong => Err(ProofError::WrongPassword),
    }
}
