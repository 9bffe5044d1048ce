//! Places that are watched for new recordings: table `sources`, and what was found there.

pub mod found;
pub mod recordings;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use slovo_rules::Valid;
use slovo_rules::source::{SourceForm, SourceKind};
use sqlx::Row;
use uuid::Uuid;

use crate::core::fields::{json, word};
use crate::core::statement::{columns, row_columns, statements};
use crate::{Connection, Result};

/// Why a look or a recording failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    /// Its stable name.
    pub code: String,
    /// Figures and names for its text.
    #[serde(default)]
    pub params: BTreeMap<String, Value>,
    /// What more is known, in English.
    pub detail: Option<String>,
}

/// An encrypted password.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SealedPassword {
    /// The origin that it may be sent to.
    pub place: String,
    /// The encrypted text.
    pub sealed: String,
}

/// A source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// Its id.
    pub id: Uuid,
    /// Whose it is.
    pub account_id: String,
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: SourceKind,
    /// Address or path.
    pub location: String,
    /// Region of a bucket; may be empty.
    pub region: String,
    /// User name; may be empty.
    pub user: String,
    /// The password.
    pub password: Option<SealedPassword>,
    /// The preset of its jobs; it may have been deleted.
    pub preset_id: Option<String>,
    /// Whether it is looked at.
    pub is_active: bool,
    /// Whether what the first look finds is transcribed.
    pub take_existing: bool,
    /// Whether a look has succeeded.
    pub has_looked: bool,
    /// Looks that failed one after the other.
    pub failures: i64,
    /// Why the last look failed.
    pub problem: Option<Problem>,
    /// When the last look ended, Unix milliseconds.
    pub checked_at: Option<i64>,
    /// When the next look is due, Unix milliseconds; with a lease: when that ends.
    pub next_check_at: i64,
    /// The lease of the process that looks there.
    pub lease_id: Option<String>,
    /// Unix milliseconds.
    pub created_at: i64,
    /// Unix milliseconds.
    pub updated_at: i64,
}

row_columns! {
    fn read() -> Source from "sources" by "id" {
        id: uuid,
        account_id: text,
        name: text,
        kind: word,
        location: text,
        region: text,
        user: text in "user_name",
        password: json_or_none,
        preset_id: text_or_none,
        is_active: flag,
        take_existing: flag,
        has_looked: flag,
        failures: integer,
        problem: json_or_none,
        checked_at: integer_or_none,
        next_check_at: integer,
        lease_id: text_or_none,
        created_at: integer,
        updated_at: integer,
    }
}

macro_rules! source_columns {
    () => {
        columns!(
            "": id, account_id, name, kind, location, region, user_name, password, preset_id,
            is_active, take_existing, has_looked, failures, problem, checked_at, next_check_at,
            lease_id, created_at, updated_at
        )
    };
}

