//! Slovo's server and command line.
//!
//! A request passes from the router ([`router`]) to one file per action ([`api`]) to a function of
//! `slovo-db`: two hops. An extractor of [`auth`] identifies the caller, so an action without one
//! in its signature has no access to users' data.

pub mod api;
pub mod auth;
mod capabilities;
pub mod cli;
pub mod config;
pub mod connections;
pub mod file_removals;
pub mod http;
pub mod installation;
pub mod openapi;
mod pages;
pub mod presets;
mod public_site;
pub mod router;
mod samples;
pub mod serve;
pub mod state;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;

pub use slovo_accounts::plans::{edition, first_plans, trials};
pub use slovo_accounts::{admin_notices, audit, avatars, deletion, plan_mails, site_messages};
pub use slovo_work::{
    analysis, completion_mails, condition, jobs, live, minutes, processes, webhooks,
};
