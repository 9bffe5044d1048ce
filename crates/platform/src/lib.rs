//! The foundation of all services: the time, randomness, how full a disk is, and the server's secret
//! with the keys derived from it. No HTTP, no SQL, no configuration.
//!
//! Services take a [`Clock`](clock::Clock) and a [`Random`](random::Random) as parameters, so that
//! tests control the time and get the same ids in every run ([`testing`]).

pub mod cache;
pub mod clock;
pub mod disk;
pub mod metrics;
pub mod public_url;
pub mod random;
pub mod redacted;
pub mod sealed;
pub mod secret;
pub mod signed_links;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
pub mod turns;
