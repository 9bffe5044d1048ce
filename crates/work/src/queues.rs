//! What a process works on.

use std::fmt;

/// A kind of work. Work of each kind waits in the database until a process takes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Queue {
    /// Recognising recordings.
    Recognition,
    /// Analyses of texts, speakers, voices.
    Analysis,
    /// Fetching recordings from addresses and from watched places.
    Download,
    /// Mails, webhook calls, files for other places, the external database.
    Delivery,
}

/// The queues that a process works on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Queues(Vec<Queue>);

impl Queues {
    /// All of them.
    #[must_use]
    pub fn all() -> Self {
        Self(vec![
            Queue::Recognition,
            Queue::Analysis,
            Queue::Download,
            Queue::Delivery,
        ])
    }

    /// None: the work is left to other processes.
    #[must_use]
    pub const fn none() -> Self {
        Self(Vec::new())
    }

    /// Whether this queue is among them.
    #[must_use]
    pub fn contains(&self, queue: Queue) -> bool {
        self.0.contains(&queue)
    }
}

impl fmt::Display for Queues {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.0.iter().map(|queue| match queue {
            Queue::Recognition => "recognition",
            Queue::Analysis => "analysis",
            Queue::Download => "download",
            Queue::Delivery => "delivery",
        });
        formatter.write_str(&names.collect::<Vec<_>>().join(", "))
    }
}

impl FromIterator<Queue> for Queues {
    fn from_iter<T: IntoIterator<Item = Queue>>(queues: T) -> Self {
        Self(queues.into_iter().collect())
    }
}
