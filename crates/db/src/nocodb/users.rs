//! Local side of `synced_users`. Credentials are neither sent nor received.

use serde_json::{Value, json};
use slovo_rules::Valid;
use slovo_rules::nocodb::RemoteUser;
use sqlx::Row as _;
use sqlx::any::AnyRow;
use uuid::Uuid;

use super::{Row, time};
use crate::accounts::blocking::{self, Outcome};
use crate::accounts::{self, profiles};
use crate::core::statement::{columns, row_columns, statements};
use crate::plans::{self, ledger};
use crate::{Connection, Result};

/// A user as it is sent; [`apply`] compares with it.
struct SentUser {
    id: String,
    account: Option<String>,
    email: String,
    first_name: Option<String>,
    last_name: Option<String>,
    awaited_fullname: Option<String>,
    profile_name: Option<String>,
    status: String,
    subscription_id: Option<i64>,
    created_at: i64,
}

row_columns! {
    fn read_sent() -> SentUser from "synced_users" by "id" {
        id: text,
        account: text_or_none in "auth_user_id",
        email: text,
        first_name: text_or_none,
        last_name: text_or_none,
        awaited_fullname: text_or_none,
        profile_name: text_or_none,
        status: text,
        subscription_id: integer_or_none,
        created_at: integer,
    }
}

/// The columns of [`SentUser`] except `profile_name`.
macro_rules! user_columns {
    () => {
        columns!(
            "u.": id, auth_user_id, email, first_name, last_name, awaited_fullname, status,
            subscription_id, created_at
        )
    };
}

fn read(row: &AnyRow) -> Result<Row> {
    let user = read_sent(row)?;
    let fullname = match &user.account {
        Some(_) => user.profile_name,
        None => user.awaited_fullname,
    };
    let Value::Object(carried) = json!({
        "slovo_id": user.id,
        "auth_user_id": user.account,
        "email": user.email,
        "first_name": user.first_name,
        "last_name": user.last_name,
        "fullname": fullname.filter(|name| !name.is_empty()),
        "status": user.status,
        "subscription_id": user.subscription_id,
        "created_at": time(Some(user.created_at)),
    }) else {
        unreachable!("an object was written")
    };
    Ok(Row {
        id: user.id,
        fields: carried,
        updated_at: None,
    })
}

statements! {
    const PAGE: BOTH -> SentUser = concat!(
        "SELECT ",
        user_columns!(),
        ", p.fullname AS profile_name FROM synced_users u LEFT JOIN profiles p \
         ON p.user_id = u.auth_user_id WHERE u.id > $1 ORDER BY u.id LIMIT $2"
    );
}

pub(super) async fn page(connection: &mut Connection, after: &str, limit: i64) -> Result<Vec<Row>> {
    let rows = sqlx::query(PAGE)
        .bind(after)
        .bind(limit)
        .fetch_all(connection)
        .await?;
    rows.iter().map(read).collect()
}

statements! {
    const GET: BOTH -> SentUser = concat!(
        "SELECT ",
        user_columns!(),
        ", p.fullname AS profile_name FROM synced_users u LEFT JOIN profiles p \
         ON p.user_id = u.auth_user_id WHERE u.id = $1"
    );
}

pub(super) async fn get(connection: &mut Connection, id: &str) -> Result<Option<Row>> {
    sqlx::query(GET)
        .bind(id)
        .fetch_optional(connection)
        .await?
        .as_ref()
        .map(read)
        .transpose()
}

statements! {
    const FIND: BOTH = "SELECT id FROM synced_users WHERE email = $1";
}

/// The id of the user with this (normalised) address.
///
/// # Errors
/// When the database fails.
pub async fn find(connection: &mut Connection, email: &str) -> Result<Option<String>> {
    let row = sqlx::query(FIND)
        .bind(email)
        .fetch_optional(connection)
        .await?;
    Ok(row.map(|row| row.try_get("id")).transpose()?)
}

