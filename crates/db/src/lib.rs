//! Everything that is stored, for SQLite and PostgreSQL alike: the only crate that names sqlx.
//!
//! Functions are plain, take a [`Connection`] first and hold one statement or a few that belong
//! together; whoever calls them decides about the transaction ([`Database::write`]) and commits
//! in plain sight. Not found is `Ok(None)`. A violated constraint is [`Error::Constraint`] with
//! the constraint's name; a row that cannot be understood is [`Error::Row`] with table and key.
//!
//! One set of statements serves both databases through sqlx's `Any` driver. What that asks for:
//! placeholders are `$1`, `$2`…; columns are TEXT, BIGINT or DOUBLE PRECISION; times are Unix
//! milliseconds; flags are 0 and 1; ids and JSON are text. A statement that binds an `Option<f64>`
//! is not kept prepared (`persistent(false)`): sqlx 0.9 gives `None` to PostgreSQL as a number of
//! four bytes, and a statement that was prepared with it refuses the eight of the next one.

pub mod accounts;
pub mod core;
pub mod jobs;
pub mod lifecycle;
mod migrate;
pub mod nocodb;
pub mod plans;
pub mod presets;
pub mod site;
#[cfg(feature = "testing")]
pub mod testing;
pub mod texts;
pub mod webhooks;

pub use self::core::connect::{Backend, Database, Options, ReadConnection, WriteTransaction};
pub use self::core::error::Error;

/// A connection to either database, inside a transaction or not.
pub type Connection = sqlx::AnyConnection;

/// What storing returns.
pub type Result<T, E = Error> = std::result::Result<T, E>;
