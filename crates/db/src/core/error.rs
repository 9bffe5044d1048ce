//! Errors of the storage, distinguished by what a caller can do about them.

/// An error of the storage.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A constraint was violated. Constraints have their PostgreSQL names; names for SQLite are
    /// derived from its message. SQLite does not report which foreign key failed: the name is
    /// `foreign_key` there.
    #[error("the constraint {name} refuses the change")]
    Constraint {
        /// As in the migrations, for example `accounts_email_key`.
        name: String,
        /// The database's error.
        #[source]
        source: sqlx::Error,
    },
    /// A stored row cannot be read: it is damaged or was written by a newer version.
    #[error("the row {key} of {table} cannot be read: {reason}")]
    Row {
        /// The table's name.
        table: &'static str,
        /// The row's primary key.
        key: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The database URL is neither SQLite nor PostgreSQL, or is malformed.
    #[error("the database address cannot be used: {0}")]
    Address(String),
    /// The database was migrated by another version of this program.
    #[error(
        "the database cannot be brought to this version: {0}. It is as it was: the version that worked with \
         it still does"
    )]
    Migration(sqlx::migrate::MigrateError),
    /// The database was migrated by a newer version of this program.
    #[error(
        "the database was used by a newer version of Slovo (its migration {found}, this program knows \
         {known}); start that version, or restore a backup that was made before. Nothing was changed"
    )]
    Newer {
        /// The number of the database's last migration.
        found: i64,
        /// The number of the last migration that this program knows.
        known: i64,
    },
    /// A row could not be read or stored while a whole database was copied.
    #[error("the table {table} cannot be copied: {reason}")]
    Transfer {
        /// The table's name.
        table: String,
        /// What is wrong.
        reason: String,
    },
    /// No connection was free in time, or the database aborted the transaction (a deadlock, or a
    /// lock timeout). Nothing was changed; a retry may succeed.
    #[error("the database is busy: {0}")]
    Busy(sqlx::Error),
    /// The database's disk is full. Nothing was changed; a retry may succeed once there is space.
    #[error("the database's disk is full: {0}")]
    Full(sqlx::Error),
    /// The database cannot be reached, or the connection broke. Whether a pending commit took place
    /// is unknown; a retry may succeed.
    #[error("the database cannot be reached: {0}")]
    Unreachable(sqlx::Error),
    /// The database rejected a statement, or returned something unexpected.
    #[error("the database failed: {0}")]
    Database(sqlx::Error),
}

impl Error {
    /// The name of the violated constraint, for a constraint error.
    pub fn constraint(&self) -> Option<&str> {
        match self {
            Self::Constraint { name, .. } => Some(name),
            _ => None,
        }
    }

    /// An error for a row that cannot be read.
    pub fn row(table: &'static str, key: impl Into<String>, reason: impl Into<String>) -> Self {
        Self::Row {
            table,
            key: key.into(),
            reason: reason.into(),
        }
    }
}

impl From<sqlx::migrate::MigrateError> for Error {
    fn from(error: sqlx::migrate::MigrateError) -> Self {
        Self::Migration(error)
    }
}

impl From<sqlx::Error> for Error {
    fn from(error: sqlx::Error) -> Self {
        let name = error.as_database_error().and_then(|database| {
            database
                .constraint()
                .map(str::to_owned)
                .or_else(|| sqlite_constraint(database.message()))
        });
        match name {
            Some(name) => Self::Constraint {
                name,
                source: error,
            },
            None if is_busy(&error) => Self::Busy(error),
            None if is_full(&error) => Self::Full(error),
            None if is_unreachable(&error) => Self::Unreachable(error),
            None => Self::Database(error),
        }
    }
}

/// PostgreSQL's `serialization_failure`, `deadlock_detected`, `lock_not_available` and
/// `too_many_connections`; SQLite's `SQLITE_BUSY` with its extended codes (recovery, snapshot).
const BUSY: [&str; 7] = ["40001", "40P01", "55P03", "53300", "5", "261", "517"];

