//! What the public pages and their administration share.

pub mod figures;
pub mod preview;
