//! The id that ties a database to a data folder: table `installation`.

use sqlx::Row;
use uuid::Uuid;

use crate::core::fields::Fields;
use crate::core::statement::{row_columns, statements};
use crate::{Backend, Connection, Result};

/// The identity of the installation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Installation {
    /// The id, also stored in the data folder.
    pub id: String,
    /// When the id was assigned, Unix milliseconds.
    pub created_at: i64,
    /// A fingerprint of the server's secret; `None` until a start has stored it.
    pub secret_print: Option<String>,
}

row_columns! {
    fn read() -> Installation from "installation" by "id" {
        id: text,
        created_at: integer,
        secret_print: text_or_none,
    }
}

statements! {
    const FIND: BOTH -> Installation =
        "SELECT id, created_at, secret_print FROM installation WHERE slot = 1";
}

/// The identity of the installation, if a server has been started with this database.
///
/// # Errors
/// When the database fails.
pub async fn find(connection: &mut Connection) -> Result<Option<Installation>> {
    let row = sqlx::query(FIND).fetch_optional(connection).await?;
    row.as_ref().map(read).transpose()
}

statements! {
    const TIME: POSTGRES =
        "SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT) AS now";
}

/// The time of the database's machine, in Unix milliseconds; `None` for SQLite, which is on this one.
///
/// # Errors
/// When the database fails.
pub async fn time_of_database(
    connection: &mut Connection,
    backend: Backend,
) -> Result<Option<i64>> {
    if backend == Backend::Sqlite {
        return Ok(None);
    }
    let row = sqlx::query(TIME).fetch_one(connection).await?;
    Ok(Some(row.try_get("now")?))
}

statements! {
    const SET_SECRET_PRINT: BOTH = "UPDATE installation SET secret_print = $1 WHERE slot = 1";
}

/// Stores the fingerprint of the secret.
///
/// # Errors
/// When the database fails.
pub async fn set_secret_print(connection: &mut Connection, print: &str) -> Result<()> {
    sqlx::query(SET_SECRET_PRINT)
        .bind(print)
        .execute(connection)
        .await?;
    Ok(())
}

statements! {
    const SET_ID: BOTH = "UPDATE installation SET id = $1 WHERE slot = 1";
}

/// Replaces the id: data folders with the old one no longer belong to the database.
///
/// # Errors
/// When the database fails.
pub async fn set_id(connection: &mut Connection, id: &str) -> Result<()> {
    sqlx::query(SET_ID).bind(id).execute(connection).await?;
    Ok(())
}

statements! {
    const UPLOADS: BOTH =
        "SELECT id FROM uploads WHERE stored > 0 AND problem IS NULL \
         ORDER BY expires_at DESC LIMIT $1";
    const JOBS: BOTH =
        "SELECT media_id AS id FROM synced_jobs WHERE awaits_download = 0 AND file_size > 0 \
         ORDER BY created_at DESC LIMIT $1";
}

/// Recordings that should have bytes in the data folder: at most `limit` uploads and `limit` jobs,
/// newest first.
///
/// # Errors
/// When the database fails.
pub async fn recordings(connection: &mut Connection, limit: u32) -> Result<Vec<Uuid>> {
    let mut ids = Vec::new();
    for (table, statement) in [("uploads", UPLOADS), ("synced_jobs", JOBS)] {
        let rows = sqlx::query(statement).bind(i64::from(limit));
        for row in rows.fetch_all(&mut *connection).await? {
            ids.push(Fields::new(&row, table, "id")?.uuid("id")?);
        }
    }
    Ok(ids)
}

statements! {
    const FIND_OR_INSERT: BOTH =
        "INSERT INTO installation (slot, id, created_at) VALUES (1, $1, $2) \
         ON CONFLICT (slot) DO UPDATE SET slot = excluded.slot RETURNING id";
}

/// Stores this id unless the database has one; returns the id in use.
///
/// # Errors
/// When the database fails.
pub async fn find_or_insert(connection: &mut Connection, id: &str, now: i64) -> Result<String> {
    // Of two processes that start at the same time, the second waits here and gets the id of the
    // first.
    let row = sqlx::query(FIND_OR_INSERT)
        .bind(id)
        .bind(now)
        .fetch_one(connection)
        .await?;
    Ok(row.try_get("id")?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Backend, apply, each_database, with_database};

    #[apply(each_database!)]
    fn the_first_installation_id_stays(backend: Backend) {
        with_database(backend, async |db| {
            let mut transaction = db.write().await.unwrap();
            assert_eq!(find(&mut transaction).await.unwrap(), None);
            for id in ["one", "two"] {
                let stored = find_or_insert(&mut transaction, id, 1).await.unwrap();
                assert_eq!(stored, "one");
            }
            set_secret_print(&mut transaction, "print").await.unwrap();
            let installation = find(&mut transaction).await.unwrap().unwrap();
            assert_eq!(
                (
                    installation.id.as_str(),
                    installation.secret_print.as_deref()
                ),
                ("one", Some("print"))
            );
            set_id(&mut transaction, "other").await.unwrap();
            let installation = find(&mut transaction).await.unwrap().unwrap();
            assert_eq!(installation.id, "other");
        });
    }
}
