//! What belongs to the caller.

mod avatar;
mod delete;
mod export;
mod settings;
pub(crate) mod support;
