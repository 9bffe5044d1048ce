//! Converts the services' errors to problems: one file per crate.

mod accounts;
mod server_settings;
pub mod transcripts;
mod work;
