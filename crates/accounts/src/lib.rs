//! Accounts: who may sign in, which plan they have, and what belongs to an account beside its jobs.
//!
//! Nothing here serves HTTP or reads the configuration: each service takes the values that it needs
//! (`Parts`), and its errors are enums that the server turns into responses.

pub mod account_export;
pub mod admin_notices;
pub mod audit;
pub mod auth;
pub mod avatars;
pub mod deletion;
pub mod housekeeping;
mod ids;
pub mod outbox;
pub mod plan_mails;
pub mod plans;
pub mod site_messages;