statements! {
    const EXTERNAL_ID: BOTH = "SELECT nocodb_user_id FROM synced_users WHERE auth_user_id = $1";
}

/// The id of an account's row in the external database; `None` without one.
///
/// # Errors
/// When the database fails.
pub async fn external_id(connection: &mut Connection, account_id: &str) -> Result<Option<String>> {
    let row = sqlx::query(EXTERNAL_ID)
        .bind(account_id)
        .fetch_optional(connection)
        .await?;
    let id = row.map(|row| row.try_get("nocodb_user_id")).transpose()?;
    Ok(id.flatten())
}

/// When parts of a user were last changed, as far as recorded.
struct ChangeTimes {
    created: Option<i64>,
    profile: Option<i64>,
    admin: Option<i64>,
}

row_columns! {
    fn read_change_times() -> ChangeTimes {
        created: integer_or_none,
        profile: integer_or_none,
        admin: integer_or_none,
    }
}

statements! {
    const CHANGED_AT: BOTH -> ChangeTimes =
        "SELECT MAX(u.created_at) AS created, MAX(p.updated_at) AS profile, \
         (SELECT MAX(a.created_at) FROM audit_log a JOIN synced_users x \
         ON x.auth_user_id = a.target_id WHERE x.id = $1 AND a.target_kind = 'user') AS admin \
         FROM synced_users u LEFT JOIN profiles p ON p.user_id = u.auth_user_id WHERE u.id = $1";
}

/// When the user was last changed locally, by the profile or an administrator, as far as recorded.
/// Unix milliseconds.
///
/// # Errors
/// When the database fails.
pub async fn changed_at(connection: &mut Connection, id: &str) -> Result<Option<i64>> {
    let row = sqlx::query(CHANGED_AT)
        .bind(id)
        .fetch_one(connection)
        .await?;
    let times = read_change_times(&row)?;
    Ok(times.created.max(times.profile).max(times.admin))
}

statements! {
    const INSERT: BOTH =
        "INSERT INTO synced_users (id, email, first_name, last_name, status, subscription_id, \
         created_at, awaited_fullname) VALUES ($1, $2, $3, $4, $5, \
         (SELECT s.subscription_id FROM synced_subscriptions s WHERE s.subscription_id = $6), $7, \
         $8)";
}

/// Stores a user known only in the external database: a sign-up with this address gets the plan and
/// the name from there. A user blocked there stays blocked.
///
/// # Errors
/// The constraint `synced_users_email_key` if a user with this address exists.
pub async fn insert(
    connection: &mut Connection,
    id: Uuid,
    user: &Valid<RemoteUser>,
    now: i64,
) -> Result<()> {
    sqlx::query(INSERT)
        .bind(id.to_string())
        .bind(&user.email)
        .bind(&user.first_name)
        .bind(&user.last_name)
        .bind(if user.is_blocked { "blocked" } else { "active" })
        .bind(user.subscription_id)
        .bind(now)
        .bind(&user.fullname)
        .execute(connection)
        .await?;
    Ok(())
}

/// Parts of a remote change that could not be applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefusedChange {
    /// It would block the last administrator.
    LastAdmin,
    /// The plan does not exist.
    NoPlan,
    /// It would remove the full name of an account.
    NameRequired,
}

statements! {
    const APPLY: BOTH = "UPDATE synced_users SET first_name = $2, last_name = $3 WHERE id = $1";
}

