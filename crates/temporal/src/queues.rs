//! The names of task queues. They contain the installation, so that several can use one namespace.

use slovo_work::queues::Queue;

/// The task queues of an installation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TaskQueues(String);

impl TaskQueues {
    pub(crate) fn of_installation(id: &str) -> Self {
        Self(format!("slovo-{id}"))
    }

    /// Workflows, and the short activities that only look into the database.
    pub(crate) fn workflows(&self) -> String {
        format!("{}-jobs", self.0)
    }

    /// Recognition by a model; another machine may not have it.
    pub(crate) fn recognition(&self, model: &str) -> String {
        format!("{}-recognition-{model}", self.0)
    }

    /// What every process of a queue can do.
    pub(crate) fn of(&self, queue: Queue) -> String {
        let name = match queue {
            Queue::Recognition => "recognition",
            Queue::Analysis => "analysis",
            Queue::Download => "download",
            Queue::Delivery => "delivery",
        };
        format!("{}-{name}", self.0)
    }

    /// The id of a schedule.
    pub(crate) fn schedule(&self, name: &str) -> String {
        format!("{}-{name}", self.0)
    }
}
