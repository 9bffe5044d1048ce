//! Who is signed in: sessions, and the family of refresh tokens of each.

use sqlx::Row;

use crate::accounts::{self, Account, account_columns, account_joins};
use crate::{Connection, Result};

/// Why a session ended before its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndReason {
    /// The person signed out.
    SignedOut,
    /// A refresh token was used twice: somebody has a copy.
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
    /// Unix milliseconds.
    pub expires_at: i64,
}

/// What became of using a refresh token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rotation {
    /// It was valid and is used up; the new one is stored in its place.
    Rotated {
        /// The session it belongs to.
        session_id: String,
        /// Whose session that is.
        account: Account,
    },
    /// It had been used before. Its session is ended; commit, so that it stays ended.
    Reused {
        /// The session that was ended.
        session_id: String,
        /// Whose session that was.
        user_id: String,
    },
    /// Unknown, expired, or of a session that has ended.
    Refused,
}

/// Begins a session with its first refresh token.
pub async fn insert(
    connection: &mut Connection,
    session_id: &str,
    user_id: &str,
    token: &NewToken<'_>,
) -> Result<()> {
    sqlx::query(
        "INSERT INTO sessions (id, user_id, created_at, expires_at) VALUES ($1, $2, $3, $4)",
    )
    .bind(session_id)
    .bind(user_id)
    .bind(token.created_at)
    .bind(token.expires_at)
    .execute(&mut *connection)
    .await?;
    insert_token(connection, session_id, token).await
}

async fn insert_token(
    connection: &mut Connection,
    session_id: &str,
    token: &NewToken<'_>,
) -> Result<()> {
    sqlx::query(
        "INSERT INTO refresh_tokens (token_hash, session_id, created_at, expires_at) \
         VALUES ($1, $2, $3, $4)",
    )
    .bind(token.hash)
    .bind(session_id)
    .bind(token.created_at)
    .bind(token.expires_at)
    .execute(connection)
    .await?;
    Ok(())
}

/// The account of a session that is in force at `now`; `None` if it ended, expired or never was.
/// A blocked account is returned as such.
pub async fn account(
    connection: &mut Connection,
    session_id: &str,
    now: i64,
) -> Result<Option<Account>> {
    sqlx::query(concat!(
        "SELECT ",
        account_columns!(),
        " FROM sessions s JOIN accounts a ON a.id = s.user_id ",
        account_joins!(),
        " WHERE s.id = $1 AND s.ended_at IS NULL AND s.expires_at > $2"
    ))
    .bind(session_id)
    .bind(now)
    .fetch_optional(connection)
    .await?
    .as_ref()
    .map(accounts::read)
    .transpose()
}

/// Uses a refresh token and stores the next one. Call it in a transaction and commit whatever
/// the outcome: a second use ends the session, and that must last.
pub async fn rotate(
    connection: &mut Connection,
    token_hash: &str,
    next: &NewToken<'_>,
) -> Result<Rotation> {
    let now = next.created_at;
    // This statement decides between two uses at the same moment: only one finds it unused.
    let used = sqlx::query(
        "UPDATE refresh_tokens SET used_at = $2 WHERE token_hash = $1 AND used_at IS NULL",
    )
    .bind(token_hash)
    .bind(now)
    .execute(&mut *connection)
    .await?
    .rows_affected();
    let found = sqlx::query(
        "SELECT t.session_id, t.expires_at, s.user_id FROM refresh_tokens t \
         JOIN sessions s ON s.id = t.session_id WHERE t.token_hash = $1",
    )
    .bind(token_hash)
    .fetch_optional(&mut *connection)
    .await?;
    let Some(row) = found else {
        return Ok(Rotation::Refused);
    };
    let session_id: String = row.try_get("session_id")?;
    if used == 0 {
        let user_id = row.try_get("user_id")?;
        end(connection, &session_id, EndReason::TokenReused, now).await?;
        return Ok(Rotation::Reused {
            session_id,
            user_id,
        });
    }
    if row.try_get::<i64, _>("expires_at")? <= now {
        return Ok(Rotation::Refused);
    }
    let Some(account) = account(&mut *connection, &session_id, now).await? else {
        return Ok(Rotation::Refused);
    };
    insert_token(connection, &session_id, next).await?;
    sqlx::query("UPDATE sessions SET expires_at = $2 WHERE id = $1")
        .bind(&session_id)
        .bind(next.expires_at)
        .execute(connection)
        .await?;
    Ok(Rotation::Rotated {
        session_id,
        account,
    })
}

/// Which session a refresh token belongs to, whether or not it may still be used.
pub async fn session_of_token(
    connection: &mut Connection,
    token_hash: &str,
) -> Result<Option<String>> {
    let row = sqlx::query("SELECT session_id FROM refresh_tokens WHERE token_hash = $1")
        .bind(token_hash)
        .fetch_optional(connection)
        .await?;
    row.map(|row| Ok(row.try_get("session_id")?)).transpose()
}

/// Ends a session; says whether it was in force.
pub async fn end(
    connection: &mut Connection,
    session_id: &str,
    reason: EndReason,
    now: i64,
) -> Result<bool> {
    let done = sqlx::query(
        "UPDATE sessions SET ended_at = $2, ended_reason = $3 WHERE id = $1 AND ended_at IS NULL",
    )
    .bind(session_id)
    .bind(now)
    .bind(reason.as_str())
    .execute(connection)
    .await?;
    Ok(done.rows_affected() > 0)
}

