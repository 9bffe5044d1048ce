//! The rules for transcript pages, for browsers and Node: editing, searching, subtitles. Separate
//! from `slovo-rules-wasm`, so that pages without a transcript do not load it.
//!
//! Each function converts its arguments, calls `slovo_rules`, and converts the result. It contains
//! no rules of its own. Functions throw only for arguments that their types do not allow.

mod edit;
mod search;
mod subtitles;
