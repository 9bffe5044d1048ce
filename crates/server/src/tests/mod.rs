//! Tests of other crates that need the whole server.

mod accounts;
mod completion_mails;
mod nocodb;
