//! The rules shared by Slovo's server and browser: validation of input, limits, features of modes,
//! counting of minutes.
//!
//! The crate has no I/O, no clock, no randomness and no texts. A violated rule is data, a
//! [`violation::Violation`] with the field's path, a stable code and parameters; its text comes
//! from the locale files by code. Input is untrusted: nothing here panics, and the work is bounded
//! by the length of the input.

#[macro_use]
pub mod wire;

pub mod account;
pub mod analysis;
pub mod annotation;
pub mod api_key;
pub mod balance;
pub mod codes;
pub mod collation;
pub mod contact;
#[cfg(feature = "wasm")]
pub mod convert;
pub mod edit;
mod email;
pub mod export;
mod form;
pub mod group;
pub mod job;
pub mod job_plan;
pub mod language;
pub mod language_set;
pub mod limits;
pub mod locale;
pub mod mark;
pub mod matrix;
pub mod media;
pub mod minutes;
pub mod mode;
pub mod nocodb;
pub mod plan;
pub mod preferences;
pub mod preset;
pub mod profanity;
pub mod profile;
pub mod recording;
pub mod removed;
pub mod search;
pub mod seconds;
pub mod server_settings;
pub mod settings;
pub mod share;
pub mod sign_in;
pub mod site;
pub mod source;
pub mod speech_endpoint;
pub mod stretch;
pub mod subtitles;
pub mod target;
pub mod text;
pub mod text_limits;
pub mod title;
pub mod transcript;
pub mod upload;
pub mod url;
pub mod user_webhook;
pub mod valid;
pub mod violation;
pub mod voice;
pub mod warnings;
pub mod webhook;

pub use valid::Valid;
pub use violation::{Code, Violation, Violations};

/// The README's example is compiled and run by `cargo test --doc`.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
