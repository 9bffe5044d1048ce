//! State of the synchronisation with the external database (NocoDB): its configuration, the links
//! between rows, the reading position and the log of runs. Also the local side of the mirrored
//! tables: reading rows to be sent, and applying received changes.

mod config;
mod conflicts;
mod cursors;
mod jobs;
mod links;
mod outputs;
mod plans;
mod presets;
mod runs;
#[cfg(test)]
mod tests;
mod usage;
mod users;

use serde::Deserialize;
use serde_json::{Map, Value};

pub use config::{Config, clear, configured, get as config, record_test, set as configure};
pub use conflicts::{Conflict, add as add_conflict, list as conflicts};
pub use cursors::{
    Cursor, get as cursor, pieces_read_until, set_pieces_read_until, store as put_cursor,
};
pub use jobs::apply as apply_job;
pub use links::{
    Link, delete_all_links, of_local, of_locals, of_remotes, pending, remote_ids,
    remove as remove_link, removed, store as put_link,
};
pub use plans::{deactivate as deactivate_plan, find as find_plan, insert as insert_plan};
pub use presets::{find as find_preset, insert as insert_preset};
pub use runs::{Cause, Run, Status, begin, finish, latest, renew, store_progress, unfinished};
pub use users::{
    RefusedChange, apply as apply_user, changed_at as user_changed_at,
    external_id as user_external_id, find as find_user, insert as insert_user,
};

use crate::{Connection, Result};

/// A mirrored table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// `synced_subscriptions`.
    Plans,
    /// `synced_users`.
    Users,
    /// `synced_user_usage`.
    Usage,
    /// `synced_presets`.
    Presets,
    /// `synced_jobs`.
    Jobs,
    /// `synced_output`.
    Outputs,
}

impl Kind {
    /// All kinds; referenced tables come first.
    pub const ALL: [Self; 6] = [
        Self::Plans,
        Self::Users,
        Self::Usage,
        Self::Presets,
        Self::Jobs,
        Self::Outputs,
    ];

    /// The stored and serialised name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Plans => "plans",
            Self::Users => "users",
            Self::Usage => "usage",
            Self::Presets => "presets",
            Self::Jobs => "jobs",
            Self::Outputs => "outputs",
        }
    }
}

/// A local row with the external database's column names.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The id used in links.
    pub id: String,
    /// Its values. For an output only what shows that it has changed, because its texts are long.
    pub fields: Map<String, Value>,
    /// Unix milliseconds; `None` if the table does not store it.
    pub updated_at: Option<i64>,
}

/// At most `limit` rows after this one, by id.
///
/// # Errors
/// A row that cannot be read.
pub async fn page(
    connection: &mut Connection,
    kind: Kind,
    after: &str,
    limit: u32,
) -> Result<Vec<Row>> {
    let limit = i64::from(limit);
    match kind {
        Kind::Plans => plans::page(connection, after, limit).await,
        Kind::Users => users::page(connection, after, limit).await,
        Kind::Usage => usage::page(connection, after, limit).await,
        Kind::Presets => presets::page(connection, after, limit).await,
        Kind::Jobs => jobs::page(connection, after, limit).await,
        Kind::Outputs => outputs::page(connection, after, limit).await,
    }
}

/// A local row.
///
/// # Errors
/// A row that cannot be read.
pub async fn row(connection: &mut Connection, kind: Kind, id: &str) -> Result<Option<Row>> {
    match kind {
        Kind::Plans => plans::get(connection, id).await,
        Kind::Users => users::get(connection, id).await,
        Kind::Usage => usage::get(connection, id).await,
        Kind::Presets => presets::get(connection, id).await,
        Kind::Jobs => jobs::get(connection, id).await,
        Kind::Outputs => outputs::get(connection, id).await,
    }
}

/// A time in the external database's format; null for `None`.
fn time(milliseconds: Option<i64>) -> Value {
    milliseconds
        .and_then(|at| jiff::Timestamp::from_millisecond(at).ok())
        .map_or(Value::Null, |at| Value::from(at.to_string()))
}
