//! Tests of other crates that need the whole server.

mod completion_mails;
mod nocodb;
