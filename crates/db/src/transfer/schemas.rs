//! Schemas of PostgreSQL: a database is restored beside the one in use.

use sqlx::{AssertSqlSafe, Row};

use super::quoted;
use crate::core::statement::statements;
use crate::{Connection, Result};

statements! {
    const CURRENT: POSTGRES = "SELECT current_schema()::text AS name";
    const SOME: POSTGRES = "SELECT nspname::text AS name FROM pg_namespace \
        WHERE strpos(nspname::text, $1) = 1 ORDER BY nspname::text";
}

/// The schema in use.
///
/// # Errors
/// When the database fails.
pub async fn current(connection: &mut Connection) -> Result<String> {
    let row = sqlx::query(CURRENT).fetch_one(connection).await?;
    Ok(row.try_get("name")?)
}

/// The schemas whose names begin like this.
///
/// # Errors
/// When the database fails.
pub async fn with_prefix(connection: &mut Connection, prefix: &str) -> Result<Vec<String>> {
    let rows = sqlx::query(SOME).bind(prefix).fetch_all(connection).await?;
    rows.iter().map(|row| Ok(row.try_get("name")?)).collect()
}

/// Creates an empty schema; what was in one of that name is lost.
///
/// # Errors
/// When the database fails, or does not allow it.
pub async fn create(connection: &mut Connection, name: &str) -> Result<()> {
    remove(connection, name).await?;
    let statement = format!("CREATE SCHEMA {}", quoted(name));
    run(connection, AssertSqlSafe(statement)).await
}

/// Removes a schema with everything in it, if there is one.
///
/// # Errors
/// When the database fails, or does not allow it.
pub async fn remove(connection: &mut Connection, name: &str) -> Result<()> {
    let statement = format!("DROP SCHEMA IF EXISTS {} CASCADE", quoted(name));
    run(connection, AssertSqlSafe(statement)).await
}

/// Gives a schema another name.
///
/// # Errors
/// When the database fails, does not allow it, or has a schema of the new name.
pub async fn rename(connection: &mut Connection, name: &str, new: &str) -> Result<()> {
    let statement = format!("ALTER SCHEMA {} RENAME TO {}", quoted(name), quoted(new));
    run(connection, AssertSqlSafe(statement)).await
}

async fn run(connection: &mut Connection, statement: AssertSqlSafe<String>) -> Result<()> {
    sqlx::query(statement)
        .persistent(false)
        .execute(connection)
        .await?;
    Ok(())
}
