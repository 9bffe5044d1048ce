//! What belongs to the caller.

mod avatar;
mod delete;
mod export;
mod minutes;
mod settings;
pub(crate) mod support;
