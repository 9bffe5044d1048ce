//! Tests of the caller's own account.

pub(crate) mod api_keys;
mod avatar;
mod dashboard;
mod delete;
mod docx_template;
mod email;
mod export;
mod minutes;
mod settings;
mod sources;
pub(crate) mod support;
mod targets;
mod webhooks;
