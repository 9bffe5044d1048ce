//! Accounts: credentials, and the rows that exist for a person from sign-up on.

pub mod api_keys;
pub mod audit;
pub mod blocking;
pub mod email_changes;
pub mod identities;
pub mod preferences;
pub mod profiles;
pub mod registrations;
pub mod resets;
pub mod roles;
pub mod search;
pub(crate) mod searched;
pub mod sessions;
pub mod sign_ins;

use serde::Deserialize;
use slovo_rules::locale::{Locale, Theme};
use slovo_rules::profile::Usage;
use sqlx::Row;

use crate::core::statement::{row_columns, statements};
use crate::{Connection, Result};

/// Whether an account can be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Can be used.
    Active,
    /// Blocked by an administrator: no sign-in, no request.
    Blocked,
}

impl Status {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Blocked => "blocked",
        }
    }
}

/// An account without its password.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    /// UUID.
    pub id: String,
    /// Normalised.
    pub email: String,
    /// From the profile.
    pub fullname: Option<String>,
    /// From the profile: what the person uses the service for.
    pub usage: Option<Usage>,
    /// Version of the current avatar; `None` without one.
    pub avatar: Option<String>,
    /// Whether it can be signed in to with a password.
    pub has_password: bool,
    /// Whether its owner has agreed to the terms.
    pub terms_accepted: bool,
    /// Language of the interface; `None` until one is chosen.
    pub locale: Option<Locale>,
    /// Light or dark; `None` until one is chosen.
    pub theme: Option<Theme>,
    /// Whether it can be used.
    pub status: Status,
    /// Number of its plan; `None` without one.
    pub plan_number: Option<i64>,
    /// Whether it has the role `admin`.
    pub is_admin: bool,
    /// Unix milliseconds.
    pub created_at: i64,
}

/// The data that a sign-in is verified against.
#[derive(Clone)]
pub struct Credentials {
    /// The account's id.
    pub account_id: String,
    /// PHC string; `None` if sign-in by password is not possible.
    pub password_hash: Option<String>,
}

/// A new account; `slovo-rules` has normalised and validated the address.
pub struct NewAccount<'a> {
    /// UUID.
    pub id: &'a str,
    /// UUID of the synced user that is created with it.
    pub synced_user_id: &'a str,
    /// Normalised.
    pub email: &'a str,
    /// PHC string; `None` if sign-in by password is not possible.
    pub password_hash: Option<&'a str>,
    /// Unix milliseconds.
    pub created_at: i64,
}

/// The columns of [`Account`], for statements that name `accounts` as `a`.
macro_rules! account_columns {
    () => {
        "a.id, a.email, a.created_at, p.fullname, p.usage, p.avatar_url, \
         CASE WHEN a.password_hash = '' THEN 0 ELSE 1 END AS has_password, \
         CASE WHEN p.terms_accepted_at IS NULL THEN 0 ELSE 1 END AS terms_accepted, \
         pref.locale, pref.theme, COALESCE(u.status, 'active') AS status, \
         u.subscription_id AS plan_number, \
         (SELECT COUNT(*) FROM user_roles r WHERE r.user_id = a.id AND r.role = 'admin') AS admin_roles"
    };
}

/// The joins that [`account_columns`] needs besides `accounts`.
macro_rules! account_joins {
    () => {
        "LEFT JOIN profiles p ON p.user_id = a.id LEFT JOIN preferences pref ON pref.user_id = a.id \
         LEFT JOIN synced_users u ON u.auth_user_id = a.id"
    };
}
pub(crate) use {account_columns, account_joins};

row_columns! {
    pub(crate) fn read() -> Account from "accounts" by "id" {
        id: text,
        email: text,
        fullname: text_or_none,
        usage: word_or_none,
        avatar: text_or_none in "avatar_url",
        has_password: flag,
        terms_accepted: flag,
        locale: word_or_none,
        theme: word_or_none,
        status: word,
        plan_number: integer_or_none,
        is_admin: integer in "admin_roles" => is_some,
        created_at: integer,
    }
}

