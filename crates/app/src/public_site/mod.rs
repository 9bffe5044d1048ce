//! Shared by the public pages and their administration.

pub mod figures;
pub mod preview;
