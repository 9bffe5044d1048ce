//! Sessions, and the family of refresh tokens of each.

mod rows;
#[cfg(test)]
mod tests;

use sqlx::Row;

use crate::accounts::{self, Account, account_columns, account_joins};
use crate::core::statement::statements;
use crate::{Connection, Result};

/// Why a session ended before its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndReason {
    /// The person signed out, or an administrator ended the session.
    SignedOut,
    /// A refresh token was used twice, so it has been copied.
    TokenReused,
    /// An administrator blocked the account.
    Blocked,
    /// The password was changed elsewhere.
    PasswordChanged,
}

impl EndReason {
    fn as_str(self) -> &'static str {
        match self {
            Self::SignedOut => "signed_out",
            Self::TokenReused => "token_reused",
            Self::Blocked => "blocked",
            Self::PasswordChanged => "password_changed",
        }
    }
}

/// A refresh token to be stored.
pub struct NewToken<'a> {
    /// SHA-256 of the token, lower case hexadecimal.
    pub hash: &'a str,
    /// Unix milliseconds.
    pub created_at: i64,
    /// How long it is valid.
    pub lifetimes: Lifetimes,
}

/// How long an unused session lasts, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lifetimes {
    /// A session that outlives the browser.
    pub remembered: i64,
    /// A session that ends with the browser; the server drops it soon after.
    pub until_closed: i64,
}

impl NewToken<'_> {
    fn expires_at(&self, remember: bool) -> i64 {
        let lifetime = if remember {
            self.lifetimes.remembered
        } else {
            self.lifetimes.until_closed
        };
        self.created_at + lifetime
    }
}

/// The result of using a refresh token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rotation {
    /// It was valid and is consumed; its successor is stored.
    Rotated {
        /// The session it belongs to.
        session_id: String,
        /// The account of the session.
        account: Account,
    },
    /// It had been used before. Its session is ended; commit, so that this lasts.
    Reused {
        /// The session that was ended.
        session_id: String,
        /// The account of that session.
        user_id: String,
    },
    /// Unknown, expired, or of an ended session.
    Refused,
}

/// The details by which people recognise their sessions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Device {
    /// The `User-Agent` header, truncated.
    pub user_agent: Option<String>,
    /// Network address, as text.
    pub address: Option<String>,
}

/// A session as its owner sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    /// UUID.
    pub id: String,
    /// Where it was last used.
    pub device: Device,
    /// Whether it outlives the browser.
    pub remember: bool,
    /// Unix milliseconds.
    pub created_at: i64,
    /// When its newest tokens were made, Unix milliseconds.
    pub last_used_at: i64,
}

/// A new session.
pub struct NewSession<'a> {
    /// UUID.
    pub id: &'a str,
    /// The account's id.
    pub user_id: &'a str,
    /// The client.
    pub device: &'a Device,
    /// Whether it outlives the browser.
    pub remember: bool,
}

statements! {
    const INSERT: BOTH =
        "INSERT INTO sessions (id, user_id, created_at, expires_at, user_agent, address, \
         last_used_at, remember) VALUES ($1, $2, $3, $4, $5, $6, $3, $7)";
}

/// Starts a session with its first refresh token.
pub async fn insert(
    connection: &mut Connection,
    new: &NewSession<'_>,
    token: &NewToken<'_>,
) -> Result<()> {
    sqlx::query(INSERT)
        .bind(new.id)
        .bind(new.user_id)
        .bind(token.created_at)
        .bind(token.expires_at(new.remember))
        .bind(new.device.user_agent.as_deref())
        .bind(new.device.address.as_deref())
        .bind(i64::from(new.remember))
        .execute(&mut *connection)
        .await?;
    insert_token(connection, new.id, token, new.remember).await
}

statements! {
    const INSERT_TOKEN: BOTH =
        "INSERT INTO refresh_tokens (token_hash, session_id, created_at, expires_at) \
         VALUES ($1, $2, $3, $4)";
}

