//! Slovo's server and command line: the router of all actions and pages, and what starts it.
//!
//! A request passes from the router ([`router`]) to one file per action (`slovo-api`,
//! `slovo-admin-api`) to a function of `slovo-db`: two hops. An extractor of `slovo_app::auth`
//! identifies the caller, so an action without one in its signature has no access to users' data.

pub mod cli;
mod driver;
mod monitoring;
pub mod openapi;
mod pages;
pub mod router;
pub mod serve;
mod shared_limits;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
