//! Fetches models: from the models folder, or from the public hub or its mirror. Every file is
//! pinned by checksum, and gets its final name only when it is complete and verified.

pub mod desk;
mod hub;
mod leftovers;
mod pull;
pub mod serving;
#[cfg(test)]
mod tests;

pub use hub::Home;
pub use leftovers::remove;
pub use pull::{Fetcher, Progress, PullError, Pulled, Source, Step};
