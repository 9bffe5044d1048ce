//! What is written in each database's own words: full-text indexes and triggers.
//!
//! The migrations are one set of statements for both databases, and these are none that both know.
//! What is made here holds nothing that is not elsewhere, so it needs no migrations either: it is
//! made after them, and a program that wants it in another shape makes it anew. The shapes that a
//! database has are in `search_schema`.

use sqlx::Row;

use crate::connect::Backend;
use crate::{Connection, Result, jobs, search};

/// Something that is made as a whole.
pub(crate) struct Part {
    /// Its number in `search_schema`.
    pub slot: i64,
    /// Grows with every change of the statements.
    pub shape: i64,
    /// Remove it as it may be there, make it, and fill it.
    pub sqlite: &'static [&'static str],
    /// The same for PostgreSQL.
    pub postgres: &'static [&'static str],
}

const PARTS: [&Part; 4] = [&search::SCHEMA, &jobs::COUNTS, &jobs::NAMES, &jobs::ORDERS];

/// All statements, for the digest that tells tests' templates apart.
#[cfg(feature = "testing")]
pub(crate) fn texts() -> impl Iterator<Item = &'static [u8]> {
    PARTS
        .iter()
        .flat_map(|part| part.sqlite.iter().chain(part.postgres))
        .map(|statement| statement.as_bytes())
}

/// Makes what is not there in this program's shape.
///
/// # Errors
/// When the database fails.
pub(crate) async fn prepare(connection: &mut Connection, backend: Backend) -> Result<()> {
    if backend == Backend::Postgres {
        // Several programs may start at once; the second one finds what the first has made.
        run(connection, "SELECT pg_advisory_xact_lock(736867)").await?;
    }
    for part in PARTS {
        let row = sqlx::query("SELECT shape FROM search_schema WHERE slot = $1")
            .bind(part.slot)
            .fetch_optional(&mut *connection)
            .await?;
        let found: Option<i64> = row.map(|row| row.try_get("shape")).transpose()?;
        if found == Some(part.shape) {
            continue;
        }
        let statements = match backend {
            Backend::Sqlite => part.sqlite,
            Backend::Postgres => part.postgres,
        };
        for statement in statements {
            run(connection, statement).await?;
        }
        if part.slot == jobs::ORDERS.slot {
            jobs::fill_keys(&mut *connection).await?;
        }
        sqlx::query(
            "INSERT INTO search_schema (slot, shape) VALUES ($1, $2) \
             ON CONFLICT (slot) DO UPDATE SET shape = $2",
        )
        .bind(part.slot)
        .bind(part.shape)
        .execute(&mut *connection)
        .await?;
    }
    Ok(())
}

async fn run(connection: &mut Connection, statement: &'static str) -> Result<()> {
    sqlx::raw_sql(statement).execute(connection).await?;
    Ok(())
}
