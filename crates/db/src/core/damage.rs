//! Whether the file of a SQLite database is whole.

use sqlx::Row;

use crate::core::statement::statements;
use crate::{Backend, Database, Result};

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
