//! Where the external database is: table `nocodb_config`, one row at most.

use serde::Serialize;
use serde_json::Value;
use slovo_rules::Valid;
use slovo_rules::nocodb::Place;
use sqlx::Row as _;

use crate::core::fields::json;
use crate::{Connection, Error, Result};

/// Where it is, and what the last test found.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// Base address of its API.
    pub api_url: String,
    /// Its base.
    pub project_id: String,
    /// Unix milliseconds.
    pub last_test_at: Option<i64>,
    /// Whether it succeeded.
    pub last_test_success: Option<bool>,
    /// What was wrong, in English, for developers.
    pub last_test_error: Option<String>,
    /// The whole result.
    pub last_test: Option<Value>,
}

/// What is configured; `None` while nothing is.
///
/// # Errors
/// A row that cannot be read.
pub async fn get(connection: &mut Connection) -> Result<Option<Config>> {
    let row = sqlx::query("SELECT * FROM nocodb_config WHERE id = 1")
        .fetch_optional(connection)
        .await?;
    row.map(|row| {
        let last_test: Option<String> = row.try_get("last_test")?;
        let success: Option<i64> = row.try_get("last_test_success")?;
        let unreadable = |error: serde_json::Error| {
            Error::row(
                "nocodb_config",
                "1".to_owned(),
                format!("last_test: {error}"),
            )
        };
        Ok(Config {
            api_url: row.try_get("api_url")?,
            project_id: row.try_get("project_id")?,
            last_test_at: row.try_get("last_test_at")?,
            last_test_success: success.map(|success| success != 0),
            last_test_error: row.try_get("last_test_error")?,
            last_test: last_test
                .map(|text| serde_json::from_str(&text).map_err(unreadable))
                .transpose()?,
        })
    })
    .transpose()
}

/// Whether the external database is configured, so that its rules hold ('no NocoDB ID').
///
/// # Errors
/// When the database fails.
pub async fn configured(connection: &mut Connection) -> Result<bool> {
    let row = sqlx::query("SELECT 1 AS found FROM nocodb_config WHERE id = 1")
        .fetch_optional(connection)
        .await?;
    Ok(row.is_some())
}

/// Stores where it is; what a test found before says nothing of the new place.
///
/// # Errors
/// When the database fails.
pub async fn set(connection: &mut Connection, place: &Valid<Place>, now: i64) -> Result<()> {
    sqlx::query(
        "INSERT INTO nocodb_config (id, api_url, project_id, updated_at) VALUES (1, $1, $2, $3) \
         ON CONFLICT (id) DO UPDATE SET api_url = excluded.api_url, \
         project_id = excluded.project_id, updated_at = excluded.updated_at, \
         last_test_at = NULL, last_test_success = NULL, last_test_error = NULL, last_test = NULL",
    )
    .bind(&place.api_url)
    .bind(&place.project_id)
    .bind(now)
    .execute(connection)
    .await?;
    Ok(())
}

/// Forgets it: everything is managed here alone.
///
/// # Errors
/// When the database fails.
pub async fn clear(connection: &mut Connection) -> Result<()> {
    sqlx::query("DELETE FROM nocodb_config")
        .execute(connection)
        .await?;
    Ok(())
}

/// Stores what a test of this place found; nothing if another place is configured by now.
///
/// # Errors
/// When the database fails.
pub async fn note_test<T: Serialize>(
    connection: &mut Connection,
    tested: &Config,
    error: Option<&str>,
    result: &T,
    now: i64,
) -> Result<()> {
    sqlx::query(
        "UPDATE nocodb_config SET last_test_at = $1, last_test_success = $2, \
         last_test_error = $3, last_test = $4 WHERE id = 1 AND api_url = $5 AND project_id = $6",
    )
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
