//! Searching all accounts. Lower-cased addresses and names are stored with the account, because
//! neither database's case conversion covers all scripts.

use sqlx::Row;
use sqlx::any::{AnyArguments, AnyRow};

#[cfg(test)]
use super::searched::Names;
use super::searched::{joined, names, write};
use crate::accounts::{self, Account, Status, account_columns, account_joins};
use crate::core::fields::containing;
use crate::core::statement::{row_columns, statements};
use crate::{Connection, Database, Result};

/// Accounts per transaction of [`fill_search_texts`].
const BATCH_SIZE: i64 = 1_000;

/// A filter of accounts.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// A part of the address or a name; case-insensitive.
    pub search: String,
    /// Active or blocked; `None` means both.
    pub status: Option<Status>,
    /// Administrators, or everybody else; `None` means all.
    pub is_admin: Option<bool>,
    /// Those with the plan of this number, or those without one; `None` means all.
    pub plan: Option<Plan>,
}

/// A filter by plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plan {
    /// Without a plan.
    Without,
    /// With the plan of this number.
    Number(i64),
}

impl Plan {
    /// Plan numbers begin at 1: 0 means no plan, -1 means any.
    fn parameter(plan: Option<Self>) -> i64 {
        match plan {
            None => -1,
            Some(Self::Without) => 0,
            Some(Self::Number(number)) if number < 1 => i64::MAX,
            Some(Self::Number(number)) => number,
        }
    }
}

/// An account in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Person {
    /// The account.
    pub account: Account,
    /// The name from the profile, otherwise from the external database.
    pub name: Option<String>,
    /// The name of their plan.
    pub plan_name: Option<String>,
    /// When one of its sessions was last used, Unix milliseconds; `None` without sessions.
    pub last_used_at: Option<i64>,
}

/// The columns of a [`Person`], for statements that name the tables as [`account_joins`] does.
macro_rules! person_columns {
    () => {
        concat!(
            account_columns!(),
            ", u.first_name, u.last_name, (SELECT o.name FROM synced_subscriptions o \
             WHERE o.subscription_id = u.subscription_id) AS plan_name, \
             (SELECT MAX(s.last_used_at) FROM sessions s WHERE s.user_id = a.id) AS last_used_at"
        )
    };
}

/// The filter of the statements below; empty parameters match everything. Blocked accounts and
/// administrators are few, so they are selected once, not once per account.
macro_rules! matches_filter {
    () => {
        "($1 = '%%' OR a.searched LIKE $1 ESCAPE '!') \
         AND ($2 = '' OR (a.id IN (SELECT s.auth_user_id FROM synced_users s \
         WHERE s.status <> 'active' AND s.auth_user_id IS NOT NULL)) = ($2 <> 'active')) \
         AND ($3 = -1 OR (a.id IN (SELECT r.user_id FROM user_roles r \
         WHERE r.role = 'admin')) = ($3 = 1)) \
         AND ($4 = -1 OR COALESCE((SELECT o.subscription_id FROM synced_users o \
         WHERE o.auth_user_id = a.id), 0) = $4)"
    };
}

/// What is read for a [`Person`] besides the account. The names are of the external database.
struct Details {
    first_name: Option<String>,
    last_name: Option<String>,
    plan_name: Option<String>,
    last_used_at: Option<i64>,
}

row_columns! {
    fn read_details() -> Details from "accounts" by "id" {
        first_name: text_or_none,
        last_name: text_or_none,
        plan_name: text_or_none,
        last_used_at: integer_or_none,
    }
}

fn read(row: &AnyRow) -> Result<Person> {
    let account = accounts::read(row)?;
    let details = read_details(row)?;
    Ok(Person {
        name: account
            .fullname
            .clone()
            .filter(|name| !name.is_empty())
            .or(joined(details.first_name, details.last_name)),
        plan_name: details.plan_name,
        last_used_at: details.last_used_at,
        account,
    })
}

type Query<'q> = sqlx::query::Query<'q, sqlx::Any, AnyArguments>;

