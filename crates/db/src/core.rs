//! The basis of all other modules: connection, errors, reading of fields, and tables that belong to
//! no group.

pub(crate) mod advisory_locks;
pub(crate) mod connect;
pub(crate) mod damage;
pub mod error;
pub(crate) mod fields;
pub mod file_removals;
pub(crate) mod health;
pub mod installation;
pub mod lease;
pub mod notifications;
pub(crate) mod schema;
pub(crate) mod statement;
pub mod waits;
