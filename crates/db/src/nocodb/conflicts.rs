//! Rows changed on both sides, and rows whose read-only fields were restored: table
//! `nocodb_conflicts`.

use serde_json::Value;
use uuid::Uuid;

use super::Kind;
use crate::core::fields::json;
use crate::core::statement::{row_columns, statements};
use crate::{Connection, Result};

/// A conflict.
#[derive(Clone, Debug, PartialEq)]
pub struct Conflict {
    /// Its id, which sorts by time.
    pub id: Uuid,
    /// The table.
    pub kind: Kind,
    /// Id of the local row.
    pub local_id: String,
    /// Id of the remote row.
    pub remote_id: i64,
    /// Names of the fields that differed or were restored.
    pub fields: Vec<String>,
    /// Whether the local row was kept.
    pub ours_stands: bool,
    /// Whether it was kept because only the local side may change these fields.
    pub is_put_back: bool,
    /// When the local row was changed, Unix milliseconds, if known.
    pub local_updated_at: Option<i64>,
    /// When the remote row was changed, Unix milliseconds.
    pub remote_updated_at: Option<i64>,
    /// Fields of the discarded row; `None` for rows of users.
    pub lost: Option<Value>,
    /// Unix milliseconds.
    pub created_at: i64,
}

statements! {
    const ADD: BOTH =
        "INSERT INTO nocodb_conflicts (id, run_id, kind, local_id, remote_id, fields, winner, \
         local_updated_at, remote_updated_at, lost, created_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)";
}

/// Stores a conflict of a run.
///
/// # Errors
/// When the database fails.
pub async fn add(connection: &mut Connection, run: Uuid, conflict: &Conflict) -> Result<()> {
    sqlx::query(ADD)
        .bind(conflict.id.to_string())
        .bind(run.to_string())
        .bind(conflict.kind.as_str())
        .bind(&conflict.local_id)
        .bind(conflict.remote_id)
        .bind(json(&conflict.fields))
        .bind(winner(conflict))
        .bind(conflict.local_updated_at)
        .bind(conflict.remote_updated_at)
        .bind(conflict.lost.as_ref().map(json))
        .bind(conflict.created_at)
        .execute(connection)
        .await?;
    Ok(())
}

fn winner(conflict: &Conflict) -> &'static str {
    match (conflict.is_put_back, conflict.ours_stands) {
        (true, _) => "put_back",
        (false, true) => "local",
        (false, false) => "remote",
    }
}

row_columns! {
    fn read() -> Conflict from "nocodb_conflicts" by "id" {
        id: uuid,
        kind: word,
        local_id: text,
        remote_id: integer,
        fields: json,
        ours_stands: text in "winner" => |winner: String| winner != "remote",
        is_put_back: text in "winner" => |winner: String| winner == "put_back",
        local_updated_at: integer_or_none,
        remote_updated_at: integer_or_none,
        lost: json_or_none,
        created_at: integer,
    }
}

statements! {
    const LIST: BOTH -> Conflict =
        "SELECT id, kind, local_id, remote_id, fields, winner, local_updated_at, \
         remote_updated_at, lost, created_at FROM nocodb_conflicts WHERE run_id = $1 \
         ORDER BY created_at, id LIMIT $2";
}

/// At most `limit` conflicts of a run, in order.
///
/// # Errors
/// A row that cannot be read.
pub async fn list(connection: &mut Connection, run: Uuid, limit: u32) -> Result<Vec<Conflict>> {
    let rows = sqlx::query(LIST)
        .bind(run.to_string())
        .bind(i64::from(limit))
        .fetch_all(connection)
        .await?;
    rows.iter().map(read).collect()
}
