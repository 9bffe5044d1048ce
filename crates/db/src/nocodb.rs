//! What is kept of the external database (NocoDB): where it is, which row of it is which of ours,
//! how far reading it has come, and what the runs of the synchronisation did. Also our side of the
//! mirrored tables, as it is carried there and as what comes from there is applied.

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

use serde_json::{Map, Value};

pub use config::{Config, clear, configured, get as config, note_test, set as configure};
pub use conflicts::{Conflict, add as add_conflict, list as conflicts};
pub use cursors::{
    Cursor, get as cursor, pieces_read_until, put as put_cursor, put_pieces_read_until,
};
pub use jobs::apply as apply_job;
pub use links::{
    Link, forget_all, of_local, of_locals, of_remotes, pending, put as put_link, remote_ids,
    remove as remove_link, removed,
};
pub use plans::{deactivate as deactivate_plan, find as find_plan, insert as insert_plan};
pub use presets::{find as find_preset, insert as insert_preset};
pub use runs::{Cause, Run, Status, begin, finish, latest, progress, renew, unfinished};
pub use users::{
    Refused, apply as apply_user, changed_at as user_changed_at, external_id as user_external_id,
    find as find_user, insert as insert_user,
};

use crate::{Connection, Result};

/// A mirrored table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
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
    /// All, those first that others name.
    pub const ALL: [Self; 6] = [
        Self::Plans,
        Self::Users,
        Self::Usage,
        Self::Presets,
        Self::Jobs,
        Self::Outputs,
    ];

    /// As it is stored and shown to programs.
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

    /// The kind of this name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == name)
    }
}

/// A row of ours under the names of the external database's columns.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// What links name it by.
    pub id: String,
    /// Its values. Of an output only what tells that it has changed: its texts are long.
    pub fields: Map<String, Value>,
    /// Unix milliseconds; `None` where the table does not say.
    pub updated_at: Option<i64>,
}

/// At most `limit` rows that come after this one, by id.
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

/// One row of ours.
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

/// A time as the external database takes it; null where there is none.
fn time(milliseconds: Option<i64>) -> Value {
    milliseconds
        .and_then(|at| jiff::Timestamp::from_millisecond(at).ok())
        .map_or(Value::Null, |at| Value::from(at.to_string()))
}
