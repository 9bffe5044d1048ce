//! Tests of other crates that need the whole server.

mod accounts;
pub(crate) mod api;
pub(crate) mod app;
pub(crate) mod codes;
mod compat;
mod completion_mails;
mod failing_database;
mod nocodb;
pub(crate) mod permissions;
