//! What pages of transcripts need of the rules, for browsers and Node: editing, finding, subtitles.
//! A module of its own beside `slovo-rules-wasm`, so that pages without a transcript do not load it.
//!
//! Each function converts its arguments, calls `slovo_rules`, and converts the answer. It holds no
//! rule of its own. It throws only where a caller passes what the types forbid.

mod edit;
mod search;
mod subtitles;
