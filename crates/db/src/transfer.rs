//! Whole databases as rows: for backups, and for moving from one kind of database to the other.
//!
//! A row is a line of JSON, an array with the values of its columns; rows come in the order of their
//! primary key, compared byte by byte. So the same rows are the same bytes on both databases, and a
//! digest of the lines shows that a copy is exact. What the program derives from other rows (the
//! search index, the index of names) is left out; [`Database::migrate`] makes it again.
//!
//! A PostgreSQL database is restored into a schema of its own ([`schemas`]), which then takes the
//! place of the former one in one transaction.

mod catalogue;
pub mod schemas;
mod snapshot;
#[cfg(test)]
mod tests;
mod usage;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use sqlx::AssertSqlSafe;

pub use snapshot::Snapshot;
pub use usage::{count, is_in_use};

use crate::{Connection, Database, Error, Result};

/// What a column holds. There are no other types, see the crate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// TEXT
    Text,
    /// BIGINT
    Integer,
    /// DOUBLE PRECISION
    Double,
}

/// A column.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// What it holds.
    pub kind: Kind,
}

/// A table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Table {
    /// Its name.
    pub name: String,
    /// Its columns, in the order of the values of a row.
    pub columns: Vec<Column>,
    /// The columns of its primary key; all columns if it has none.
    pub key: Vec<String>,
}

/// Parameters of one statement; SQLite takes 32,766, PostgreSQL 65,535.
const PARAMETERS: usize = 8_000;

impl Table {
    /// How many rows [`insert`] takes at once.
    #[must_use]
    pub fn rows_at_once(&self) -> usize {
        (PARAMETERS / self.columns.len().max(1)).clamp(1, 500)
    }

    fn wrong(&self, reason: impl Into<String>) -> Error {
        Error::Transfer {
            table: self.name.clone(),
            reason: reason.into(),
        }
    }
}

/// Removes the rows of these tables, of those that refer to others first. A new database has some:
/// migrations store defaults.
///
/// # Errors
/// When the database fails.
pub async fn clear(connection: &mut Connection, tables: &[Table]) -> Result<()> {
    for table in tables.iter().rev() {
        sqlx::query(clear_statement(table))
            .execute(&mut *connection)
            .await?;
    }
    Ok(())
}

fn clear_statement(table: &Table) -> AssertSqlSafe<String> {
    AssertSqlSafe(format!("DELETE FROM {}", quoted(&table.name)))
}

/// Stores rows, at most [`Table::rows_at_once`], as [`Snapshot::rows`] gives them.
///
/// # Errors
/// [`Error::Transfer`] if a line is no row of this table; otherwise when the database fails.
pub async fn insert(
    connection: &mut Connection,
    table: &Table,
    lines: &[impl AsRef<[u8]>],
) -> Result<()> {
    let rows = lines
        .iter()
        .map(|line| values(table, line.as_ref()))
        .collect::<Result<Vec<_>>>()?;
    if rows.is_empty() {
        return Ok(());
    }
    let mut query = sqlx::query(insert_statement(table, &rows)).persistent(false);
    for (column, value) in rows.iter().flat_map(|row| table.columns.iter().zip(row)) {
        let wrong = || table.wrong(format!("{} has another type", column.name));
        query = match (column.kind, value) {
            (_, Value::Null) => query,
            (Kind::Text, Value::String(text)) => query.bind(text.clone()),
            (Kind::Integer, value) => query.bind(value.as_i64().ok_or_else(wrong)?),
            (Kind::Double, value) => query.bind(value.as_f64().ok_or_else(wrong)?),
            (Kind::Text, _) => return Err(wrong()),
        };
    }
    query.execute(connection).await?;
    Ok(())
}

fn values(table: &Table, line: &[u8]) -> Result<Vec<Value>> {
    let row: Vec<Value> =
        serde_json::from_slice(line).map_err(|error| table.wrong(error.to_string()))?;
    if row.len() == table.columns.len() {
        return Ok(row);
    }
    Err(table.wrong(format!(
        "a row has {} values instead of {}",
        row.len(),
        table.columns.len()
    )))
}

/// NULL is written as such: bound, it would need the type of its column.
fn insert_statement(table: &Table, rows: &[Vec<Value>]) -> AssertSqlSafe<String> {
    let mut parameter = 0;
    let mut place = |value: &Value| {
        if value.is_null() {
            return "NULL".to_owned();
        }
        parameter += 1;
        format!("${parameter}")
    };
    let rows: Vec<String> = rows
        .iter()
        .map(|row| {
            let places: Vec<String> = row.iter().map(&mut place).collect();
            format!("({})", places.join(", "))
        })
        .collect();
    let columns = table.columns.iter().map(|column| column.name.as_str());
    AssertSqlSafe(format!(
        "INSERT INTO {} ({}) VALUES {}",
        quoted(&table.name),
        list(columns, ""),
        rows.join(", "),
    ))
}

/// The columns, separated by commas, each followed by this text.
fn list<'a>(columns: impl Iterator<Item = &'a str>, after: &str) -> String {
    let columns: Vec<_> = columns
        .map(|column| format!("{}{after}", quoted(column)))
        .collect();
    columns.join(", ")
}

/// A name of the catalogue, or of a backup, as an identifier that cannot become anything else.
fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

impl Database {
    /// The tables, as [`Snapshot::tables`] has them.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn tables(&self) -> Result<Vec<Table>> {
        let mut connection = self.read().await?;
        catalogue::tables(&mut connection, self.backend()).await
    }
}