statements! {
    const INSERT_ACCOUNT: BOTH =
        "INSERT INTO accounts (id, email, password_hash, created_at, updated_at) \
         VALUES ($1, $2, $3, $4, $4)";
    const INSERT_PROFILE: BOTH =
        "INSERT INTO profiles (user_id, updated_at, fullname) VALUES ($1, $2, \
         (SELECT u.awaited_fullname FROM synced_users u WHERE u.email = $3))";
    const INSERT_USER: BOTH =
        "INSERT INTO synced_users (id, auth_user_id, email, status, created_at) \
         VALUES ($1, $2, $3, 'active', $4) \
         ON CONFLICT (email) DO UPDATE SET auth_user_id = excluded.auth_user_id, \
         awaited_fullname = NULL";
}

/// Whether there is at least one.
fn is_some(number: i64) -> bool {
    number > 0
}

/// Stores a new account with a profile that is empty except for a known name, and links the synced
/// user with that address or creates one.
///
/// # Errors
/// The constraint `accounts_email_key` if the address is taken.
pub async fn insert(connection: &mut Connection, new: &NewAccount<'_>) -> Result<()> {
    sqlx::query(INSERT_ACCOUNT)
        .bind(new.id)
        .bind(new.email)
        .bind(new.password_hash.unwrap_or_default())
        .bind(new.created_at)
        .execute(&mut *connection)
        .await?;
    // The external database may already have the name.
    sqlx::query(INSERT_PROFILE)
        .bind(new.id)
        .bind(new.created_at)
        .bind(new.email)
        .execute(&mut *connection)
        .await?;
    sqlx::query(INSERT_USER)
        .bind(new.synced_user_id)
        .bind(new.id)
        .bind(new.email)
        .bind(new.created_at)
        .execute(&mut *connection)
        .await?;
    searched::update(connection, new.id).await
}

statements! {
    const ANY: BOTH = "SELECT id FROM accounts LIMIT 1";
}

/// Whether any account exists.
pub async fn any(connection: &mut Connection) -> Result<bool> {
    let row = sqlx::query(ANY).fetch_optional(connection).await?;
    Ok(row.is_some())
}

statements! {
    const GET: BOTH -> Account = concat!(
        "SELECT ",
        account_columns!(),
        " FROM accounts a ",
        account_joins!(),
        " WHERE a.id = $1"
    );
}

/// The account with this id.
pub async fn get(connection: &mut Connection, id: &str) -> Result<Option<Account>> {
    sqlx::query(GET)
        .bind(id)
        .fetch_optional(connection)
        .await?
        .as_ref()
        .map(read)
        .transpose()
}

statements! {
    const GET_BY_EMAIL: BOTH -> Account = concat!(
        "SELECT ",
        account_columns!(),
        " FROM accounts a ",
        account_joins!(),
        " WHERE a.email = $1"
    );
}

/// The account with this (normalised) address.
pub async fn get_by_email(connection: &mut Connection, email: &str) -> Result<Option<Account>> {
    sqlx::query(GET_BY_EMAIL)
        .bind(email)
        .fetch_optional(connection)
        .await?
        .as_ref()
        .map(read)
        .transpose()
}

row_columns! {
    fn read_credentials() -> Credentials {
        account_id: text in "id",
        password_hash: text => usable,
    }
}

/// A hash that is not empty.
fn usable(hash: String) -> Option<String> {
    Some(hash).filter(|hash| !hash.is_empty())
}

statements! {
    const CREDENTIALS: BOTH -> Credentials = "SELECT id, password_hash FROM accounts WHERE email = $1";
}

/// The credentials of this (normalised) address.
pub async fn credentials(connection: &mut Connection, email: &str) -> Result<Option<Credentials>> {
    let row = sqlx::query(CREDENTIALS)
        .bind(email)
        .fetch_optional(connection)
        .await?;
    row.as_ref().map(read_credentials).transpose()
}

statements! {
    const PASSWORD_HASH: BOTH = "SELECT password_hash FROM accounts WHERE id = $1";
}