async fn insert_token(
    connection: &mut Connection,
    session_id: &str,
    token: &NewToken<'_>,
    remember: bool,
) -> Result<()> {
    sqlx::query(INSERT_TOKEN)
        .bind(token.hash)
        .bind(session_id)
        .bind(token.created_at)
        .bind(token.expires_at(remember))
        .execute(connection)
        .await?;
    Ok(())
}

statements! {
    const ACCOUNT: BOTH -> Account = concat!(
        "SELECT ",
        account_columns!(),
        " FROM sessions s JOIN accounts a ON a.id = s.user_id ",
        account_joins!(),
        " WHERE s.id = $1 AND s.ended_at IS NULL AND s.expires_at > $2"
    );
}

/// The account of a session that is active at `now`; `None` if it has ended or expired or is
/// unknown. A blocked account is returned with that status.
pub async fn account(
    connection: &mut Connection,
    session_id: &str,
    now: i64,
) -> Result<Option<Account>> {
    sqlx::query(ACCOUNT)
        .bind(session_id)
        .bind(now)
        .fetch_optional(connection)
        .await?
        .as_ref()
        .map(accounts::read)
        .transpose()
}

statements! {
    const ROTATE_TOKEN: BOTH =
        "UPDATE refresh_tokens SET used_at = $2 WHERE token_hash = $1 AND used_at IS NULL";
    const REPLACED_TOKEN: BOTH -> rows::StoredToken =
        "SELECT t.session_id, t.expires_at, s.user_id, s.remember FROM refresh_tokens t \
         JOIN sessions s ON s.id = t.session_id WHERE t.token_hash = $1";
    const TOUCH_SESSION: BOTH =
        "UPDATE sessions SET expires_at = $2, last_used_at = $3, \
         user_agent = COALESCE($4, user_agent), address = COALESCE($5, address) WHERE id = $1";
}

/// Consumes a refresh token and stores its successor. Call it in a transaction and commit in every
/// case: a second use ends the session, and that must last.
pub async fn rotate(
    connection: &mut Connection,
    token_hash: &str,
    next: &NewToken<'_>,
    device: &Device,
) -> Result<Rotation> {
    let now = next.created_at;
    // This statement decides between two concurrent uses: only one finds the token unused.
    let used = sqlx::query(ROTATE_TOKEN)
        .bind(token_hash)
        .bind(now)
        .execute(&mut *connection)
        .await?
        .rows_affected();
    let found = sqlx::query(REPLACED_TOKEN)
        .bind(token_hash)
        .fetch_optional(&mut *connection)
        .await?;
    let Some(row) = found else {
        return Ok(Rotation::Refused);
    };
    let rows::StoredToken {
        session_id,
        user_id,
        expires_at,
        remember,
    } = rows::read_token(&row)?;
    if used == 0 {
        end(connection, &session_id, EndReason::TokenReused, now).await?;
        return Ok(Rotation::Reused {
            session_id,
            user_id,
        });
    }
    if expires_at <= now {
        return Ok(Rotation::Refused);
    }
    let Some(account) = account(&mut *connection, &session_id, now).await? else {
        return Ok(Rotation::Refused);
    };
    insert_token(connection, &session_id, next, remember).await?;
    sqlx::query(TOUCH_SESSION)
        .bind(&session_id)
        .bind(next.expires_at(remember))
        .bind(now)
        .bind(device.user_agent.as_deref())
        .bind(device.address.as_deref())
        .execute(connection)
        .await?;
    Ok(Rotation::Rotated {
        session_id,
        account,
    })
}

statements! {
    const SESSION_OF_TOKEN: BOTH = "SELECT session_id FROM refresh_tokens WHERE token_hash = $1";
}

/// The session of a refresh token, whether or not the token is still valid.
pub async fn session_of_token(
    connection: &mut Connection,
    token_hash: &str,
) -> Result<Option<String>> {
    let row = sqlx::query(SESSION_OF_TOKEN)
        .bind(token_hash)
        .fetch_optional(connection)
        .await?;
    row.map(|row| Ok(row.try_get("session_id")?)).transpose()
}

statements! {
    const END: BOTH =
        "UPDATE sessions SET ended_at = $2, ended_reason = $3 WHERE id = $1 AND ended_at IS NULL";
}

