//! Texts of `/status`.

use serde::Deserialize;

use super::common::texts;
use super::legal::Paragraph;

texts! {
    Status {
        kicker: String,
        good: Paragraph,
        bad: Paragraph,
        works: String,
        fails: String,
        parts: Parts,
        made: String,
        reload: String,
        version: String,
        machines: String,
    }
    Parts {
        program: Condition,
        database: Condition,
        engine: Condition,
    }
    /// A part of the server, and what it means that it works or does not.
    Condition {
        title: String,
        works: String,
        fails: String,
    }
}
