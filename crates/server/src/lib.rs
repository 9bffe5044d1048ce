//! Slovo's server and command line.
//!
//! A request goes from the router ([`http`]) to one file per action ([`api`]) to a function of
//! `slovo-db`: two hops. Who calls is established by an extractor of [`auth`], so an action
//! without a permission in its signature does not see anybody's data.

mod account_export;
pub mod admin_notices;
pub mod analysis;
pub mod api;
mod audit;
pub mod auth;
pub mod avatars;
pub mod cli;
pub mod completion_mails;
pub mod condition;
pub mod config;
pub mod connections;
pub mod deletion;
pub mod edition;
pub use slovo_transcripts::edits;
mod export_bundle;
pub use slovo_transcripts::exports;
/// Fetching on a user's behalf: [`slovo_fetch`], with the names that some modules still use.
pub mod fetch {
    pub use slovo_fetch::*;

    pub use slovo_fetch::ytdlp_output as told;

    /// See [`slovo_fetch::allow_list`].
    pub mod allowed {
        pub use slovo_fetch::allow_list::AllowListEntry as Allowed;
    }

    /// See [`slovo_fetch::testing`].
    #[cfg(test)]
    pub mod stranger {
        pub use slovo_fetch::testing::*;
        pub use slovo_fetch::testing::{ReceivedRequest as Asked, RemoteServer as Stranger};
    }
}
pub mod file_removals;
pub mod first_plans;
pub mod http;
pub mod installation;
pub mod jobs;
pub mod live;
/// Mail: [`slovo_mail`], with the names that some modules still use.
pub mod mail {
    pub use slovo_mail::*;
    pub use slovo_mail::{RetryPolicy as Patience, Transport as Carrier};
}
mod minutes;
pub mod models;
pub use slovo_nocodb as nocodb;
pub mod occupancy;
pub mod openapi;
mod pages;
pub mod plan_mails;
pub mod presets;
pub mod processes;
mod samples;
pub use slovo_transcripts::search;
pub mod serve;
pub use slovo_server_settings as server_settings;
pub use slovo_transcripts::shares;
pub mod site_messages;
pub mod state;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
pub mod trials;
pub mod uploads;
pub mod webhooks;
