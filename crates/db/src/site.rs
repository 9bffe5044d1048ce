//! Data of the whole server: its public pages, settings and figures for administrators.

pub mod admin_notices;
pub mod contact;
pub mod figures;
pub mod mails;
pub mod newsletter;
pub mod overview;
pub mod server_settings;
pub mod visits;