/// The password hash of this account; `None` without a password.
pub async fn password_hash(connection: &mut Connection, id: &str) -> Result<Option<String>> {
    let row = sqlx::query(PASSWORD_HASH)
        .bind(id)
        .fetch_optional(connection)
        .await?;
    let hash: Option<String> = row.map(|row| row.try_get("password_hash")).transpose()?;
    Ok(hash.and_then(usable))
}

statements! {
    const LOCK_UNCHANGED: BOTH =
        "UPDATE accounts SET updated_at = updated_at WHERE id = $1 AND password_hash = $2";
}

/// Locks this account until the transaction ends, if its password hash is still this one (`None`:
/// it still has no password); returns whether it is. A password verified before the call therefore
/// stays valid for the rest of the transaction.
pub async fn lock_unchanged(
    connection: &mut Connection,
    id: &str,
    hash: Option<&str>,
) -> Result<bool> {
    let done = sqlx::query(LOCK_UNCHANGED)
        .bind(id)
        .bind(hash.unwrap_or_default())
        .execute(connection)
        .await?;
    Ok(done.rows_affected() > 0)
}

statements! {
    const LOCK: BOTH = "UPDATE accounts SET updated_at = updated_at WHERE id = $1";
}

/// Like [`lock_unchanged`] with any password; returns whether the account exists.
pub async fn lock(connection: &mut Connection, id: &str) -> Result<bool> {
    let done = sqlx::query(LOCK).bind(id).execute(connection).await?;
    Ok(done.rows_affected() > 0)
}

statements! {
    const SET_PASSWORD: BOTH =
        "UPDATE accounts SET password_hash = $2, updated_at = $3 WHERE id = $1";
}

/// Sets a new password. The caller also ends sessions and removes reset links in the same
/// transaction.
pub async fn set_password(
    connection: &mut Connection,
    id: &str,
    hash: &str,
    now: i64,
) -> Result<()> {
    sqlx::query(SET_PASSWORD)
        .bind(id)
        .bind(hash)
        .bind(now)
        .execute(connection)
        .await?;
    Ok(())
}

statements! {
    const REHASH: BOTH =
        "UPDATE accounts SET password_hash = $3 WHERE id = $1 AND password_hash = $2";
}

/// Replaces a password hash if it is still the one that was read: upgrades to stronger parameters
/// at sign-in without undoing a concurrent change of the password.
pub async fn rehash(
    connection: &mut Connection,
    id: &str,
    old_hash: &str,
    new_hash: &str,
) -> Result<()> {
    sqlx::query(REHASH)
        .bind(id)
        .bind(old_hash)
        .bind(new_hash)
        .execute(connection)
        .await?;
    Ok(())
}

statements! {
    const SET_STATUS: BOTH = "UPDATE synced_users SET status = $2 WHERE auth_user_id = $1";
}

