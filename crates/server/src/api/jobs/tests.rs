//! Jobs through the real router, on both databases; those that recognise use the real engine.

mod actions;
mod recognition;
mod streams;
pub(in crate::api) mod support;
mod tracks;
