//! The rules for browsers and Node: each function converts its arguments, calls
//! `slovo_rules`, and converts the answer. It holds no rule of its own. What pages of transcripts
//! need besides is in `slovo-text-wasm`.
//!
//! Functions that check answer with the list of violations, empty when nothing is broken.
//! They throw only where a caller passes what the types forbid.

mod account;
mod catalogue;
mod forms;
mod jobs;
mod settings;
mod upload;
