//! Tests of jobs through the router, on both databases; some use the real engine.

mod actions;
mod analysis;
mod annotations;
mod arrivals;
mod assistant;
mod bulk;
pub(crate) mod default_languages;
pub mod downloads;
pub(crate) mod edits;
mod filters;
mod idempotency;
mod interrupted;
mod orders;
mod outputs;
mod positions;
mod quality;
mod recognise_again;
mod recognition;
mod sentences;
mod speech_endpoint;
mod streams;
pub(crate) mod support;
mod titles;
mod tracks;
mod unfinished;
mod voices;
mod waveforms;
