//! All rows of one moment, while others go on writing.

use futures_util::{Stream, StreamExt};
use serde_json::Value;
use sqlx::any::AnyRow;
use sqlx::{Any, AssertSqlSafe, Row, Transaction};

use super::{Kind, Table, catalogue, list, quoted};
use crate::{Backend, Database, Error, Result};

/// All rows of one moment. SQLite keeps its log from shrinking as long as this lives; nobody waits
/// for it.
pub struct Snapshot {
    transaction: Transaction<'static, Any>,
    backend: Backend,
    tables: Vec<Table>,
    version: i64,
}

impl Database {
    /// All rows of this moment.
    ///
    /// # Errors
    /// When the database fails, or was never migrated.
    pub async fn snapshot(&self) -> Result<Snapshot> {
        let begin = match self.backend() {
            // The first read decides which moment it is.
            Backend::Sqlite => "BEGIN",
            Backend::Postgres => "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
        };
        let mut transaction = self.pool().begin_with(begin).await?;
        let version = crate::migrate::version(&mut transaction).await?;
        let tables = catalogue::tables(&mut transaction, self.backend()).await?;
        Ok(Snapshot {
            transaction,
            backend: self.backend(),
            tables,
            version,
        })
    }
}

impl Snapshot {
    /// The number of the last migration.
    #[must_use]
    pub fn version(&self) -> i64 {
        self.version
    }

    /// All tables but derived ones, each after those that it refers to.
    #[must_use]
    pub fn tables(&self) -> &[Table] {
        &self.tables
    }

    /// The rows of a table in the order of its key, each a line of JSON without a line break.
    pub fn rows(&mut self, table: &Table) -> impl Stream<Item = Result<Vec<u8>>> + Send {
        let statement = select_statement(table, self.backend);
        let kinds: Vec<Kind> = table.columns.iter().map(|column| column.kind).collect();
        let name = table.name.clone();
        let rows = sqlx::query(statement)
            .persistent(false)
            .fetch(&mut *self.transaction);
        rows.map(move |row| line(&row?, &kinds, &name))
    }

    /// Ends it.
    ///
    /// # Errors
    /// When the connection is lost.
    pub async fn close(self) -> Result<()> {
        Ok(self.transaction.rollback().await?)
    }
}

/// PostgreSQL compares texts by the rules of a language unless it is told not to.
fn select_statement(table: &Table, backend: Backend) -> AssertSqlSafe<String> {
    let order = table.key.iter().map(|name| {
        let column = table.columns.iter().find(|column| column.name == *name);
        let is_text = column.is_some_and(|column| column.kind == Kind::Text);
        let collation = match backend {
            Backend::Postgres if is_text => " COLLATE \"C\"",
            _ => "",
        };
        format!("{}{collation} NULLS FIRST", quoted(name))
    });
    let order: Vec<_> = order.collect();
    let columns = table.columns.iter().map(|column| column.name.as_str());
    AssertSqlSafe(format!(
        "SELECT {} FROM {} ORDER BY {}",
        list(columns, ""),
        quoted(&table.name),
        order.join(", "),
    ))
}

fn line(row: &AnyRow, kinds: &[Kind], table: &str) -> Result<Vec<u8>> {
    let values = kinds.iter().enumerate().map(|(index, kind)| {
        Ok::<_, sqlx::Error>(match kind {
            Kind::Text => row.try_get::<Option<String>, _>(index)?.into(),
            Kind::Integer => row.try_get::<Option<i64>, _>(index)?.into(),
            Kind::Double => row.try_get::<Option<f64>, _>(index)?.into(),
        })
    });
    let wrong = |reason: String| Error::Transfer {
        table: table.to_owned(),
        reason,
    };
    let values = values
        .collect::<sqlx::Result<Vec<Value>>>()
        .map_err(|error| wrong(error.to_string()))?;
    serde_json::to_vec(&values).map_err(|error| wrong(error.to_string()))
}
