//! What all actions and pages share: the configuration, the state with the services built from it,
//! the extractors that identify callers, the HTTP layers and the format of errors.

pub mod auth;
pub mod backups;
pub mod capabilities;
pub mod config;
pub mod connections;
pub mod doctor;
pub mod file_removals;
pub mod http;
pub mod installation;
pub mod presets;
pub mod problems;
pub mod protocols;
pub mod public_site;
pub mod routes;
pub mod samples;
pub mod state;
