//! Temporal as the driver of the work: each job is a workflow, whose activities are the same steps that
//! the workers otherwise take from the tables (`slovo_work::jobs::steps`).
//!
//! The rows stay the truth. A job that waits for something is an order for a workflow, stored in the
//! transaction that makes it wait ([`orders`]); the workflow ([`workflow`]) asks the row what comes
//! next, has it done ([`activities`]) and ends when the row needs nothing more. Temporal knows the ids
//! of jobs and accounts and the names of models, and nothing of what they are about.
//!
//! Each capability has a task queue: recognition with a model, analyses, downloads, messages. The
//! priority of a plan is the priority of its tasks, and each account has a fairness key.

#![cfg(feature = "sdk")]

mod activities;
mod connection;
mod fairness;
mod orders;
mod queues;
mod schedules;
mod workers;
mod workflow;

#[cfg(test)]
mod tests;

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use slovo_db::Database;
use slovo_platform::clock::Clock;
use slovo_work::completion_mails::CompletionMails;
use slovo_work::jobs::steps::StepWorker;
use slovo_work::queues::{Queue, Queues};
use slovo_work::webhooks::Webhooks;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

pub use connection::{Options, Temporal};

/// Work that is repeated for as long as the installation exists.
#[derive(Clone)]
pub struct Repeated {
    /// Its name, in lower-case words with hyphens.
    pub name: &'static str,
    /// How often it is done.
    pub every: Duration,
    /// The queue of the processes that do it.
    pub queue: Queue,
    /// Does it once.
    pub run: Arc<Run>,
}

/// Does something once; the error is for the log.
pub type Run = dyn Fn() -> Pin<Box<dyn Future<Output = anyhow::Result<()>> + Send>> + Send + Sync;

/// What the workers of this process need.
#[derive(Clone)]
pub struct Parts {
    /// The database.
    pub db: Database,
    /// The clock.
    pub clock: Arc<dyn Clock>,
    /// Takes the steps of jobs.
    pub worker: StepWorker,
    /// Calls of services.
    pub webhooks: Webhooks,
    /// Mails about finished jobs.
    pub mails: CompletionMails,
    /// What this process works on.
    pub queues: Queues,
    /// What is repeated.
    pub repeated: Vec<Repeated>,
    /// Cancelled when the server stops.
    pub shutdown: CancellationToken,
    /// Tasks that the server waits for before it exits.
    pub tasks: TaskTracker,
}
