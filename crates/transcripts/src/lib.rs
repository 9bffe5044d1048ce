//! What is done with the text of a job after it was recognised. No HTTP, no media, no configuration.

pub mod edits;
pub mod exports;
pub mod search;
pub mod shares;
