//! What is made of a text after recognition: summary, sentiment, classes, keywords, chapters,
//! answers, translations. One interface, [`Analyst`]; its engines are chosen by configuration.
//! No HTTP server, no SQL.
//!
//! A text is data: whatever it says, an engine never takes it for an instruction.

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

/// Stops a running analysis; told apart from a failure.
pub trait Stop: Sync {
    /// Whether it should end now. Asked often; must be cheap.
    fn is_set(&self) -> bool;
}

/// How far a task is: 0 to 1, never falling.
pub type Progress<'a> = &'a mut (dyn FnMut(f64) + Send);

/// An engine that makes something of a text. Blocks: it runs on a thread of its own.
pub trait Analyst: Send + Sync {
    /// What is stored and shown beside its answers.
    fn name(&self) -> EngineName;

    /// Whether it does this at all, in this language of the text (ISO 639-1).
    fn does(&self, part: Part, language: &str) -> bool;

    /// Does it.
    ///
    /// # Errors
    /// [`AnalysisError`]; an answer that does not hold against the text is an error, never an
    /// answer.
    fn run(
        &self,
        text: &Text,
        task: &Task,
        stop: &dyn Stop,
        progress: Progress<'_>,
    ) -> Result<Outcome, AnalysisError>;
}

/// A score as it is stored and shown: three places, and no zero below zero.
fn thousandths(score: f64) -> f64 {
    (score * 1_000.0).round() / 1_000.0 + 0.0
}

/// The README's example is compiled by `cargo test --doc`.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
