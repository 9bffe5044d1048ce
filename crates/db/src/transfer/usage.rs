//! Whether a database is used, and how many rows it has.

use sqlx::{AnyConnection, AssertSqlSafe, Connection as _, Row};

use super::quoted;
use crate::core::statement::statements;
use crate::{Backend, Connection, Options, Result};

statements! {
    const OTHERS: POSTGRES = "SELECT COUNT(*) AS n FROM pg_stat_activity \
        WHERE datname = current_database() AND pid <> pg_backend_pid() \
        AND backend_type = 'client backend'";
    /// Leaving the mode with a log needs the database alone. It is entered again when it is opened.
    const LEAVE_LOG: SQLITE = "PRAGMA journal_mode = DELETE";
    const WAIT_A_MOMENT: SQLITE = "PRAGMA busy_timeout = 500";
}

/// The number of rows of a table.
///
/// # Errors
/// When the database fails.
pub async fn count(connection: &mut Connection, table: &str) -> Result<u64> {
    let row = sqlx::query(count_statement(table))
        .fetch_one(connection)
        .await?;
    Ok(u64::try_from(row.try_get::<i64, _>("n")?).unwrap_or(0))
}

fn count_statement(table: &str) -> AssertSqlSafe<String> {
    AssertSqlSafe(format!("SELECT COUNT(*) AS n FROM {}", quoted(table)))
}

/// Whether another connection to the database is open, of this or of another program.
///
/// # Errors
/// When the database fails.
pub async fn is_in_use(options: &Options) -> Result<bool> {
    let mut connection = AnyConnection::connect(options.address()).await?;
    if Backend::of(&connection) == Backend::Postgres {
        let row = sqlx::query(OTHERS).fetch_one(&mut connection).await?;
        let others: i64 = row.try_get("n")?;
        connection.close().await?;
        return Ok(others > 0);
    }
    sqlx::raw_sql(WAIT_A_MOMENT)
        .execute(&mut connection)
        .await?;
    let left = sqlx::raw_sql(LEAVE_LOG).execute(&mut connection).await;
    connection.close().await?;
    match left.map_err(crate::Error::from) {
        Ok(_) => Ok(false),
        Err(crate::Error::Busy(_)) => Ok(true),
        Err(error) => Err(error),
    }
}
