//! What errors of the services are as answers: one file for each crate.

mod server_settings;
pub(crate) mod transcripts;
mod work;
