//! What belongs to the caller.

mod avatar;
mod dashboard;
mod delete;
mod docx_template;
mod email;
mod export;
mod minutes;
mod settings;
pub(crate) mod support;