/// Blocks or unblocks an account. A caller that blocks also ends its sessions (`sessions::end_all`)
/// in the same transaction. Returns whether the account exists.
pub async fn set_status(connection: &mut Connection, id: &str, status: Status) -> Result<bool> {
    // Serialises with a concurrent sign-in, which then finishes first or sees the block.
    lock(&mut *connection, id).await?;
    let done = sqlx::query(SET_STATUS)
        .bind(id)
        .bind(status.as_str())
        .execute(connection)
        .await?;
    Ok(done.rows_affected() > 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Backend, apply, each_database, with_database};

    fn new<'a>(id: &'a str, email: &'a str) -> NewAccount<'a> {
        NewAccount {
            id,
            synced_user_id: id,
            email,
            password_hash: Some("$argon2id$"),
            created_at: 5,
        }
    }

    #[apply(each_database!)]
    fn an_account_is_stored_and_found(backend: Backend) {
        with_database(backend, async |database| {
            let mut transaction = database.write().await.unwrap();
            insert(&mut transaction, &new("u1", "оля@example.com"))
                .await
                .unwrap();
            transaction.commit().await.unwrap();

            let mut connection = database.read().await.unwrap();
            let expected = Account {
                id: "u1".into(),
                email: "оля@example.com".into(),
                fullname: None,
                usage: None,
                avatar: None,
                has_password: true,
                terms_accepted: false,
                locale: None,
                theme: None,
                status: Status::Active,
                plan_number: None,
                is_admin: false,
                created_at: 5,
            };
            assert_eq!(
                get(&mut connection, "u1").await.unwrap(),
                Some(expected.clone())
            );
            let found = get_by_email(&mut connection, "оля@example.com")
                .await
                .unwrap();
            assert_eq!(found, Some(expected));
            assert_eq!(get(&mut connection, "u2").await.unwrap(), None);
            assert!(
                credentials(&mut connection, "nobody@example.com")
                    .await
                    .unwrap()
                    .is_none()
            );
        });
    }

    #[apply(each_database!)]
    fn a_taken_email_address_is_refused_by_its_constraint(backend: Backend) {
        with_database(backend, async |database| {
            let mut transaction = database.write().await.unwrap();
            insert(&mut transaction, &new("u1", "a@example.com"))
                .await
                .unwrap();
            transaction.commit().await.unwrap();

            let mut transaction = database.write().await.unwrap();
            let error = insert(&mut transaction, &new("u2", "a@example.com"))
                .await
                .unwrap_err();
            assert_eq!(error.constraint(), Some("accounts_email_key"));
            drop(transaction);

            let mut connection = database.read().await.unwrap();
            assert_eq!(get(&mut connection, "u2").await.unwrap(), None);
        });
    }

    #[apply(each_database!)]
    fn an_account_can_exist_without_a_password(backend: Backend) {
        with_database(backend, async |database| {
            let mut transaction = database.write().await.unwrap();
            let new_account = NewAccount {
                password_hash: None,
                ..new("u1", "a@example.com")
            };
            insert(&mut transaction, &new_account).await.unwrap();
            let account = get(&mut transaction, "u1").await.unwrap().unwrap();
            assert!(!account.has_password);
            let found = credentials(&mut transaction, "a@example.com").await;
            assert_eq!(found.unwrap().unwrap().password_hash, None);
            set_password(&mut transaction, "u1", "$new$", 9)
                .await
                .unwrap();
            let hash = password_hash(&mut transaction, "u1").await.unwrap();
            assert_eq!(hash.as_deref(), Some("$new$"));
            assert!(
                lock_unchanged(&mut transaction, "u1", Some("$new$"))
                    .await
                    .unwrap()
            );
            assert!(!lock_unchanged(&mut transaction, "u1", None).await.unwrap());
            assert!(lock(&mut transaction, "u1").await.unwrap());
            assert!(!lock(&mut transaction, "u9").await.unwrap());
        });
    }

    #[apply(each_database!)]
    fn blocking_changes_the_status_and_unknown_accounts_are_reported(backend: Backend) {
        with_database(backend, async |database| {
            let mut transaction = database.write().await.unwrap();
            insert(&mut transaction, &new("u1", "a@example.com"))
                .await
                .unwrap();
            assert!(
                set_status(&mut transaction, "u1", Status::Blocked)
                    .await
                    .unwrap()
            );
            assert!(
                !set_status(&mut transaction, "u9", Status::Blocked)
                    .await
                    .unwrap()
            );
            let account = get(&mut transaction, "u1").await.unwrap().unwrap();
            assert_eq!(account.status, Status::Blocked);
        });
    }

    #[apply(each_database!)]
    fn a_password_hash_is_replaced_only_if_it_is_still_the_expected_one(backend: Backend) {
        with_database(backend, async |database| {
            let mut transaction = database.write().await.unwrap();
            insert(&mut transaction, &new("u1", "a@example.com"))
                .await
                .unwrap();
            rehash(&mut transaction, "u1", "$other$", "$stolen$")
                .await
                .unwrap();
            let stored = credentials(&mut transaction, "a@example.com")
                .await
                .unwrap()
                .unwrap();
            assert_eq!(stored.password_hash.as_deref(), Some("$argon2id$"));
            rehash(&mut transaction, "u1", "$argon2id$", "$stronger$")
                .await
                .unwrap();
            let changed = credentials(&mut transaction, "a@example.com")
                .await
                .unwrap()
                .unwrap();
            assert_eq!(changed.password_hash.as_deref(), Some("$stronger$"));
        });
    }
}
