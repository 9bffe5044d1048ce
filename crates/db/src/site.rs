//! The server as a whole: its public pages, its settings and what administrators see of it.

pub mod admin_notices;
pub mod contact;
pub mod figures;
pub mod mails;
pub mod newsletter;
pub mod overview;
pub mod server_settings;
pub mod visits;