/// PostgreSQL's `disk_full`; SQLite's `SQLITE_FULL`, and `SQLITE_IOERR_SHMSIZE`: the shared-memory
/// file of the write-ahead log cannot grow.
const FULL: [&str; 3] = ["53100", "13", "4874"];

/// PostgreSQL's `admin_shutdown`, `crash_shutdown`, `cannot_connect_now`, `database_dropped` and
/// `idle_session_timeout`. All of class 08 (connection exceptions) counts too.
const UNREACHABLE: [&str; 5] = ["57P01", "57P02", "57P03", "57P04", "57P05"];

fn is_busy(error: &sqlx::Error) -> bool {
    matches!(error, sqlx::Error::PoolTimedOut) || has_code(error, |code| BUSY.contains(&code))
}

fn is_full(error: &sqlx::Error) -> bool {
    has_code(error, |code| FULL.contains(&code))
}

fn is_unreachable(error: &sqlx::Error) -> bool {
    match error {
        // The pool is closed while the server stops.
        sqlx::Error::Io(_)
        | sqlx::Error::Tls(_)
        | sqlx::Error::PoolClosed
        | sqlx::Error::WorkerCrashed => true,
        // sqlx's error for a truncated response.
        sqlx::Error::Protocol(_) => true,
        other => has_code(other, |code| {
            UNREACHABLE.contains(&code) || code.starts_with("08")
        }),
    }
}

/// Whether the error has a database code of this kind.
fn has_code(error: &sqlx::Error, is_of_kind: impl Fn(&str) -> bool) -> bool {
    let code = error
        .as_database_error()
        .and_then(sqlx::error::DatabaseError::code);
    code.is_some_and(|code| is_of_kind(&code))
}

/// Extracts the constraint from SQLite's message and names it as PostgreSQL would.
fn sqlite_constraint(message: &str) -> Option<String> {
    let (kind, rest) = message.split_once(" constraint failed")?;
    let rest = rest.strip_prefix(": ").unwrap_or_default();
    match kind {
        "UNIQUE" => {
            let columns: Vec<&str> = rest.split(", ").collect();
            let (table, first) = columns.first()?.split_once('.')?;
            let mut name = format!("{table}_{first}");
            for column in columns.iter().skip(1) {
                name.push('_');
                name.push_str(column.split_once('.')?.1);
            }
            Some(name + "_key")
        }
        "CHECK" => Some(rest.to_owned()),
        "NOT NULL" => Some(rest.replace('.', "_") + "_not_null"),
        "FOREIGN KEY" => Some("foreign_key".to_owned()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{Error, sqlite_constraint};

    #[test]
    fn a_pool_without_a_free_connection_counts_as_busy() {
        let error = Error::from(sqlx::Error::PoolTimedOut);
        assert!(matches!(error, Error::Busy(_)), "{error}");
        let error = Error::from(sqlx::Error::RowNotFound);
        assert!(matches!(error, Error::Database(_)), "{error}");
    }

    #[test]
    fn a_lost_connection_is_reported_as_unreachable() {
        let cut = std::io::Error::from(std::io::ErrorKind::ConnectionReset);
        for error in [sqlx::Error::Io(cut), sqlx::Error::PoolClosed] {
            let error = Error::from(error);
            assert!(matches!(error, Error::Unreachable(_)), "{error}");
        }
    }

    #[test]
    fn sqlite_messages_become_constraint_names() {
        let name = |message| sqlite_constraint(message).unwrap_or_default();
        assert_eq!(
            name("UNIQUE constraint failed: accounts.email"),
            "accounts_email_key"
        );
        assert_eq!(name("UNIQUE constraint failed: a.b, a.c"), "a_b_c_key");
        assert_eq!(
            name("CHECK constraint failed: user_roles_role_check"),
            "user_roles_role_check"
        );
        assert_eq!(name("FOREIGN KEY constraint failed"), "foreign_key");
        assert_eq!(
            name("NOT NULL constraint failed: accounts.email"),
            "accounts_email_not_null"
        );
        assert_eq!(sqlite_constraint("database is locked"), None);
    }
}
