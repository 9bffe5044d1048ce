//! Edits of transcripts, on both databases.

mod bin;
mod concurrent;
mod history;
mod hostile;
mod languages;
mod ops;
mod removed;
mod states;
mod steps;
mod streams;
pub(crate) mod support;
mod timed;
