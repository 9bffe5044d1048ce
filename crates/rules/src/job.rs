//! A job's states and stages.

wire_enum! {
    /// State of a job. Its label is `job_status.<status>` in `rules.json`; an unknown value is
    /// shown as it is.
    JobStatus {
        /// Waiting in the queue.
        Pending => "pending",
        /// Running.
        Processing => "processing",
        /// Finished with a transcript.
        Completed => "completed",
        /// Failed after all retries.
        Failed => "failed",
        /// The input or an external service caused the failure.
        Error => "error",
        /// The file has been uploaded; the job has not started.
        Uploaded => "uploaded",
        /// Stopped by its owner.
        Cancelled => "cancelled",
    }
}

/// Maximum number of jobs per request: twice a page of the list.
pub const MAX_AT_ONCE: usize = 100;
/// How long a request to create a job can be repeated with its `Idempotency-Key`, in hours.
pub const REPEATABLE_HOURS: i64 = 24;

/// The states for filtering the list of jobs. `error` also finds `failed`.
pub const STATUS_FILTERS: [JobStatus; 4] = [
    JobStatus::Completed,
    JobStatus::Processing,
    JobStatus::Error,
    JobStatus::Uploaded,
];

impl JobStatus {
    /// Whether the job has ended; only a retry continues it.
    #[must_use]
    pub const fn is_terminal(self) -> bool {
        matches!(
            self,
            Self::Completed | Self::Failed | Self::Error | Self::Cancelled
        )
    }

    /// Whether the job can be cancelled.
    #[must_use]
    pub const fn can_cancel(self) -> bool {
        matches!(self, Self::Pending | Self::Processing)
    }

    /// Whether pages offer to run the job again, because it has no transcript.
    #[must_use]
    pub const fn can_retry(self) -> bool {
        matches!(self, Self::Failed | Self::Error | Self::Cancelled)
    }

    /// The state for display: `failed` is displayed as `error`.
    #[must_use]
    pub const fn label(self) -> Self {
        match self {
            Self::Failed => Self::Error,
            other => other,
        }
    }

    /// The states found by a filter with this one.
    #[must_use]
    pub const fn filter(self) -> &'static [Self] {
        match self {
            Self::Pending => &[Self::Pending],
            Self::Processing => &[Self::Processing],
            Self::Completed => &[Self::Completed],
            Self::Failed => &[Self::Failed],
            Self::Error => &[Self::Error, Self::Failed],
            Self::Uploaded => &[Self::Uploaded],
            Self::Cancelled => &[Self::Cancelled],
        }
    }

    /// Whether a job in this state may move to `next`.
    #[must_use]
    pub const fn may_become(self, next: Self) -> bool {
        match self {
            Self::Uploaded => matches!(next, Self::Pending | Self::Cancelled),
            Self::Pending => matches!(next, Self::Processing | Self::Cancelled | Self::Error),
            // Back to pending: the worker died, and the job waits for another one.
            Self::Processing => matches!(
                next,
                Self::Pending | Self::Completed | Self::Failed | Self::Error | Self::Cancelled
            ),
            // Run again. After a completed job the new transcript is stored beside the old one.
            Self::Completed | Self::Failed | Self::Error | Self::Cancelled => {
                matches!(next, Self::Pending)
            }
        }
    }
}

wire_enum! {
    /// Stage of a running job, shown with its progress.
    Stage {
        /// Waiting for a worker.
        Queued => "queued",
        /// Waiting for free space on the server's disk.
        Storage => "storage",
        /// Downloading the file from its URL.
        Downloading => "downloading",
        /// Opening and measuring the file.
        Probe => "probe",
        /// Recognising speech.
        Transcribing => "transcribing",
        /// Distinguishing speakers.
        Speakers => "speakers",
        /// Storing the result.
        Finishing => "finishing",
    }
}
