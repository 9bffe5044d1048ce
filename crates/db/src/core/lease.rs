//! Leases that are renewed while their work goes on: of jobs (`jobs::queue`) and of their analyses
//! (`texts::analyses`) and stretches (`texts::stretches`).
//!
//! A lease lasts [`DURATION_MS`] from when it was taken or last renewed, and is renewed every
//! [`RENEWAL_INTERVAL_MS`]. It is lost when its row has another lease or none: after a cancellation
//! or a deletion, or once it has expired and another worker has taken the row. Claims of webhook
//! deliveries and mails are not renewed: they last longer than the longest response.

/// How long a lease lasts without being renewed, in milliseconds. A dead worker on another machine
/// is noticed after this time; six renewals fit into it, so a busy disk or a short network failure
/// does not take work from a live worker.
pub const DURATION_MS: i64 = 30_000;

/// How often a lease is renewed and the progress stored, in milliseconds.
pub const RENEWAL_INTERVAL_MS: i64 = 5_000;

/// When a lease taken or renewed at `now` expires, both in Unix milliseconds.
#[must_use]
pub const fn expires_at(now: i64) -> i64 {
    now + DURATION_MS
}

/// Whether a lease taken or renewed at `renewed` must be renewed at `now`, both in milliseconds of
/// a monotonic clock.
#[must_use]
pub const fn needs_renewal(renewed: i64, now: i64) -> bool {
    now - renewed >= RENEWAL_INTERVAL_MS
}

/// The error of a job, an analysis or a stretch that fails when it is claimed, because its row
/// cannot be read.
pub(crate) const UNREADABLE_ROW: &str = "row_unreadable";

/// The parameters of a claim of a job, an analysis or a stretch.
#[derive(Debug, Clone)]
pub struct Claim<'a> {
    /// The new lease's id.
    pub lease_id: String,
    /// The worker process.
    pub owner: &'a str,
    /// Unix milliseconds.
    pub now: i64,
    /// When the lease expires unless renewed, Unix milliseconds.
    pub until: i64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lease_is_renewed_long_before_it_expires() {
        let claimed_at = 1_000_000;
        assert_eq!(expires_at(claimed_at), 1_030_000);
        assert!(!needs_renewal(claimed_at, claimed_at + 4_999));
        assert!(needs_renewal(claimed_at, claimed_at + 5_000));
        // Several renewals may fail.
        assert!(expires_at(claimed_at) - claimed_at >= 4 * RENEWAL_INTERVAL_MS);
    }
}