statements! {
    const OF_ACCOUNT: BOTH -> Source = concat!(
        "SELECT ", source_columns!(), " FROM sources WHERE account_id = $1 ORDER BY created_at, id"
    );
    const FIND: BOTH -> Source =
        concat!("SELECT ", source_columns!(), " FROM sources WHERE id = $1");
    const COUNT: BOTH = "SELECT COUNT(*) AS n FROM sources WHERE account_id = $1";
    const INSERT: BOTH =
        "INSERT INTO sources (id, account_id, name, kind, location, region, user_name, password, \
         preset_id, is_active, take_existing, next_check_at, created_at, updated_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $12, $12)";
    // A lease is left to the process that has it.
    const UPDATE: BOTH =
        "UPDATE sources SET name = $2, location = $3, region = $4, user_name = $5, password = $6, \
         preset_id = $7, is_active = $8, take_existing = $9, failures = 0, problem = NULL, \
         has_looked = CASE WHEN CAST($11 AS BIGINT) = 1 THEN 0 ELSE has_looked END, \
         next_check_at = CASE WHEN lease_id IS NULL THEN CAST($10 AS BIGINT) \
         ELSE next_check_at END, updated_at = $10 WHERE id = $1";
    const FORGET_ALL: BOTH = "DELETE FROM source_recordings WHERE source_id = $1";
    const DELETE: BOTH = "DELETE FROM sources WHERE id = $1";
    const CHECK_SOON: BOTH =
        "UPDATE sources SET next_check_at = $2 \
         WHERE id = $1 AND is_active = 1 AND lease_id IS NULL AND next_check_at > $2";
    const ANY_DUE: BOTH =
        "SELECT 1 AS n FROM sources WHERE is_active = 1 AND next_check_at <= $1 LIMIT 1";
    // One at a time for each account, so that nobody takes all the room.
    const CLAIM: BOTH -> Source = concat!(
        "UPDATE sources SET lease_id = $2, next_check_at = $3 \
         WHERE is_active = 1 AND next_check_at <= $1 AND id = (SELECT s.id FROM sources s \
         WHERE s.is_active = 1 AND s.next_check_at <= $1 AND NOT EXISTS (SELECT 1 FROM sources o \
         WHERE o.account_id = s.account_id AND o.lease_id IS NOT NULL AND o.next_check_at > $1) \
         ORDER BY s.next_check_at, s.id LIMIT 1) \
         RETURNING ", source_columns!()
    );
    const HOLD: BOTH =
        "UPDATE sources SET next_check_at = $3 WHERE id = $1 AND lease_id = $2 AND updated_at = $4";
    const RENEW: BOTH = "UPDATE sources SET next_check_at = $3 WHERE id = $1 AND lease_id = $2";
    const SUCCEED: BOTH =
        "UPDATE sources SET lease_id = NULL, has_looked = 1, failures = 0, problem = NULL, \
         checked_at = $3, next_check_at = $4 WHERE id = $1 AND lease_id = $2";
    const FAIL: BOTH =
        "UPDATE sources SET lease_id = NULL, failures = failures + 1, problem = $5, \
         checked_at = $3, next_check_at = $4 WHERE id = $1 AND lease_id = $2";
    const RELEASE: BOTH =
        "UPDATE sources SET lease_id = NULL, next_check_at = $3 WHERE id = $1 AND lease_id = $2";
}

/// The sources of an account, oldest first.
///
/// # Errors
/// A row that cannot be read.
pub async fn of_account(connection: &mut Connection, account_id: &str) -> Result<Vec<Source>> {
    let rows = sqlx::query(OF_ACCOUNT)
        .bind(account_id)
        .fetch_all(connection)
        .await?;
    rows.iter().map(read).collect()
}

/// The source `id`.
///
/// # Errors
/// A row that cannot be read.
pub async fn find(connection: &mut Connection, id: Uuid) -> Result<Option<Source>> {
    let row = sqlx::query(FIND)
        .bind(id.to_string())
        .fetch_optional(connection)
        .await?;
    row.as_ref().map(read).transpose()
}

/// Number of sources of an account.
///
/// # Errors
/// When the database fails.
pub async fn count(connection: &mut Connection, account_id: &str) -> Result<i64> {
    let row = sqlx::query(COUNT)
        .bind(account_id)
        .fetch_one(connection)
        .await?;
    Ok(row.try_get("n")?)
}

/// Stores a new source, which is looked at as soon as possible.
///
/// # Errors
/// When the database fails.
pub async fn insert(
    connection: &mut Connection,
    account_id: &str,
    id: Uuid,
    form: &Valid<SourceForm>,
    password: Option<&SealedPassword>,
    now: i64,
) -> Result<()> {
    sqlx::query(INSERT)
        .bind(id.to_string())
        .bind(account_id)
        .bind(&form.name)
        .bind(word(&form.kind))
        .bind(&form.location)
        .bind(&form.region)
        .bind(&form.user)
        .bind(password.map(json))
        .bind(form.preset_id.as_deref())
        .bind(i64::from(form.is_active))
        .bind(i64::from(form.take_existing))
        .bind(now)
        .execute(connection)
        .await?;
    Ok(())
}

