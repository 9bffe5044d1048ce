//! The chat engine against endpoints that are faulty, scripted, and real.

#![expect(
    clippy::unwrap_used,
    reason = "helpers of tests are outside of test functions"
)]

mod assistant;
mod faulty;
mod parts;
mod prompt_injection;
mod real;
mod server;
mod translations;
