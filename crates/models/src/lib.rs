//! Fetches models: from the models folder, or from the public hub or its mirror. Every file is
//! pinned by checksum, and gets its final name only when it is complete and verified.

mod error;
mod hub;
mod leftovers;
mod progress;
mod pull;
pub mod serving;
pub mod tasks;
#[cfg(test)]
mod tests;

pub use error::PullError;
pub use hub::HubEndpoint;
pub use leftovers::remove;
pub use progress::{Progress, Step};
pub use pull::{Fetcher, PullOutcome, Source};
