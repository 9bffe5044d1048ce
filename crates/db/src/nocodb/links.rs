//! Links between local rows and rows of the external database: table `nocodb_links`.

use super::Kind;
use crate::core::statement::{built_statements, columns, row_columns, statements};
use crate::{Connection, Error, Result};

/// A local row and its remote counterpart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Link {
    /// Id of the local row.
    pub local_id: String,
    /// Id of the remote row; `None` while it is being created.
    pub remote_id: Option<i64>,
    /// Digest of the fields that both sides may change, at the last agreement.
    pub agreed: String,
    /// Digest of all fields as last sent; empty to force sending them again.
    pub carried: String,
    /// The fields that only the local side changes, as last sent, as JSON; empty if unknown.
    pub mirrored: String,
    /// The remote row's own time of its last change, Unix milliseconds.
    pub remote_updated_at: Option<i64>,
    /// Whether the remote row was deleted.
    pub is_gone: bool,
}

/// The columns of [`Link`], each after `$table`, for example `s.`.
macro_rules! link_columns {
    ($table:literal) => {
        columns!(
            $table: local_id, remote_id, agreed, carried, mirrored, remote_updated_at, is_gone
        )
    };
}

row_columns! {
    fn read() -> Link from "nocodb_links" by "local_id" {
        local_id: text,
        remote_id: integer_or_none,
        agreed: text,
        carried: text,
        mirrored: text,
        remote_updated_at: integer_or_none,
        is_gone: flag,
    }
}

statements! {
    const SET_PLAN: BOTH = "UPDATE synced_subscriptions SET nocodb_id = $2 WHERE id = $1";
    const SET_USER: BOTH =
        "UPDATE synced_users SET nocodb_id = $2, nocodb_user_id = $2 WHERE id = $1";
    const PUT: BOTH =
        "INSERT INTO nocodb_links (kind, local_id, remote_id, agreed, carried, \
         remote_updated_at, is_gone, mirrored) VALUES ($1, $2, $3, $4, $5, $6, $7, $8) \
         ON CONFLICT (kind, local_id) DO UPDATE SET remote_id = excluded.remote_id, \
         agreed = excluded.agreed, carried = excluded.carried, \
         remote_updated_at = excluded.remote_updated_at, is_gone = excluded.is_gone, \
         mirrored = excluded.mirrored";
}

/// Stores a link and replaces the row's previous one.
///
/// # Errors
/// The constraint `nocodb_links_remote` if another local row is linked to the remote row.
pub async fn store(connection: &mut Connection, kind: Kind, link: &Link) -> Result<()> {
    sqlx::query(PUT)
        .bind(kind.as_str())
        .bind(&link.local_id)
        .bind(link.remote_id)
        .bind(&link.agreed)
        .bind(&link.carried)
        .bind(link.remote_updated_at)
        .bind(i64::from(link.is_gone))
        .bind(&link.mirrored)
        .execute(&mut *connection)
        .await?;
    // The columns in which the rest of the program finds the remote ids.
    let statement = match kind {
        Kind::Plans => SET_PLAN,
        Kind::Users => SET_USER,
        _ => return Ok(()),
    };
    let known = link.remote_id.filter(|_| !link.is_gone);
    sqlx::query(statement)
        .bind(&link.local_id)
        .bind(known.map(|id| id.to_string()))
        .execute(connection)
        .await?;
    Ok(())
}

statements! {
    const OF_LOCAL: BOTH -> Link = concat!(
        "SELECT ",
        link_columns!(""),
        " FROM nocodb_links WHERE kind = $1 AND local_id = $2"
    );
}

/// The link of a local row.
///
/// # Errors
/// A row that cannot be read.
pub async fn of_local(
    connection: &mut Connection,
    kind: Kind,
    local_id: &str,
) -> Result<Option<Link>> {
    sqlx::query(OF_LOCAL)
        .bind(kind.as_str())
        .bind(local_id)
        .fetch_optional(connection)
        .await?
        .as_ref()
        .map(read)
        .transpose()
}

statements! {
    const OF_LOCALS: BOTH -> Link = concat!(
        "SELECT ",
        link_columns!(""),
        " FROM nocodb_links WHERE kind = $1 AND local_id >= $2 AND local_id <= $3"
    );
}

/// The links of local rows in this range of ids, inclusive.
///
/// # Errors
/// A row that cannot be read.
pub async fn of_locals(
    connection: &mut Connection,
    kind: Kind,
    from: &str,
    to: &str,
) -> Result<Vec<Link>> {
    let rows = sqlx::query(OF_LOCALS)
        .bind(kind.as_str())
        .bind(from)
        .bind(to)
        .fetch_all(connection)
        .await?;
    rows.iter().map(read).collect()
}

statements! {
    const OF_REMOTES: BOTH -> Link = concat!(
        "SELECT ",
        link_columns!(""),
        " FROM nocodb_links WHERE kind = $1 AND remote_id >= $2 AND remote_id <= $3"
    );
}

/// The links of remote rows in this range of ids, inclusive.
///
/// # Errors
/// A row that cannot be read.
pub async fn of_remotes(
    connection: &mut Connection,
    kind: Kind,
    from: i64,
    to: i64,
) -> Result<Vec<Link>> {
    let rows = sqlx::query(OF_REMOTES)
        .bind(kind.as_str())
        .bind(from)
        .bind(to)
        .fetch_all(connection)
        .await?;
    rows.iter().map(read).collect()
}

