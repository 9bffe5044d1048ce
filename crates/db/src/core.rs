//! What all others stand on: the connection, the errors, reading of fields, and the tables that
//! belong to no noun.

pub(crate) mod connect;
pub(crate) mod error;
pub(crate) mod fields;
pub mod file_removals;
pub(crate) mod health;
pub mod installation;
pub mod lease;
pub(crate) mod schema;
pub mod waits;
