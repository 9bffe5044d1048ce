//! Tests of the caller's own account.

mod avatar;
mod dashboard;
mod delete;
mod docx_template;
mod email;
mod export;
mod minutes;
mod settings;
pub(crate) mod support;
