//! The foundation of all services: the time, randomness, the server's secret with the keys derived
//! from it, and the data folder. No HTTP, no SQL, no configuration.
//!
//! Services take a [`Clock`](clock::Clock) and a [`Random`](random::Random) as parameters, so that
//! tests control the time and get the same ids in every run ([`testing`]).

pub mod cache;
pub mod clock;
pub mod public_url;
pub mod random;
pub mod redacted;
pub mod sealed;
pub mod secret;
pub mod signed_links;
pub mod storage;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
