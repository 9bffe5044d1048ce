//! What can go wrong in storage, named so that a caller can act on it.

/// A failure of storage.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A constraint refused the change. The name is PostgreSQL's; SQLite's message is turned
    /// into the same name. SQLite does not say which foreign key failed: the name is
    /// `foreign_key` there.
    #[error("the constraint {name} refuses the change")]
    Constraint {
        /// As in the migrations, for example `accounts_email_key`.
        name: String,
        /// What the database said.
        #[source]
        source: sqlx::Error,
    },
    /// A stored row cannot be understood: damage, or a version that is newer than this program.
    #[error("the row {key} of {table} cannot be read: {reason}")]
    Row {
        /// The table's name.
        table: &'static str,
        /// The row's primary key.
        key: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The database's address is neither SQLite nor PostgreSQL, or cannot be read.
    #[error("the database address cannot be used: {0}")]
    Address(String),
    /// The database was prepared by another version of this program.
    #[error("the database cannot be brought to this version: {0}")]
    Migration(sqlx::migrate::MigrateError),
    /// No connection was free in time, or the database undid the work for another's sake (a
    /// deadlock, a lock that was held for too long). Nothing was changed, and the same may succeed
    /// in a moment.
    #[error("the database is busy: {0}")]
    Busy(sqlx::Error),
    /// The database is not there, or refused a statement.
    #[error("the database failed: {0}")]
    Database(sqlx::Error),
}

impl Error {
    /// The violated constraint's name, if that is what happened.
    pub fn constraint(&self) -> Option<&str> {
        match self {
            Self::Constraint { name, .. } => Some(name),
            _ => None,
        }
    }

    /// A row that cannot be understood.
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
            None => Self::Database(error),
        }
    }
}

/// PostgreSQL's `serialization_failure`, `deadlock_detected`, `lock_not_available` and
/// `too_many_connections`; SQLite's `SQLITE_BUSY`, also with its reasons (recovery, snapshot).
const BUSY: [&str; 7] = ["40001", "40P01", "55P03", "53300", "5", "261", "517"];

fn is_busy(error: &sqlx::Error) -> bool {
    let code = error
        .as_database_error()
        .and_then(sqlx::error::DatabaseError::code);
    matches!(error, sqlx::Error::PoolTimedOut) || code.is_some_and(|code| BUSY.contains(&&*code))
}

/// Reads the constraint out of SQLite's message and names it as PostgreSQL would.
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
    fn a_pool_without_a_free_connection_is_busy_and_not_broken() {
        let error = Error::from(sqlx::Error::PoolTimedOut);
        assert!(matches!(error, Error::Busy(_)), "{error}");
        let error = Error::from(sqlx::Error::RowNotFound);
        assert!(matches!(error, Error::Database(_)), "{error}");
    }

    #[test]
    fn sqlite_messages_become_the_names_of_the_migrations() {
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
