//! Requested changes of an account's address, until codes prove that both addresses belong to the
//! owner.

use crate::accounts::{self, registrations, resets};
use crate::core::statement::{row_columns, statements};
use crate::{Connection, Result};

/// A request to change the address.
#[derive(Clone, PartialEq, Eq)]
pub struct EmailChange {
    /// The account's id.
    pub user_id: String,
    /// UUID; identifies the codes.
    pub id: String,
    /// Normalised.
    pub new_email: String,
    /// HMAC of the code that was mailed to the current address, lower case hexadecimal.
    pub old_code_hash: String,
    /// HMAC of the code that was mailed to the new one, lower case hexadecimal.
    pub new_code_hash: String,
    /// Unix milliseconds.
    pub created_at: i64,
    /// When the codes expire, Unix milliseconds.
    pub expires_at: i64,
}

row_columns! {
    fn read() -> EmailChange from "email_changes" by "user_id" {
        user_id: text,
        id: text,
        new_email: text,
        old_code_hash: text,
        new_code_hash: text,
        created_at: integer,
        expires_at: integer,
    }
}

statements! {
    const INSERT: BOTH =
        "INSERT INTO email_changes (user_id, id, new_email, old_code_hash, new_code_hash, tries, \
         created_at, expires_at) VALUES ($1, $2, $3, $4, $5, 0, $6, $7)";
}

/// Stores a request and replaces the account's earlier one.
///
/// # Errors
/// When the database fails.
pub async fn insert(connection: &mut Connection, change: &EmailChange) -> Result<()> {
    remove_of(connection, &change.user_id).await?;
    sqlx::query(INSERT)
        .bind(&change.user_id)
        .bind(&change.id)
        .bind(&change.new_email)
        .bind(&change.old_code_hash)
        .bind(&change.new_code_hash)
        .bind(change.created_at)
        .bind(change.expires_at)
        .execute(connection)
        .await?;
    Ok(())
}

statements! {
    const FIND: BOTH -> EmailChange =
        "SELECT user_id, id, new_email, old_code_hash, new_code_hash, created_at, expires_at \
         FROM email_changes WHERE user_id = $1 AND expires_at > $2";
}

/// The account's request, if its codes are valid at `now`.
///
/// # Errors
/// A row that cannot be read.
pub async fn find(
    connection: &mut Connection,
    user_id: &str,
    now: i64,
) -> Result<Option<EmailChange>> {
    sqlx::query(FIND)
        .bind(user_id)
        .bind(now)
        .fetch_optional(connection)
        .await?
        .as_ref()
        .map(read)
        .transpose()
}

statements! {
    const COUNT_TRY: BOTH =
        "UPDATE email_changes SET tries = tries + 1 WHERE id = $1 AND tries < $2";
}

/// Counts an attempt, unless `max` have been counted already; returns whether it was counted. Call
/// it before comparing, so that concurrent attempts cannot exceed `max`.
///
/// # Errors
/// When the database fails.
pub async fn count_try(connection: &mut Connection, id: &str, max: i64) -> Result<bool> {
    let done = sqlx::query(COUNT_TRY)
        .bind(id)
        .bind(max)
        .execute(connection)
        .await?;
    Ok(done.rows_affected() > 0)
}

statements! {
    const REMOVE_OF: BOTH = "DELETE FROM email_changes WHERE user_id = $1";
}

/// Removes the account's request; returns whether there was one.
///
/// # Errors
/// When the database fails.
pub async fn remove_of(connection: &mut Connection, user_id: &str) -> Result<bool> {
    let done = sqlx::query(REMOVE_OF)
        .bind(user_id)
        .execute(connection)
        .await?;
    Ok(done.rows_affected() > 0)
}

statements! {
    const REMOVE_EXPIRED: BOTH = "DELETE FROM email_changes WHERE expires_at <= $1";
}

/// Removes requests that have expired at `now`; returns how many.
///
/// # Errors
/// When the database fails.
pub async fn remove_expired(connection: &mut Connection, now: i64) -> Result<u64> {
    let done = sqlx::query(REMOVE_EXPIRED)
        .bind(now)
        .execute(connection)
        .await?;
    Ok(done.rows_affected())
}

