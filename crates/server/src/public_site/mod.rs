//! What the public pages and their administration share.

pub(crate) mod figures;
pub(crate) mod preview;
