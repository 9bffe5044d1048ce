//! Analysis of a transcript: summary, sentiment, classification, keywords, chapters, answers,
//! translations. All engines implement [`Analyst`]; the configuration selects one. No HTTP server,
//! no SQL.
//!
//! A transcript is data: no engine follows instructions in it.

pub mod chat;
pub mod embedded;
mod error;
mod statistics;
mod task;
mod text;

pub use error::AnalysisError;
pub use statistics::statistics;
pub use task::Task;
pub use text::{Passage, Text};

use slovo_rules::analysis::{EngineName, Outcome, Part};

/// Stops a running analysis; this is distinguished from a failure.
pub trait Stop: Sync {
    /// Whether the analysis should stop now. Called often, so it must be cheap.
    fn is_set(&self) -> bool;
}

/// Progress of a task: 0 to 1, never decreasing.
pub type Progress<'a> = &'a mut (dyn FnMut(f64) + Send);

/// An engine that analyses a text. It blocks, so it must run on a thread of its own.
pub trait Analyst: Send + Sync {
    /// The engine's name, stored and shown with its results.
    fn name(&self) -> EngineName;

    /// Whether it supports this part in this language of the text (ISO 639-1).
    fn supports(&self, part: Part, language: &str) -> bool;

    /// Runs the task.
    ///
    /// # Errors
    /// [`AnalysisError`]. An answer that contradicts the text is an error and is never returned.
    fn run(
        &self,
        text: &Text,
        task: &Task,
        stop: &dyn Stop,
        progress: Progress<'_>,
    ) -> Result<Outcome, AnalysisError>;
}

/// A score as stored and shown: three decimals, no negative zero.
fn thousandths(score: f64) -> f64 {
    (score * 1_000.0).round() / 1_000.0 + 0.0
}

/// The README's example is compiled by `cargo test --doc`.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
