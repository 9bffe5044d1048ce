//! Whether the database can store: table `health`, one row that is written to check this.

use crate::core::statement::statements;
use sqlx::Row;

use crate::{Backend, Connection, Database, Result};

statements! {
    const RECORD_PROBE: BOTH =
        "INSERT INTO health (slot, probed_at) VALUES (1, $1) \
         ON CONFLICT (slot) DO UPDATE SET probed_at = excluded.probed_at";
}

statements! {
    const QUICK_CHECK: SQLITE = "PRAGMA quick_check(1)";
}

impl Database {
    /// What is damaged in the file of a SQLite database, in its words; `None` if nothing is. PostgreSQL
    /// checks its own pages. Reads the whole file.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub async fn damage(&self) -> Result<Option<String>> {
        if self.backend() == Backend::Postgres {
            return Ok(None);
        }
        let mut connection = self.read().await?;
        let row = sqlx::raw_sql(QUICK_CHECK)
            .fetch_one(&mut *connection)
            .await?;
        let found: String = row.try_get(0)?;
        Ok((found != "ok").then_some(found))
    }
}

/// Writes the time into the row.
///
/// # Errors
/// When the database cannot store.
pub(crate) async fn record_probe(connection: &mut Connection, now: i64) -> Result<()> {
    sqlx::query(RECORD_PROBE)
        .bind(now)
        .execute(connection)
        .await?;
    Ok(())
}
