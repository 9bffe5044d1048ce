//! Tests of `slovo-app` that need the whole server.

mod connections;
pub(crate) mod file_removals;
pub(crate) mod installation;
mod objects;
pub(crate) mod samples;
