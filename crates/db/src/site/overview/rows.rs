//! Readers of the figures.

use super::{Backlog, CreatedJobs, RecognisedAmounts, WaitTimes};
use crate::core::statement::row_columns;

/// Numbers of accounts and of their newest jobs.
pub(super) struct AccountCounts {
    pub users: i64,
    pub blocked: i64,
    pub jobs_today: i64,
    pub jobs_week: i64,
}

row_columns! {
    pub(super) fn read_account_counts() -> AccountCounts {
        users: integer,
        blocked: integer,
        jobs_today: integer,
        jobs_week: integer,
    }
}

row_columns! {
    pub(super) fn read_created_jobs() -> CreatedJobs from "synced_jobs" by "status" {
        day: integer,
        status: word,
        jobs: integer,
    }
}

row_columns! {
    pub(super) fn read_recognised_amounts() -> RecognisedAmounts {
        day: integer,
        seconds: number,
        words: integer,
    }
}

row_columns! {
    pub(super) fn read_wait_times() -> WaitTimes {
        day: integer,
        median: integer,
        p95: integer,
    }
}

row_columns! {
    pub(super) fn read_backlog() -> Backlog {
        day: integer,
        peak: integer,
        grown: integer,
    }
}

/// The queued jobs of a state, which await their download or not.
pub(super) struct QueuePart {
    pub status: String,
    pub awaits_download: bool,
    pub jobs: i64,
    pub oldest: i64,
}

row_columns! {
    pub(super) fn read_queue_part() -> QueuePart {
        status: text,
        awaits_download: flag,
        jobs: integer,
        oldest: integer,
    }
}

/// The jobs that ended for the same reason.
pub(super) struct FailedJobs {
    /// The start of their errors.
    pub cause: Option<String>,
    pub jobs: i64,
}

row_columns! {
    pub(super) fn read_failed_jobs() -> FailedJobs {
        cause: text_or_none,
        jobs: integer,
    }
}
