//! Tests of the actions below `app`.

pub(crate) mod file_removals;
pub(crate) mod installation;
