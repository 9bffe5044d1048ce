//! Rows changed on both sides, and rows whose read-only fields were restored: table
//! `nocodb_conflicts`.

use serde_json::Value;
use uuid::Uuid;

use super::Kind;
use crate::core::fields::{Fields, json};
use crate::core::statement::statements;
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

statements! {
    const LIST: BOTH =
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
    let read = |row| {
        let fields = Fields::new(row, "nocodb_conflicts", "id")?;
        let (kind, winner) = (fields.text("kind")?, fields.text("winner")?);
        Ok(Conflict {
            id: fields.uuid("id")?,
            kind: Kind::parse(&kind).ok_or_else(|| fields.error("kind", "unknown"))?,
            local_id: fields.text("local_id")?,
            remote_id: fields.integer("remote_id")?,
            fields: fields.json("fields")?,
            ours_stands: winner != "remote",
            is_put_back: winner == "put_back",
            local_updated_at: fields.integer_or_none("local_updated_at")?,
            remote_updated_at: fields.integer_or_none("remote_updated_at")?,
            lost: fields.json_or_none("lost")?,
            created_at: fields.integer("created_at")?,
        })
    };
    rows.iter().map(read).collect()
}
