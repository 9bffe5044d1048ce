//! Slovo's server and command line.
//!
//! A request passes from the router ([`router`]) to one file per action ([`api`]) to a function of
//! `slovo-db`: two hops. An extractor of [`auth`] identifies the caller, so an action without one
//! in its signature has no access to users' data.

mod account_export;
pub mod admin_notices;
pub mod api;
mod audit;
pub mod auth;
pub mod avatars;
mod capabilities;
pub mod cli;
pub mod config;
pub mod connections;
pub mod deletion;
pub mod edition;
mod export_bundle;
pub mod file_removals;
pub mod first_plans;
pub mod http;
pub mod installation;
pub mod openapi;
mod pages;
pub mod plan_mails;
pub mod presets;
mod public_site;
pub mod router;
mod samples;
pub mod serve;
pub mod site_messages;
pub mod state;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
pub mod trials;

pub use slovo_work::{
    analysis, completion_mails, condition, jobs, live, minutes, processes, webhooks,
};
