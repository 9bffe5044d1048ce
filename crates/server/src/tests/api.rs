//! Tests of the actions.

pub(crate) mod admin;
pub(crate) mod auth;
pub(crate) mod capabilities;
pub(crate) mod exports;
pub(crate) mod groups;
pub(crate) mod health;
pub(crate) mod jobs;
pub(crate) mod me;
pub(crate) mod presets;
pub(crate) mod search;
pub(crate) mod shared;
pub(crate) mod site;
pub(crate) mod uploads;
pub(crate) mod urls;
