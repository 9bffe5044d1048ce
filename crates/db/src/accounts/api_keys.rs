//! API keys: table `api_keys`.

use slovo_rules::api_key::ApiScope;
use sqlx::Row;
use uuid::Uuid;

use super::{Account, account_columns, account_joins};
use crate::core::fields::{containing, json};
use crate::core::statement::{row_columns, statements};
use crate::{Connection, Result};

/// A key as its owner sees it. The secret itself is not stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApiKey {
    /// Its id.
    pub id: Uuid,
    /// Chosen by its owner.
    pub name: String,
    /// The last characters of the secret.
    pub hint: String,
    /// What it permits.
    pub scopes: Vec<ApiScope>,
    /// Unix milliseconds.
    pub created_at: i64,
    /// Unix milliseconds; `None` means never.
    pub expires_at: Option<i64>,
    /// Unix milliseconds, to the minute; `None` if it was never used.
    pub last_used_at: Option<i64>,
    /// Network address of the last use.
    pub last_address: Option<String>,
}

row_columns! {
    fn read() -> ApiKey from "api_keys" by "id" {
        id: uuid,
        name: text,
        hint: text,
        scopes: json,
        created_at: integer,
        expires_at: integer_or_none,
        last_used_at: integer_or_none,
        last_address: text_or_none,
    }
}

/// A key with its owner, for administrators.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnedKey {
    /// The key.
    pub key: ApiKey,
    /// The account.
    pub user_id: String,
    /// Its address.
    pub email: String,
}

row_columns! {
    fn read_owned() -> OwnedKey from "api_keys" by "id" {
        user_id: text,
        email: text;
        key: read,
    }
}

/// The columns of [`ApiKey`], for statements that name `api_keys` as `k`.
macro_rules! key_columns {
    () => {
        "k.id, k.name, k.hint, k.scopes, k.created_at, k.expires_at, k.last_used_at, k.last_address"
    };
}

statements! {
    const INSERT: BOTH =
        "INSERT INTO api_keys (id, user_id, name, key_hash, hint, scopes, created_at, expires_at) \
         SELECT $1, id, $3, $4, $5, $6, $7, CAST($8 AS BIGINT) FROM accounts WHERE id = $2";
    const COUNT: BOTH = "SELECT COUNT(*) AS found FROM api_keys WHERE user_id = $1";
    const LIST: BOTH -> ApiKey = concat!(
        "SELECT ",
        key_columns!(),
        " FROM api_keys k WHERE k.user_id = $1 ORDER BY k.created_at DESC, k.id DESC"
    );
    const LIST_ALL: BOTH -> OwnedKey = concat!(
        "SELECT ",
        key_columns!(),
        ", k.user_id, a.email FROM api_keys k JOIN accounts a ON a.id = k.user_id \
         WHERE (k.created_at < $1 OR (k.created_at = $1 AND k.id < $2)) \
         AND a.email LIKE $3 ESCAPE '!' ORDER BY k.created_at DESC, k.id DESC LIMIT $4"
    );
    const FIND: BOTH -> OwnedKey = concat!(
        "SELECT ",
        key_columns!(),
        ", k.user_id, a.email FROM api_keys k JOIN accounts a ON a.id = k.user_id WHERE k.id = $1"
    );
    const DELETE: BOTH = "DELETE FROM api_keys WHERE user_id = $1 AND id = $2";
    const DELETE_EXPIRED: BOTH = "DELETE FROM api_keys WHERE expires_at <= $1";
}

/// Stores a new key; `hash` is the stored form of its secret.
///
/// # Errors
/// When the database fails.
pub async fn insert(
    connection: &mut Connection,
    user_id: &str,
    key: &ApiKey,
    hash: &str,
) -> Result<()> {
    sqlx::query(INSERT)
        .bind(key.id.to_string())
        .bind(user_id)
        .bind(&key.name)
        .bind(hash)
        .bind(&key.hint)
        .bind(json(&key.scopes))
        .bind(key.created_at)
        .bind(key.expires_at)
        .execute(connection)
        .await?;
    Ok(())
}

/// Number of an account's keys, including expired ones.
///
/// # Errors
/// When the database fails.
pub async fn count(connection: &mut Connection, user_id: &str) -> Result<i64> {
    let row = sqlx::query(COUNT)
        .bind(user_id)
        .fetch_one(connection)
        .await?;
    Ok(row.try_get("found")?)
}

/// The keys of an account, the newest first.
///
/// # Errors
/// A row that cannot be read.
pub async fn list(connection: &mut Connection, user_id: &str) -> Result<Vec<ApiKey>> {
    let rows = sqlx::query(LIST)
        .bind(user_id)
        .fetch_all(connection)
        .await?;
    rows.iter().map(read).collect()
}

