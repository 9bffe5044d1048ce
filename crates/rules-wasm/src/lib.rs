//! The rules for browsers and Node: each function converts its arguments, calls `slovo_rules`, and
//! converts the result. It contains no rules of its own. Functions for transcript pages are in
//! `slovo-text-wasm`.
//!
//! Validating functions return the list of violations, empty if there are none. Functions throw
//! only for arguments that their types do not allow.

mod account;
mod catalogue;
mod forms;
mod jobs;
mod settings;
mod upload;
