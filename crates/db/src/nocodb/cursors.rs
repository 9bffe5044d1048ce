//! Reading position per table: table `nocodb_cursors`.

use super::Kind;
use crate::core::statement::{row_columns, statements};
use crate::{Connection, Result};

/// Cursor of the pieces of long texts, which are not rows of their own locally.
const PIECES: &str = "pieces";

/// A reading position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cursor {
    /// Rows up to this number have been read in the current pass.
    pub position: i64,
    /// When the current pass began, Unix milliseconds; `None` between passes.
    pub began_at: Option<i64>,
    /// Changes before this time have been read, Unix milliseconds; `None` before the first pass.
    pub read_until: Option<i64>,
}

/// The reading position of this table.
///
/// # Errors
/// A row that cannot be read.
pub async fn get(connection: &mut Connection, kind: Kind) -> Result<Cursor> {
    read(connection, kind.as_str()).await
}

/// When the pieces of long texts were last read on their own, Unix milliseconds; `None` before the
/// first time.
///
/// # Errors
/// A row that cannot be read.
pub async fn pieces_read_until(connection: &mut Connection) -> Result<Option<i64>> {
    Ok(read(connection, PIECES).await?.read_until)
}

/// Stores when the pieces were last read.
///
/// # Errors
/// When the database fails.
pub async fn set_pieces_read_until(connection: &mut Connection, at: i64) -> Result<()> {
    let cursor = Cursor {
        read_until: Some(at),
        ..Cursor::default()
    };
    write(connection, PIECES, cursor).await
}

row_columns! {
    fn read_cursor() -> Cursor from "nocodb_cursors" by "kind" {
        position: integer,
        began_at: integer_or_none,
        read_until: integer_or_none,
    }
}

statements! {
    const READ: BOTH -> Cursor =
        "SELECT kind, position, began_at, read_until FROM nocodb_cursors WHERE kind = $1";
}

async fn read(connection: &mut Connection, name: &str) -> Result<Cursor> {
    let row = sqlx::query(READ)
        .bind(name)
        .fetch_optional(connection)
        .await?;
    let Some(row) = row else {
        return Ok(Cursor::default());
    };
    read_cursor(&row)
}

/// Stores the reading position.
///
/// # Errors
/// When the database fails.
pub async fn store(connection: &mut Connection, kind: Kind, cursor: Cursor) -> Result<()> {
    write(connection, kind.as_str(), cursor).await
}

statements! {
    const WRITE: BOTH =
        "INSERT INTO nocodb_cursors (kind, position, began_at, read_until) \
         VALUES ($1, $2, $3, $4) ON CONFLICT (kind) DO UPDATE SET position = excluded.position, \
         began_at = excluded.began_at, read_until = excluded.read_until";
}

async fn write(connection: &mut Connection, name: &str, cursor: Cursor) -> Result<()> {
    sqlx::query(WRITE)
        .bind(name)
        .bind(cursor.position)
        .bind(cursor.began_at)
        .bind(cursor.read_until)
        .execute(connection)
        .await?;
    Ok(())
}