/// Applies a remote change: names, plan, and whether the account is blocked. The address is not
/// changed, because its owner signs in with it.
///
/// # Errors
/// When the database fails.
pub async fn apply(
    connection: &mut Connection,
    id: &str,
    user: &Valid<RemoteUser>,
    now: i64,
) -> Result<Vec<RefusedChange>> {
    let row = sqlx::query(GET)
        .bind(id)
        .fetch_optional(&mut *connection)
        .await?;
    let Some(row) = row else {
        return Ok(Vec::new());
    };
    let before = read_sent(&row)?;
    let account = before.account;
    let was_blocked = before.status == "blocked";
    let had_plan = before.subscription_id;
    let had_name = before.profile_name.unwrap_or_default();
    sqlx::query(APPLY)
        .bind(id)
        .bind(&user.first_name)
        .bind(&user.last_name)
        .execute(&mut *connection)
        .await?;
    let mut refused = Vec::new();
    if !set_fullname(
        &mut *connection,
        id,
        account.as_deref(),
        &had_name,
        user,
        now,
    )
    .await?
    {
        refused.push(RefusedChange::NameRequired);
    }
    if let Some(account) = &account {
        accounts::searched::update(&mut *connection, account).await?;
    }
    if user.subscription_id != had_plan
        && !set_plan(&mut *connection, id, account.as_deref(), user, now).await?
    {
        refused.push(RefusedChange::NoPlan);
    }
    if user.is_blocked != was_blocked
        && !set_blocked(connection, id, account.as_deref(), user.is_blocked, now).await?
    {
        refused.push(RefusedChange::LastAdmin);
    }
    Ok(refused)
}

statements! {
    const SET_FULLNAME: BOTH = "UPDATE synced_users SET awaited_fullname = $2 WHERE id = $1";
}

/// Sets the full name; `false` if it would be empty although an account requires one, as in the
/// profile.
async fn set_fullname(
    connection: &mut Connection,
    id: &str,
    account: Option<&str>,
    had_name: &str,
    user: &RemoteUser,
    now: i64,
) -> Result<bool> {
    let Some(account) = account else {
        sqlx::query(SET_FULLNAME)
            .bind(id)
            .bind(&user.fullname)
            .execute(connection)
            .await?;
        return Ok(true);
    };
    match user.fullname.as_deref() {
        None => Ok(had_name.is_empty()),
        Some(name) => {
            if name != had_name {
                profiles::set_fullname(connection, account, name, now).await?;
            }
            Ok(true)
        }
    }
}

statements! {
    const SET_PLAN: BOTH = "UPDATE synced_users SET subscription_id = $2 WHERE id = $1";
}

async fn set_plan(
    connection: &mut Connection,
    id: &str,
    account: Option<&str>,
    user: &RemoteUser,
    now: i64,
) -> Result<bool> {
    let plan = match user.subscription_id {
        None => None,
        Some(number) => {
            let found = super::plans::find(&mut *connection, number).await?;
            let id = found.and_then(|id| id.parse().ok());
            let plan = match id {
                Some(id) => plans::get(&mut *connection, id).await?,
                None => None,
            };
            match plan {
                Some(plan) => Some(plan),
                None => return Ok(false),
            }
        }
    };
    if let Some(account) = account {
        return ledger::change_plan(connection, account, plan.as_ref(), now).await;
    }
    sqlx::query(SET_PLAN)
        .bind(id)
        .bind(user.subscription_id)
        .execute(connection)
        .await?;
    Ok(true)
}

statements! {
    const SET_BLOCKED: BOTH = "UPDATE synced_users SET status = $2 WHERE id = $1";
}

async fn set_blocked(
    connection: &mut Connection,
    id: &str,
    account: Option<&str>,
    is_blocked: bool,
    now: i64,
) -> Result<bool> {
    match account {
        Some(account) if is_blocked => {
            Ok(blocking::block(connection, account, now).await? != Outcome::LastAdmin)
        }
        Some(account) => {
            accounts::set_status(connection, account, accounts::Status::Active).await?;
            Ok(true)
        }
        None => {
            sqlx::query(SET_BLOCKED)
                .bind(id)
                .bind(if is_blocked { "blocked" } else { "active" })
                .execute(connection)
                .await?;
            Ok(true)
        }
    }
}
