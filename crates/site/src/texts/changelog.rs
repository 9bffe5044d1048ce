//! Texts of the changelog, by version.

use serde::Deserialize;

use super::common::texts;

texts! {
    Changelog {
        kicker: String,
        title: String,
        lead: String,
        feed: String,
        releases: Vec<Release>,
    }
    /// A version of the program.
    Release {
        version: String,
        /// As ISO 8601 writes it: 2026-11-24.
        date: String,
        title: String,
        points: Vec<String>,
    }
}
