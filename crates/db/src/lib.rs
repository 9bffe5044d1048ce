//! Storage in SQLite and PostgreSQL: the only crate that uses sqlx.
//!
//! Functions take a [`Connection`] first and run one statement or a few that belong together; the
//! caller opens the transaction ([`Database::write`]) and commits it. Not found is `Ok(None)`. A
//! violated constraint is [`Error::Constraint`] with the constraint's name; an unreadable row is
//! [`Error::Row`] with table and key.
//!
//! One set of statements serves both databases through sqlx's `Any` driver. This requires:
//! placeholders `$1`, `$2`…; columns of type TEXT, BIGINT or DOUBLE PRECISION; times in Unix
//! milliseconds; flags 0 and 1; ids and JSON as text. A statement that binds an `Option<f64>` is
//! not kept prepared (`persistent(false)`): sqlx 0.9 sends `None` to PostgreSQL as a four-byte
//! number, and a statement prepared with it rejects the eight bytes of the next value.

pub mod accounts;
pub mod backup_runs;
pub mod core;
pub mod jobs;
pub mod lifecycle;
mod migrate;
pub mod nocodb;
pub mod plans;
pub mod presets;
pub mod site;
pub mod sources;
pub mod targets;
#[cfg(feature = "testing")]
pub mod testing;
pub mod texts;
pub mod transfer;
pub mod webhooks;

pub use self::core::connect::{Backend, Database, Options, ReadConnection, WriteTransaction};
pub use self::core::error::Error;
pub use self::migrate::newest_version;

/// A connection to either database, inside a transaction or not.
pub type Connection = sqlx::AnyConnection;

/// Result of storage functions.
pub type Result<T, E = Error> = std::result::Result<T, E>;
