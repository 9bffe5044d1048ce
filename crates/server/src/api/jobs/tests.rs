//! Jobs through the real router, on both databases; those that recognise use the real engine.

mod actions;
mod analysis;
mod annotations;
mod arrivals;
mod assistant;
mod broken_off;
mod bulk;
mod downloads;
pub(in crate::api) mod edits;
mod filters;
mod orders;
mod outputs;
mod positions;
mod recognition;
mod sentences;
mod streams;
pub(in crate::api) mod support;
mod titles;
mod tracks;
mod unfinished;
mod waveforms;