/// Changes a source. It is looked at as soon as possible. If it has moved to another place, what was
/// found at the old one is forgotten, and the next look is its first one.
///
/// # Errors
/// When the database fails.
pub async fn update(
    connection: &mut Connection,
    id: Uuid,
    form: &Valid<SourceForm>,
    password: Option<&SealedPassword>,
    (has_moved, now): (bool, i64),
) -> Result<()> {
    // First, so that a look that is storing what it found either ends before it or sees the change.
    sqlx::query(UPDATE)
        .bind(id.to_string())
        .bind(&form.name)
        .bind(&form.location)
        .bind(&form.region)
        .bind(&form.user)
        .bind(password.map(json))
        .bind(form.preset_id.as_deref())
        .bind(i64::from(form.is_active))
        .bind(i64::from(form.take_existing))
        .bind(now)
        .bind(i64::from(has_moved))
        .execute(&mut *connection)
        .await?;
    if has_moved {
        sqlx::query(FORGET_ALL)
            .bind(id.to_string())
            .execute(connection)
            .await?;
    }
    Ok(())
}

/// Deletes a source with what was found there; its jobs stay.
///
/// # Errors
/// When the database fails.
pub async fn delete(connection: &mut Connection, id: Uuid) -> Result<()> {
    sqlx::query(DELETE)
        .bind(id.to_string())
        .execute(connection)
        .await?;
    Ok(())
}

/// Has an active source looked at now, unless that is happening.
///
/// # Errors
/// When the database fails.
pub async fn check_soon(connection: &mut Connection, id: Uuid, now: i64) -> Result<()> {
    sqlx::query(CHECK_SOON)
        .bind(id.to_string())
        .bind(now)
        .execute(connection)
        .await?;
    Ok(())
}

/// Whether a look is due.
///
/// # Errors
/// When the database fails.
pub async fn any_due(connection: &mut Connection, now: i64) -> Result<bool> {
    let row = sqlx::query(ANY_DUE)
        .bind(now)
        .fetch_optional(connection)
        .await?;
    Ok(row.is_some())
}

/// Leases the source that has been due for longest until `until` (Unix milliseconds), except those of
/// accounts of which one is leased already.
///
/// # Errors
/// A row that cannot be read.
pub async fn claim(
    connection: &mut Connection,
    lease: &str,
    now: i64,
    until: i64,
) -> Result<Option<Source>> {
    let row = sqlx::query(CLAIM)
        .bind(now)
        .bind(lease)
        .bind(until)
        .fetch_optional(connection)
        .await?;
    row.as_ref().map(read).transpose()
}

/// Extends a lease until `until` (Unix milliseconds). `false` if it is lost.
///
/// # Errors
/// When the database fails.
pub async fn renew(connection: &mut Connection, id: Uuid, lease: &str, until: i64) -> Result<bool> {
    let done = sqlx::query(RENEW)
        .bind(id.to_string())
        .bind(lease)
        .bind(until)
        .execute(connection)
        .await?;
    Ok(done.rows_affected() > 0)
}

/// [`renew`] for a source that has not been changed since it was leased. It cannot be changed before
/// the transaction ends.
///
/// # Errors
/// When the database fails.
pub async fn hold(connection: &mut Connection, source: &Source, until: i64) -> Result<bool> {
    let done = sqlx::query(HOLD)
        .bind(source.id.to_string())
        .bind(source.lease_id.as_deref())
        .bind(until)
        .bind(source.updated_at)
        .execute(connection)
        .await?;
    Ok(done.rows_affected() > 0)
}

/// Stores that a look has succeeded, or why it failed, and when the next one is due. `false` if the
/// lease is lost.
///
/// # Errors
/// When the database fails.
pub async fn finish(
    connection: &mut Connection,
    (id, lease): (Uuid, &str),
    outcome: Result<(), &Problem>,
    (now, next): (i64, i64),
) -> Result<bool> {
    let query = match outcome {
        Ok(()) => sqlx::query(SUCCEED),
        Err(_) => sqlx::query(FAIL),
    };
    let mut query = query.bind(id.to_string()).bind(lease).bind(now).bind(next);
    if let Err(problem) = outcome {
        query = query.bind(json(problem));
    }
    let done = query.execute(connection).await?;
    Ok(done.rows_affected() > 0)
}

/// Gives a lease back without a result.
///
/// # Errors
/// When the database fails.
pub async fn release(connection: &mut Connection, id: Uuid, lease: &str, next: i64) -> Result<()> {
    sqlx::query(RELEASE)
        .bind(id.to_string())
        .bind(lease)
        .bind(next)
        .execute(connection)
        .await?;
    Ok(())
}
