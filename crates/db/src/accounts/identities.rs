//! Sign-in with an OpenID provider: linked identities, and the handoff after the provider's
//! redirect.

use sqlx::Row;

use crate::core::statement::{row_columns, statements};
use crate::{Connection, Result};

/// A sign-in between the provider's redirect and the page that completes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Handoff {
    /// The account that is signed in.
    pub user_id: String,
    /// Whether the session outlives the browser.
    pub remember: bool,
}

statements! {
    const ACCOUNT_OF: BOTH = "SELECT user_id FROM identities WHERE issuer = $1 AND subject = $2";
}

/// The account that this subject of this issuer signs in to.
pub async fn account_of(
    connection: &mut Connection,
    issuer: &str,
    subject: &str,
) -> Result<Option<String>> {
    let row = sqlx::query(ACCOUNT_OF)
        .bind(issuer)
        .bind(subject)
        .fetch_optional(connection)
        .await?;
    row.map(|row| Ok(row.try_get("user_id")?)).transpose()
}

/// An account's identity at a provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// The provider.
    pub issuer: String,
    /// The subject: the user's id at the provider.
    pub subject: String,
    /// When it was linked, Unix milliseconds.
    pub created_at: i64,
}

row_columns! {
    fn read() -> Identity {
        issuer: text,
        subject: text,
        created_at: integer,
    }
}

statements! {
    const LIST: BOTH -> Identity =
        "SELECT issuer, subject, created_at FROM identities WHERE user_id = $1 \
         ORDER BY created_at, issuer, subject";
}

/// The identities that sign in to this account, the oldest first.
pub async fn list(connection: &mut Connection, user_id: &str) -> Result<Vec<Identity>> {
    let rows = sqlx::query(LIST)
        .bind(user_id)
        .fetch_all(connection)
        .await?;
    rows.iter().map(read).collect()
}

statements! {
    const LINK: BOTH =
        "INSERT INTO identities (issuer, subject, user_id, created_at) VALUES ($1, $2, $3, $4)";
}

/// Links a subject to an account.
///
/// # Errors
/// The constraint `identities_pkey` if it is already linked.
pub async fn link(
    connection: &mut Connection,
    issuer: &str,
    subject: &str,
    user_id: &str,
    now: i64,
) -> Result<()> {
    sqlx::query(LINK)
        .bind(issuer)
        .bind(subject)
        .bind(user_id)
        .bind(now)
        .execute(connection)
        .await?;
    Ok(())
}

statements! {
    const INSERT_HANDOFF: BOTH =
        "INSERT INTO handoffs (token_hash, browser_hash, user_id, remember, expires_at) \
         VALUES ($1, $2, $3, $4, $5)";
}

/// Stores a handoff for the browser with this cookie.
pub async fn insert_handoff(
    connection: &mut Connection,
    token_hash: &str,
    browser_hash: &str,
    handoff: &Handoff,
    expires_at: i64,
) -> Result<()> {
    sqlx::query(INSERT_HANDOFF)
        .bind(token_hash)
        .bind(browser_hash)
        .bind(&handoff.user_id)
        .bind(i64::from(handoff.remember))
        .bind(expires_at)
        .execute(connection)
        .await?;
    Ok(())
}

/// A handoff as it is stored.
struct StoredHandoff {
    user_id: String,
    remember: bool,
    expires_at: i64,
}

row_columns! {
    fn read_handoff() -> StoredHandoff {
        user_id: text,
        remember: flag,
        expires_at: integer,
    }
}

statements! {
    const CONSUME_HANDOFF: BOTH -> StoredHandoff =
        "DELETE FROM handoffs WHERE token_hash = $1 AND browser_hash = $2 \
         RETURNING user_id, remember, expires_at";
}

/// Consumes a handoff; returns it if it is valid at `now` and belongs to this browser.
pub async fn consume_handoff(
    connection: &mut Connection,
    token_hash: &str,
    browser_hash: &str,
    now: i64,
) -> Result<Option<Handoff>> {
    let row = sqlx::query(CONSUME_HANDOFF)
        .bind(token_hash)
        .bind(browser_hash)
        .fetch_optional(connection)
        .await?;
    let Some(row) = row else { return Ok(None) };
    let stored = read_handoff(&row)?;
    Ok((stored.expires_at > now).then_some(Handoff {
        user_id: stored.user_id,
        remember: stored.remember,
    }))
}

statements! {
    const REMOVE_OF: BOTH = "DELETE FROM handoffs WHERE user_id = $1";
}

/// Removes the handoffs of an account, so that pending sign-ins fail.
pub async fn remove_of(connection: &mut Connection, user_id: &str) -> Result<()> {
    sqlx::query(REMOVE_OF)
        .bind(user_id)
        .execute(connection)
        .await?;
    Ok(())
}

statements! {
    const REMOVE_EXPIRED: BOTH = "DELETE FROM handoffs WHERE expires_at <= $1";
}

/// Removes handoffs that have expired at `now`; returns how many.
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
    fn a_subject_belongs_to_one_account(backend: Backend) {
        with_database(backend, async |database| {
            let mut transaction = database.write().await.unwrap();
            account(&mut transaction, "u1").await;
            link(&mut transaction, "https://a", "7", "u1", 1)
                .await
                .unwrap();
            let found = account_of(&mut transaction, "https://a", "7").await;
            assert_eq!(found.unwrap().as_deref(), Some("u1"));
            let all = list(&mut transaction, "u1").await.unwrap();
            assert_eq!((all.len(), all[0].subject.as_str()), (1, "7"));
            let other = account_of(&mut transaction, "https://b", "7").await;
            assert_eq!(other.unwrap(), None);
        });
    }

    #[apply(each_database!)]
    fn a_handoff_works_once_in_its_browser(backend: Backend) {
        with_database(backend, async |database| {
            let mut transaction = database.write().await.unwrap();
            account(&mut transaction, "u1").await;
            let handoff = Handoff {
                user_id: "u1".into(),
                remember: false,
            };
            insert_handoff(&mut transaction, "t", "b", &handoff, 60)
                .await
                .unwrap();
            let take = async |connection: &mut Connection, browser: &str, now| {
                consume_handoff(connection, "t", browser, now)
                    .await
                    .unwrap()
            };
            assert_eq!(take(&mut transaction, "other", 1).await, None);
            assert_eq!(take(&mut transaction, "b", 1).await, Some(handoff.clone()));
            assert_eq!(take(&mut transaction, "b", 1).await, None);
            insert_handoff(&mut transaction, "t", "b", &handoff, 60)
                .await
                .unwrap();
            assert_eq!(take(&mut transaction, "b", 60).await, None);
        });
    }
}
