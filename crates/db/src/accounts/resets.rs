//! Links to set a new password.

use crate::core::statement::{row_columns, statements};
use crate::{Connection, Result};

statements! {
    const INSERT: BOTH =
        "INSERT INTO password_resets (token_hash, user_id, created_at, expires_at) \
         VALUES ($1, $2, $3, $4)";
}

/// Stores a link of an account and removes its earlier ones: only the newest mail works.
pub async fn insert(
    connection: &mut Connection,
    user_id: &str,
    token_hash: &str,
    now: i64,
    expires_at: i64,
) -> Result<()> {
    remove_of(connection, user_id).await?;
    sqlx::query(INSERT)
        .bind(token_hash)
        .bind(user_id)
        .bind(now)
        .bind(expires_at)
        .execute(connection)
        .await?;
    Ok(())
}

/// A link that was used.
struct UsedLink {
    user_id: String,
    expires_at: i64,
}

row_columns! {
    fn read() -> UsedLink {
        user_id: text,
        expires_at: integer,
    }
}

statements! {
    const CONSUME: BOTH -> UsedLink =
        "DELETE FROM password_resets WHERE token_hash = $1 RETURNING user_id, expires_at";
}

/// Consumes a link; returns its account if the link is valid at `now`. Of two concurrent uses one
/// succeeds.
pub async fn consume(
    connection: &mut Connection,
    token_hash: &str,
    now: i64,
) -> Result<Option<String>> {
    let row = sqlx::query(CONSUME)
        .bind(token_hash)
        .fetch_optional(connection)
        .await?;
    let link = row.as_ref().map(read).transpose()?;
    let valid = link.filter(|link| link.expires_at > now);
    Ok(valid.map(|link| link.user_id))
}

statements! {
    const REMOVE_OF: BOTH = "DELETE FROM password_resets WHERE user_id = $1";
}

/// Removes all links of an account.
pub async fn remove_of(connection: &mut Connection, user_id: &str) -> Result<()> {
    sqlx::query(REMOVE_OF)
        .bind(user_id)
        .execute(connection)
        .await?;
    Ok(())
}

statements! {
    const REMOVE_EXPIRED: BOTH = "DELETE FROM password_resets WHERE expires_at <= $1";
}

/// Removes links that have expired at `now`; returns how many.
pub async fn remove_expired(connection: &mut Connection, now: i64) -> Result<u64> {
    let done = sqlx::query(REMOVE_EXPIRED)
        .bind(now)
        .execute(connection)
        .await?;
    Ok(done.rows_affected())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Backend, account, apply, each_database, with_database};

    #[apply(each_database!)]
    fn only_the_newest_reset_link_works_and_only_once(backend: Backend) {
        with_database(backend, async |database| {
            let mut transaction = database.write().await.unwrap();
            account(&mut transaction, "u1").await;
            insert(&mut transaction, "u1", "old", 0, 100).await.unwrap();
            insert(&mut transaction, "u1", "new", 1, 100).await.unwrap();
            let use_link = async |connection: &mut Connection, hash: &str, now| {
                consume(connection, hash, now).await.unwrap()
            };
            assert_eq!(use_link(&mut transaction, "old", 2).await, None);
            let first = use_link(&mut transaction, "new", 2).await;
            assert_eq!(first.as_deref(), Some("u1"));
            assert_eq!(use_link(&mut transaction, "new", 2).await, None);
        });
    }

    #[apply(each_database!)]
    fn an_expired_link_does_not_work(backend: Backend) {
        with_database(backend, async |database| {
            let mut transaction = database.write().await.unwrap();
            account(&mut transaction, "u1").await;
            insert(&mut transaction, "u1", "a", 0, 100).await.unwrap();
            assert_eq!(consume(&mut transaction, "a", 100).await.unwrap(), None);
            insert(&mut transaction, "u1", "b", 0, 100).await.unwrap();
            assert_eq!(remove_expired(&mut transaction, 99).await.unwrap(), 0);
            assert_eq!(remove_expired(&mut transaction, 100).await.unwrap(), 1);
        });
    }
}
