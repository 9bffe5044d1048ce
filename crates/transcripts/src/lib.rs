//! What is done with the text of a job after it was recognised. No HTTP, no media, no configuration.

pub mod edits;