statements! {
    const PENDING: BOTH -> Link = concat!(
        "SELECT ",
        link_columns!(""),
        " FROM nocodb_links WHERE kind = $1 AND remote_id IS NULL AND is_gone = 0 \
         ORDER BY local_id LIMIT $2"
    );
}

/// Links of rows that were being created when a run was interrupted.
///
/// # Errors
/// A row that cannot be read.
pub async fn pending(connection: &mut Connection, kind: Kind, limit: u32) -> Result<Vec<Link>> {
    let rows = sqlx::query(PENDING)
        .bind(kind.as_str())
        .bind(i64::from(limit))
        .fetch_all(connection)
        .await?;
    rows.iter().map(read).collect()
}

/// The ids of a local row and its remote counterpart.
struct LinkedIds {
    local_id: String,
    remote_id: Option<i64>,
}

row_columns! {
    fn read_ids() -> LinkedIds from "nocodb_links" by "local_id" {
        local_id: text,
        remote_id: integer_or_none,
    }
}

statements! {
    const REMOTE_IDS: BOTH -> LinkedIds =
        "SELECT local_id, remote_id FROM nocodb_links WHERE kind = $1 AND is_gone = 0 \
         AND remote_id IS NOT NULL";
}

/// Ids of all linked remote rows that are not known to be deleted.
///
/// # Errors
/// A row that cannot be read.
pub async fn remote_ids(connection: &mut Connection, kind: Kind) -> Result<Vec<(i64, String)>> {
    let rows = sqlx::query(REMOTE_IDS)
        .bind(kind.as_str())
        .fetch_all(connection)
        .await?;
    rows.iter()
        .map(|row| {
            let LinkedIds {
                local_id,
                remote_id,
            } = read_ids(row)?;
            match remote_id {
                Some(remote_id) => Ok((remote_id, local_id)),
                None => Err(Error::row("nocodb_links", local_id, "remote_id: NULL")),
            }
        })
        .collect()
}

built_statements! {
    removed_statement: BOTH -> Link = |_| Kind::ALL.map(removed_statement).into();
}

/// Links after the given one whose local row was deleted.
///
/// # Errors
/// A row that cannot be read.
pub async fn removed(
    connection: &mut Connection,
    kind: Kind,
    after: &str,
    limit: u32,
) -> Result<Vec<Link>> {
    let rows = sqlx::query(sqlx::AssertSqlSafe(removed_statement(kind)))
        .bind(kind.as_str())
        .bind(after)
        .bind(i64::from(limit))
        .fetch_all(connection)
        .await?;
    rows.iter().map(read).collect()
}

/// The statement of [`removed`].
fn removed_statement(kind: Kind) -> String {
    let local = match kind {
        Kind::Plans => "SELECT 1 FROM synced_subscriptions t WHERE t.id = l.local_id",
        Kind::Users => "SELECT 1 FROM synced_users t WHERE t.id = l.local_id",
        Kind::Usage => {
            "SELECT 1 FROM synced_users t JOIN synced_user_usage x ON x.user_id = t.auth_user_id \
             WHERE t.id = l.local_id"
        }
        Kind::Presets => "SELECT 1 FROM synced_presets t WHERE t.id = l.local_id",
        Kind::Jobs => "SELECT 1 FROM synced_jobs t WHERE t.my_job_id = l.local_id",
        Kind::Outputs => "SELECT 1 FROM synced_output t WHERE t.my_job_id = l.local_id",
    };
    // Only the literals above are formatted into the SQL.
    let columns = link_columns!("l.");
    format!(
        "SELECT {columns} FROM nocodb_links l WHERE l.kind = $1 AND l.local_id > $2 \
         AND NOT EXISTS ({local}) ORDER BY l.local_id LIMIT $3"
    )
}

statements! {
    const REMOVE: BOTH = "DELETE FROM nocodb_links WHERE kind = $1 AND local_id = $2";
}

/// Removes a link.
///
/// # Errors
/// When the database fails.
pub async fn remove(connection: &mut Connection, kind: Kind, local_id: &str) -> Result<()> {
    sqlx::query(REMOVE)
        .bind(kind.as_str())
        .bind(local_id)
        .execute(connection)
        .await?;
    Ok(())
}

statements! {
    const DELETE_LINKS: BOTH = "DELETE FROM nocodb_links";
    const DELETE_CURSORS: BOTH = "DELETE FROM nocodb_cursors";
    const CLEAR_PLAN_IDS: BOTH =
        "UPDATE synced_subscriptions SET nocodb_id = NULL WHERE nocodb_id IS NOT NULL";
    const CLEAR_USER_IDS: BOTH =
        "UPDATE synced_users SET nocodb_id = NULL, nocodb_user_id = NULL \
         WHERE nocodb_id IS NOT NULL";
}

/// Deletes all links and positions: for another location, or none.
///
/// # Errors
/// When the database fails.
pub async fn delete_all_links(connection: &mut Connection) -> Result<()> {
    for statement in [DELETE_LINKS, DELETE_CURSORS, CLEAR_PLAN_IDS, CLEAR_USER_IDS] {
        sqlx::query(statement).execute(&mut *connection).await?;
    }
    Ok(())
}
