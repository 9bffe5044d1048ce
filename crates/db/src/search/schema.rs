//! The full-text index: FTS5 in SQLite, `tsvector` with GIN in PostgreSQL.
//!
//! The migrations are one set of statements for both databases, and these are none that both know.
//! The index holds nothing that is not elsewhere, so it needs no migrations either: it is made here
//! after them, and a program that wants it in another shape throws it away and lets the indexer
//! fill it again.

use sqlx::Row;

use crate::connect::Backend;
use crate::{Connection, Result};

/// Grows with every change of the statements below, of [`super::document`] or of the folding.
const SHAPE: i64 = 1;

/// Words come folded and cut, separated by spaces: the `ascii` tokenizer takes every character
/// outside ASCII as it is, and an apostrophe belongs to its word. The text itself is not kept.
/// `search_entries` gives each job its number in the index, and takes it from there when it goes.
const SQLITE: [&str; 3] = [
    "CREATE TABLE search_entries (id INTEGER NOT NULL PRIMARY KEY, my_job_id TEXT NOT NULL UNIQUE \
     REFERENCES synced_jobs (my_job_id) ON DELETE CASCADE)",
    "CREATE VIRTUAL TABLE search_index USING fts5(owner, name, body, content='', \
     contentless_delete=1, tokenize=\"ascii tokenchars ''''\", prefix='2 3')",
    "CREATE TRIGGER search_entries_gone AFTER DELETE ON search_entries BEGIN \
     DELETE FROM search_index WHERE rowid = OLD.id; END",
];
const SQLITE_GONE: [&str; 2] = [
    "DROP TABLE IF EXISTS search_entries",
    "DROP TABLE IF EXISTS search_index",
];

/// Without a list of pending entries, which every search would have to read through.
const POSTGRES: [&str; 2] = [
    "CREATE TABLE search_index (my_job_id TEXT NOT NULL PRIMARY KEY \
     REFERENCES synced_jobs (my_job_id) ON DELETE CASCADE, \
     created_at BIGINT NOT NULL, words tsvector NOT NULL)",
    "CREATE INDEX search_index_words ON search_index USING gin (words) WITH (fastupdate = off)",
];
const POSTGRES_GONE: [&str; 1] = ["DROP TABLE IF EXISTS search_index"];

/// All that makes the index, for the digest that tells tests' templates apart.
#[cfg(feature = "testing")]
pub(crate) fn texts() -> impl Iterator<Item = &'static [u8]> {
    POSTGRES.iter().map(|statement| statement.as_bytes())
}

/// Makes the index if it is not there in this program's shape. Then every job waits to be indexed.
///
/// # Errors
/// When the database fails.
pub(crate) async fn prepare(connection: &mut Connection, backend: Backend) -> Result<()> {
    if backend == Backend::Postgres {
        // Several programs may start at once; the second one finds what the first has made.
        run(connection, "SELECT pg_advisory_xact_lock(736867)").await?;
    }
    let row = sqlx::query("SELECT shape FROM search_schema WHERE slot = 1")
        .fetch_optional(&mut *connection)
        .await?;
    let found: Option<i64> = row.map(|row| row.try_get("shape")).transpose()?;
    if found == Some(SHAPE) {
        return Ok(());
    }
    let (gone, made): (&[_], &[_]) = match backend {
        Backend::Sqlite => (&SQLITE_GONE, &SQLITE),
        Backend::Postgres => (&POSTGRES_GONE, &POSTGRES),
    };
    for statement in gone.iter().chain(made) {
        run(connection, statement).await?;
    }
    run(connection, "UPDATE search_documents SET indexed = 0").await?;
    sqlx::query(
        "INSERT INTO search_schema (slot, shape) VALUES (1, $1) \
         ON CONFLICT (slot) DO UPDATE SET shape = $1",
    )
    .bind(SHAPE)
    .execute(connection)
    .await?;
    Ok(())
}

async fn run(connection: &mut Connection, statement: &'static str) -> Result<()> {
    sqlx::raw_sql(statement).execute(connection).await?;
    Ok(())
}