/// Ends a session; returns whether it was active.
pub async fn end(
    connection: &mut Connection,
    session_id: &str,
    reason: EndReason,
    now: i64,
) -> Result<bool> {
    let done = sqlx::query(END)
        .bind(session_id)
        .bind(now)
        .bind(reason.as_str())
        .execute(connection)
        .await?;
    Ok(done.rows_affected() > 0)
}

statements! {
    const END_ALL: BOTH =
        "UPDATE sessions SET ended_at = $2, ended_reason = $3 \
         WHERE user_id = $1 AND ended_at IS NULL";
}

/// Ends all sessions of an account; returns how many were active.
pub async fn end_all(
    connection: &mut Connection,
    user_id: &str,
    reason: EndReason,
    now: i64,
) -> Result<u64> {
    let done = sqlx::query(END_ALL)
        .bind(user_id)
        .bind(now)
        .bind(reason.as_str())
        .execute(connection)
        .await?;
    Ok(done.rows_affected())
}

statements! {
    const END_OTHERS: BOTH =
        "UPDATE sessions SET ended_at = $2, ended_reason = $3 \
         WHERE user_id = $1 AND id <> $4 AND ended_at IS NULL";
}

/// Ends all sessions of an account but one; returns how many were active.
pub async fn end_others(
    connection: &mut Connection,
    user_id: &str,
    except: &str,
    reason: EndReason,
    now: i64,
) -> Result<u64> {
    let done = sqlx::query(END_OTHERS)
        .bind(user_id)
        .bind(now)
        .bind(reason.as_str())
        .bind(except)
        .execute(connection)
        .await?;
    Ok(done.rows_affected())
}

statements! {
    const END_OWN: BOTH =
        "UPDATE sessions SET ended_at = $3, ended_reason = $4 \
         WHERE id = $2 AND user_id = $1 AND ended_at IS NULL AND expires_at > $3";
}

/// Ends a session if it belongs to this account; returns whether it was active.
pub async fn end_own(
    connection: &mut Connection,
    user_id: &str,
    session_id: &str,
    now: i64,
) -> Result<bool> {
    let done = sqlx::query(END_OWN)
        .bind(user_id)
        .bind(session_id)
        .bind(now)
        .bind(EndReason::SignedOut.as_str())
        .execute(connection)
        .await?;
    Ok(done.rows_affected() > 0)
}

statements! {
    const LIST: BOTH -> Session, Device =
        "SELECT id, user_agent, address, created_at, last_used_at, remember FROM sessions \
         WHERE user_id = $1 AND ended_at IS NULL AND expires_at > $2 \
         ORDER BY last_used_at DESC, created_at DESC, id";
}

/// An account's sessions that are active at `now`, the last used first.
pub async fn list(connection: &mut Connection, user_id: &str, now: i64) -> Result<Vec<Session>> {
    let rows = sqlx::query(LIST)
        .bind(user_id)
        .bind(now)
        .fetch_all(connection)
        .await?;
    rows.iter().map(rows::read).collect()
}

statements! {
    const KNOWN_ADDRESS: BOTH =
        "SELECT s.id FROM sessions s JOIN accounts a ON a.id = s.user_id \
         WHERE a.email = $1 AND s.address = $2 LIMIT 1";
}

/// Whether the account with this (normalised) e-mail address has had a session from this network
/// address, that is, someone who knows the password has used it.
pub async fn known_address(
    connection: &mut Connection,
    email: &str,
    address: &str,
) -> Result<bool> {
    let row = sqlx::query(KNOWN_ADDRESS)
        .bind(email)
        .bind(address)
        .fetch_optional(connection)
        .await?;
    Ok(row.is_some())
}

statements! {
    const REMOVE_EXPIRED: BOTH = "DELETE FROM sessions WHERE expires_at <= $1";
}

/// Removes sessions with their tokens that were no longer valid at `before`, ended or not; returns
/// how many.
pub async fn remove_expired(connection: &mut Connection, before: i64) -> Result<u64> {
    let done = sqlx::query(REMOVE_EXPIRED)
        .bind(before)
        .execute(connection)
        .await?;
    Ok(done.rows_affected())
}
