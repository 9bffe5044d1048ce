//! Everything that is stored, for SQLite and PostgreSQL alike: the only crate that names sqlx.
//!
//! Functions are plain, take a [`Connection`] first and hold one statement or a few that belong
//! together; whoever calls them decides about the transaction ([`Database::write`]) and commits
//! in plain sight. Not found is `Ok(None)`. A violated constraint is [`Error::Constraint`] with
//! the constraint's name; a row that cannot be understood is [`Error::Row`] with table and key.
//!
//! One set of statements serves both databases through sqlx's `Any` driver. What that asks for:
//! placeholders are `$1`, `$2`…; columns are TEXT, BIGINT or DOUBLE PRECISION; times are Unix
//! milliseconds; flags are 0 and 1; ids and JSON are text. A statement that binds an `Option<f64>`
//! is not kept prepared (`persistent(false)`): sqlx 0.9 gives `None` to PostgreSQL as a number of
//! four bytes, and a statement that was prepared with it refuses the eight of the next one.

pub mod account_search;
pub mod accounts;
pub mod admin_notices;
pub mod analyses;
pub mod annotations;
pub mod assistant;
pub mod audit;
pub mod blocking;
pub mod built_in_presets;
#[cfg(test)]
mod built_in_presets_tests;
pub mod completion_mails;
mod connect;
pub mod contact;
pub mod deletion;
pub mod docx_templates;
pub mod edits;
pub mod email_changes;
mod error;
mod fields;
pub mod file_removals;
pub mod groups;
pub mod health;
pub mod identities;
pub mod installation;
pub mod job_files;
pub mod jobs;
pub mod ledger;
pub mod managed_presets;
pub mod marks;
pub mod newsletter;
pub mod nocodb;
pub mod openings;
pub mod overview;
pub mod paces;
pub mod plan_mails;
pub mod plan_requests;
pub mod plans;
pub mod positions;
pub mod preferences;
pub mod presets;
#[cfg(test)]
mod presets_tests;
pub mod profiles;
pub mod projection;
pub mod queue;
#[cfg(test)]
mod queue_tests;
pub mod registrations;
pub mod resets;
pub mod roles;
pub mod samples;
mod schema;
pub mod search;
pub mod server_settings;
pub mod sessions;
pub mod share_comments;
pub mod share_openings;
pub mod shares;
pub mod sign_ins;
pub mod site_figures;
pub mod site_mails;
pub mod stages;
#[cfg(feature = "testing")]
pub mod testing;
pub mod transcripts;
pub mod trials;
pub mod uploads;
pub mod visits;
pub mod waits;
pub mod waveforms;
pub mod webhook_deliveries;
pub mod webhook_events;
pub mod webhook_services;
pub mod workers;

pub use connect::{Backend, Database, Options, ReadConnection, WriteTransaction};
pub use error::Error;

/// A connection to either database, inside a transaction or not.
pub type Connection = sqlx::AnyConnection;

/// What storing returns.
pub type Result<T, E = Error> = std::result::Result<T, E>;
