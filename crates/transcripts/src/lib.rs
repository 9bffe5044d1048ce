//! Everything done with a job's text after recognition. No HTTP, no media, no configuration.

pub mod edits;
pub mod exports;
pub mod search;
pub mod shares;