/// Ends all sessions of an account; says how many were in force.
pub async fn end_all(
    connection: &mut Connection,
    user_id: &str,
    reason: EndReason,
    now: i64,
) -> Result<u64> {
    let done = sqlx::query(
        "UPDATE sessions SET ended_at = $2, ended_reason = $3 \
         WHERE user_id = $1 AND ended_at IS NULL",
    )
    .bind(user_id)
    .bind(now)
    .bind(reason.as_str())
    .execute(connection)
    .await?;
    Ok(done.rows_affected())
}

/// Removes sessions, with their tokens, that could not be in force any more at `before`, ended
/// or not; says how many.
pub async fn remove_expired(connection: &mut Connection, before: i64) -> Result<u64> {
    let done = sqlx::query("DELETE FROM sessions WHERE expires_at <= $1")
        .bind(before)
        .execute(connection)
        .await?;
    Ok(done.rows_affected())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Database;
    use crate::accounts::NewAccount;
    use crate::testing::each_database;

    fn token(hash: &str, created_at: i64) -> NewToken<'_> {
        NewToken {
            hash,
            created_at,
            expires_at: created_at + 100,
        }
    }

    /// A session `s1` of `u1` with the token `t1`, begun at 0.
    async fn begin(database: &Database) {
        let mut transaction = database.write().await.unwrap();
        let new = NewAccount {
            id: "u1",
            synced_user_id: "u1",
            email: "a@example.com",
            password_hash: "$",
            created_at: 0,
        };
        accounts::insert(&mut transaction, &new).await.unwrap();
        insert(&mut transaction, "s1", "u1", &token("t1", 0))
            .await
            .unwrap();
        transaction.commit().await.unwrap();
    }

    async fn rotate_once(database: &Database, hash: &str, next: &NewToken<'_>) -> Rotation {
        let mut transaction = database.write().await.unwrap();
        let outcome = rotate(&mut transaction, hash, next).await.unwrap();
        transaction.commit().await.unwrap();
        outcome
    }

    async fn in_force(database: &Database, now: i64) -> bool {
        let mut connection = database.read().await.unwrap();
        account(&mut connection, "s1", now).await.unwrap().is_some()
    }

    #[test]
    fn each_use_prolongs_and_gives_a_new_token() {
        each_database(async |database| {
            begin(&database).await;
            let second = rotate_once(&database, "t1", &token("t2", 60)).await;
            assert!(matches!(second, Rotation::Rotated { session_id, .. } if session_id == "s1"));
            assert!(in_force(&database, 159).await);
            assert!(!in_force(&database, 160).await);
            let third = rotate_once(&database, "t2", &token("t3", 120)).await;
            assert!(matches!(third, Rotation::Rotated { .. }));
        });
    }

    #[test]
    fn a_second_use_ends_the_whole_family() {
        each_database(async |database| {
            begin(&database).await;
            rotate_once(&database, "t1", &token("t2", 10)).await;
            let again = rotate_once(&database, "t1", &token("t3", 20)).await;
            let expected = Rotation::Reused {
                session_id: "s1".into(),
                user_id: "u1".into(),
            };
            assert_eq!(again, expected);
            assert!(!in_force(&database, 21).await);
            let newest = rotate_once(&database, "t2", &token("t4", 30)).await;
            assert_eq!(newest, Rotation::Refused);
        });
    }

    #[test]
    fn of_two_uses_at_the_same_moment_one_is_a_second_use() {
        each_database(async |database| {
            begin(&database).await;
            let left = {
                let database = database.clone();
                tokio::spawn(async move { rotate_once(&database, "t1", &token("tl", 10)).await })
            };
            let right = {
                let database = database.clone();
                tokio::spawn(async move { rotate_once(&database, "t1", &token("tr", 10)).await })
            };
            let outcomes = [left.await.unwrap(), right.await.unwrap()];
            let rotated = outcomes
                .iter()
                .filter(|o| matches!(o, Rotation::Rotated { .. }))
                .count();
            let reused = outcomes
                .iter()
                .filter(|o| matches!(o, Rotation::Reused { .. }))
                .count();
            assert_eq!((rotated, reused), (1, 1));
            assert!(!in_force(&database, 11).await);
        });
    }

    #[test]
    fn unknown_and_expired_tokens_are_refused() {
        each_database(async |database| {
            begin(&database).await;
            let unknown = rotate_once(&database, "' OR 1=1 --", &token("t2", 10)).await;
            assert_eq!(unknown, Rotation::Refused);
            let expired = rotate_once(&database, "t1", &token("t2", 100)).await;
            assert_eq!(expired, Rotation::Refused);
        });
    }

    #[test]
    fn ended_sessions_stay_ended_and_are_removed_in_time() {
        each_database(async |database| {
            begin(&database).await;
            let mut transaction = database.write().await.unwrap();
            assert_eq!(
                session_of_token(&mut transaction, "t1")
                    .await
                    .unwrap()
                    .as_deref(),
                Some("s1")
            );
            assert!(
                end(&mut transaction, "s1", EndReason::SignedOut, 5)
                    .await
                    .unwrap()
            );
            assert!(
                !end(&mut transaction, "s1", EndReason::SignedOut, 6)
                    .await
                    .unwrap()
            );
            let all = end_all(&mut transaction, "u1", EndReason::Blocked, 7)
                .await
                .unwrap();
            assert_eq!(all, 0);
            assert_eq!(remove_expired(&mut transaction, 99).await.unwrap(), 0);
            assert_eq!(remove_expired(&mut transaction, 100).await.unwrap(), 1);
            assert_eq!(
                session_of_token(&mut transaction, "t1").await.unwrap(),
                None
            );
        });
    }
}