fn bind<'q>(query: Query<'q>, filter: &Filter) -> Query<'q> {
    query
        .bind(containing(filter.search.trim()))
        .bind(filter.status.map_or("", Status::as_str))
        .bind(filter.is_admin.map_or(-1, i64::from))
        .bind(Plan::parameter(filter.plan))
}

statements! {
    const LIST: BOTH -> Account, Details = concat!(
        "SELECT ",
        person_columns!(),
        " FROM accounts a ",
        account_joins!(),
        " WHERE (a.created_at, a.id) < ($5, $6) AND ",
        matches_filter!(),
        " ORDER BY a.created_at DESC, a.id DESC LIMIT $7"
    );
}

/// At most `limit` accounts after this position (time, id), newest first.
///
/// # Errors
/// A row that cannot be read.
pub async fn list(
    connection: &mut Connection,
    filter: &Filter,
    after: Option<(i64, &str)>,
    limit: u32,
) -> Result<Vec<Person>> {
    if matches_nothing(filter) {
        return Ok(Vec::new());
    }
    let (at, id) = after.unwrap_or((i64::MAX, ""));
    let rows = sqlx::query(LIST);
    let rows = bind(rows, filter)
        .bind(at)
        .bind(id)
        .bind(i64::from(limit))
        .fetch_all(connection)
        .await?;
    rows.iter().map(read).collect()
}

statements! {
    const COUNT: BOTH = concat!(
        "SELECT COUNT(*) AS total FROM accounts a WHERE ",
        matches_filter!()
    );
}

/// The number of matching accounts.
///
/// # Errors
/// When the database fails.
pub async fn count(connection: &mut Connection, filter: &Filter) -> Result<u64> {
    if matches_nothing(filter) {
        return Ok(0);
    }
    let row = sqlx::query(COUNT);
    let row = bind(row, filter).fetch_one(connection).await?;
    let total: i64 = row.try_get("total")?;
    Ok(total.unsigned_abs())
}

statements! {
    const GET: BOTH -> Account, Details = concat!(
        "SELECT ",
        person_columns!(),
        " FROM accounts a ",
        account_joins!(),
        " WHERE a.id = $1"
    );
}

/// The account with this id.
///
/// # Errors
/// A row that cannot be read.
pub async fn get(connection: &mut Connection, id: &str) -> Result<Option<Person>> {
    sqlx::query(GET)
        .bind(id)
        .fetch_optional(connection)
        .await?
        .as_ref()
        .map(read)
        .transpose()
}

/// Whether the text contains NUL, which is never stored and which PostgreSQL rejects.
fn matches_nothing(filter: &Filter) -> bool {
    filter.search.contains('\0')
}

statements! {
    const LOCK_WITHOUT_SEARCH_TEXT: BOTH =
        "UPDATE accounts SET updated_at = updated_at WHERE id IN (SELECT id FROM accounts \
         WHERE searched IS NULL ORDER BY id LIMIT $1)";
    const SELECT_WITHOUT_SEARCH_TEXT: BOTH -> Names = concat!(
        names!(),
        " WHERE a.searched IS NULL ORDER BY a.id LIMIT $1"
    );
}

/// Fills `searched` for accounts created before that column existed; returns how many.
///
/// # Errors
/// When the database fails.
pub async fn fill_search_texts(database: &Database) -> Result<usize> {
    let mut done = 0;
    loop {
        let mut transaction = database.write().await?;
        // Locks the accounts while their names are read.
        sqlx::query(LOCK_WITHOUT_SEARCH_TEXT)
            .bind(BATCH_SIZE)
            .execute(&mut *transaction)
            .await?;
        let rows = sqlx::query(SELECT_WITHOUT_SEARCH_TEXT)
            .bind(BATCH_SIZE)
            .fetch_all(&mut *transaction)
            .await?;
        for row in &rows {
            write(&mut transaction, row).await?;
        }
        transaction.commit().await?;
        if rows.is_empty() {
            return Ok(done);
        }
        done += rows.len();
    }
}

#[cfg(test)]
mod tests;
