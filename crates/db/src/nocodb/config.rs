//! Configuration of the external database: table `nocodb_config`, at most one row.

use serde::Serialize;
use serde_json::Value;
use slovo_rules::Valid;
use slovo_rules::nocodb::NocodbBase;

use crate::core::fields::json;
use crate::core::statement::{row_columns, statements};
use crate::{Connection, Error, Result};

/// The location, and the result of the last test.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// Base URL of its API.
    pub api_url: String,
    /// Id of its base.
    pub project_id: String,
    /// Unix milliseconds.
    pub last_test_at: Option<i64>,
    /// Whether the last test succeeded.
    pub last_test_success: Option<bool>,
    /// Error of the last test, in English, for developers.
    pub last_test_error: Option<String>,
    /// The complete result of the last test.
    pub last_test: Option<Value>,
}

/// The row, whose key is a number.
struct ConfigRow {
    api_url: String,
    project_id: String,
    last_test_at: Option<i64>,
    last_test_success: Option<i64>,
    last_test_error: Option<String>,
    last_test: Option<String>,
}

row_columns! {
    fn read() -> ConfigRow {
        api_url: text,
        project_id: text,
        last_test_at: integer_or_none,
        last_test_success: integer_or_none,
        last_test_error: text_or_none,
        last_test: text_or_none,
    }
}

statements! {
    const GET: BOTH -> ConfigRow =
        "SELECT api_url, project_id, last_test_at, last_test_success, last_test_error, last_test \
         FROM nocodb_config WHERE id = 1";
}

/// The configuration; `None` if there is none.
///
/// # Errors
/// A row that cannot be read.
pub async fn get(connection: &mut Connection) -> Result<Option<Config>> {
    let row = sqlx::query(GET).fetch_optional(connection).await?;
    let Some(row) = row else { return Ok(None) };
    let row = read(&row)?;
    let unreadable =
        |error: serde_json::Error| Error::row("nocodb_config", "1", format!("last_test: {error}"));
    Ok(Some(Config {
        api_url: row.api_url,
        project_id: row.project_id,
        last_test_at: row.last_test_at,
        last_test_success: row.last_test_success.map(|success| success != 0),
        last_test_error: row.last_test_error,
        last_test: row
            .last_test
            .map(|text| serde_json::from_str(&text).map_err(unreadable))
            .transpose()?,
    }))
}

statements! {
    const CONFIGURED: BOTH = "SELECT 1 AS found FROM nocodb_config WHERE id = 1";
}

/// Whether an external database is configured, so that its rules apply ('no NocoDB ID').
///
/// # Errors
/// When the database fails.
pub async fn configured(connection: &mut Connection) -> Result<bool> {
    let row = sqlx::query(CONFIGURED).fetch_optional(connection).await?;
    Ok(row.is_some())
}

statements! {
    const SET: BOTH =
        "INSERT INTO nocodb_config (id, api_url, project_id, updated_at) VALUES (1, $1, $2, $3) \
         ON CONFLICT (id) DO UPDATE SET api_url = excluded.api_url, \
         project_id = excluded.project_id, updated_at = excluded.updated_at, \
         last_test_at = NULL, last_test_success = NULL, last_test_error = NULL, last_test = NULL";
}

/// Stores the location and clears the result of the last test.
///
/// # Errors
/// When the database fails.
pub async fn set(connection: &mut Connection, place: &Valid<NocodbBase>, now: i64) -> Result<()> {
    sqlx::query(SET)
        .bind(&place.api_url)
        .bind(&place.project_id)
        .bind(now)
        .execute(connection)
        .await?;
    Ok(())
}

statements! {
    const CLEAR: BOTH = "DELETE FROM nocodb_config";
}

/// Deletes the configuration: all data is then managed locally.
///
/// # Errors
/// When the database fails.
pub async fn clear(connection: &mut Connection) -> Result<()> {
    sqlx::query(CLEAR).execute(connection).await?;
    Ok(())
}

statements! {
    const RECORD_TEST: BOTH =
        "UPDATE nocodb_config SET last_test_at = $1, last_test_success = $2, \
         last_test_error = $3, last_test = $4 WHERE id = 1 AND api_url = $5 AND project_id = $6";
}

/// Stores the result of testing this location, unless another one has been configured since.
///
/// # Errors
/// When the database fails.
pub async fn record_test<T: Serialize>(
    connection: &mut Connection,
    tested: &Config,
    error: Option<&str>,
    result: &T,
    now: i64,
) -> Result<()> {
    sqlx::query(RECORD_TEST)
        .bind(now)
        .bind(i64::from(error.is_none()))
        .bind(error)
        .bind(json(result))
        .bind(&tested.api_url)
        .bind(&tested.project_id)
        .execute(connection)
        .await?;
    Ok(())
}