/// At most `limit` keys of all accounts whose address contains `search`, after the given one, the
/// newest first.
///
/// # Errors
/// A row that cannot be read.
pub async fn list_all(
    connection: &mut Connection,
    search: &str,
    after: Option<(i64, Uuid)>,
    limit: u32,
) -> Result<Vec<OwnedKey>> {
    let (at, id) = after.map_or((i64::MAX, String::new()), |(at, id)| (at, id.to_string()));
    let rows = sqlx::query(LIST_ALL)
        .bind(at)
        .bind(id)
        .bind(containing(search.trim()))
        .bind(i64::from(limit))
        .fetch_all(connection)
        .await?;
    rows.iter().map(read_owned).collect()
}

/// A key, whoever owns it.
///
/// # Errors
/// A row that cannot be read.
pub async fn find(connection: &mut Connection, id: Uuid) -> Result<Option<OwnedKey>> {
    let row = sqlx::query(FIND)
        .bind(id.to_string())
        .fetch_optional(connection)
        .await?;
    row.as_ref().map(read_owned).transpose()
}

/// Revokes a key of the account: it can no longer be used; `false` if there is none with this id.
///
/// # Errors
/// When the database fails.
pub async fn delete(connection: &mut Connection, user_id: &str, id: Uuid) -> Result<bool> {
    let done = sqlx::query(DELETE)
        .bind(user_id)
        .bind(id.to_string())
        .execute(connection)
        .await?;
    Ok(done.rows_affected() > 0)
}

/// Removes the keys that expired at `before` (Unix milliseconds) or earlier; returns how many.
///
/// # Errors
/// When the database fails.
pub async fn remove_expired(connection: &mut Connection, before: i64) -> Result<u64> {
    let done = sqlx::query(DELETE_EXPIRED)
        .bind(before)
        .execute(connection)
        .await?;
    Ok(done.rows_affected())
}

/// A key that can be used, with its account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UsableKey {
    /// Its id.
    pub key_id: String,
    /// Its name.
    pub key_name: String,
    /// What it permits.
    pub scopes: Vec<ApiScope>,
    /// Its account, which may be blocked. An administrator only if the key permits administration.
    pub account: Account,
}

row_columns! {
    fn read_usable() -> UsableKey from "api_keys" by "key_id" {
        key_id: text,
        key_name: text,
        scopes: json;
        account: super::read,
    }
}

/// Selects the keys `k` with their accounts, if they have not expired at `$2`.
macro_rules! usable {
    ($condition:literal) => {
        concat!(
            "SELECT k.id AS key_id, k.name AS key_name, k.scopes, ",
            account_columns!(),
            " FROM api_keys k JOIN accounts a ON a.id = k.user_id ",
            account_joins!(),
            " WHERE (k.expires_at IS NULL OR k.expires_at > $2) AND ",
            $condition
        )
    };
}

statements! {
    const USABLE_BY_HASH: BOTH -> UsableKey = usable!("k.key_hash = $1");
    const USABLE_BY_ID: BOTH -> UsableKey = usable!("k.id = $1");
    const TOUCH: BOTH = "UPDATE api_keys SET last_used_at = $2, last_address = $3 WHERE id = $1";
}

/// The key with this stored form that can be used at `now`, in Unix milliseconds.
///
/// # Errors
/// A row that cannot be read.
pub async fn usable_by_hash(
    connection: &mut Connection,
    hash: &str,
    now: i64,
) -> Result<Option<UsableKey>> {
    usable(connection, USABLE_BY_HASH, hash, now).await
}

/// The key with this id that can be used at `now`, in Unix milliseconds.
///
/// # Errors
/// A row that cannot be read.
pub async fn usable_by_id(
    connection: &mut Connection,
    id: &str,
    now: i64,
) -> Result<Option<UsableKey>> {
    usable(connection, USABLE_BY_ID, id, now).await
}

async fn usable(
    connection: &mut Connection,
    statement: &'static str,
    value: &str,
    now: i64,
) -> Result<Option<UsableKey>> {
    let row = sqlx::query(statement)
        .bind(value)
        .bind(now)
        .fetch_optional(connection)
        .await?;
    let Some(mut found) = row.as_ref().map(read_usable).transpose()? else {
        return Ok(None);
    };
    found.account.is_admin &= found.scopes.contains(&ApiScope::Admin);
    Ok(Some(found))
}

/// Notes a use of a key.
///
/// # Errors
/// When the database fails.
pub async fn touch(
    connection: &mut Connection,
    id: &str,
    now: i64,
    address: Option<&str>,
) -> Result<()> {
    sqlx::query(TOUCH)
        .bind(id)
        .bind(now)
        .bind(address)
        .execute(connection)
        .await?;
    Ok(())
}