statements! {
    const SET_ACCOUNT_EMAIL: BOTH = "UPDATE accounts SET email = $2, updated_at = $3 WHERE id = $1";
    const SET_USER_EMAIL: BOTH = "UPDATE synced_users SET email = $2 WHERE auth_user_id = $1";
}

/// Gives the account its new address. Removes the account's reset links, sign-ups for the new
/// address, and the request.
///
/// # Errors
/// The constraint `accounts_email_key`, or `synced_users_email_key`, if the address is taken.
pub async fn apply(connection: &mut Connection, change: &EmailChange, now: i64) -> Result<()> {
    let (user_id, email) = (&change.user_id, &change.new_email);
    accounts::lock(&mut *connection, user_id).await?;
    sqlx::query(SET_ACCOUNT_EMAIL)
        .bind(user_id)
        .bind(email)
        .bind(now)
        .execute(&mut *connection)
        .await?;
    sqlx::query(SET_USER_EMAIL)
        .bind(user_id)
        .bind(email)
        .execute(&mut *connection)
        .await?;
    resets::remove_of(&mut *connection, user_id).await?;
    registrations::remove_of(&mut *connection, email).await?;
    remove_of(&mut *connection, user_id).await?;
    accounts::searched::update(connection, user_id).await
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Backend, account, apply as each, each_database, with_database};

    fn change(user: &str, email: &str) -> EmailChange {
        EmailChange {
            user_id: user.to_owned(),
            id: format!("id of {user}"),
            new_email: email.to_owned(),
            old_code_hash: "a".to_owned(),
            new_code_hash: "b".to_owned(),
            created_at: 1,
            expires_at: 10,
        }
    }

    #[each(each_database!)]
    fn the_newest_email_change_counts_and_tries_are_limited(backend: Backend) {
        with_database(backend, async |database| {
            let mut transaction = database.write().await.unwrap();
            account(&mut transaction, "u1").await;
            for email in ["old@example.com", "new@example.com"] {
                insert(&mut transaction, &change("u1", email))
                    .await
                    .unwrap();
            }
            let found = find(&mut transaction, "u1", 9).await.unwrap().unwrap();
            assert_eq!(found.new_email, "new@example.com");
            assert!(find(&mut transaction, "u1", 10).await.unwrap().is_none());
            for expected in [true, true, false] {
                let counted = count_try(&mut transaction, &found.id, 2).await.unwrap();
                assert_eq!(counted, expected);
            }
            assert_eq!(remove_expired(&mut transaction, 9).await.unwrap(), 0);
            assert_eq!(remove_expired(&mut transaction, 10).await.unwrap(), 1);
        });
    }

    #[each(each_database!)]
    fn an_address_is_changed_everywhere_unless_it_is_taken(backend: Backend) {
        with_database(backend, async |database| {
            let mut transaction = database.write().await.unwrap();
            for user in ["u1", "u2"] {
                account(&mut transaction, user).await;
            }
            let requested = change("u1", "new@example.com");
            insert(&mut transaction, &requested).await.unwrap();
            apply(&mut transaction, &requested, 5).await.unwrap();
            transaction.commit().await.unwrap();
            let mut transaction = database.write().await.unwrap();
            let changed = accounts::get(&mut transaction, "u1")
                .await
                .unwrap()
                .unwrap();
            assert_eq!(changed.email, "new@example.com");
            assert!(find(&mut transaction, "u1", 5).await.unwrap().is_none());
            let search = accounts::search::Filter {
                search: "new@".to_owned(),
                ..accounts::search::Filter::default()
            };
            assert_eq!(
                accounts::search::count(&mut transaction, &search)
                    .await
                    .unwrap(),
                1
            );
            let taken = change("u2", "new@example.com");
            let refused = apply(&mut transaction, &taken, 6).await.unwrap_err();
            assert_eq!(refused.constraint(), Some("accounts_email_key"));
        });
    }
}
