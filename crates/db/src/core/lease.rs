//! What is the same of every claim that is renewed while its work goes on: jobs (`jobs::queue`) and
//! their analyses (`texts::analyses`).
//!
//! A claim holds for [`HOLDS_MS`] from when it was taken or last renewed, and is renewed every
//! [`RENEWED_EVERY_MS`]. It is lost when its row names another lease, or none: after a stop, a
//! deletion, or once it has run out and another worker has taken the row. What the queue of webhook
//! deliveries and the mails claim is not renewed: it waits longer than the longest answer.

/// How long a claim holds without being renewed, in milliseconds. A worker on another machine that
/// died is found after this time; it renews six times within it, so a busy disk or a short break of
/// the network takes no work away from the living.
pub const HOLDS_MS: i64 = 30_000;

/// How often a claim is renewed and the progress stored, in milliseconds.
pub const RENEWED_EVERY_MS: i64 = 5_000;

/// Until when a claim holds that is taken or renewed at `now`, both in Unix milliseconds.
#[must_use]
pub const fn until(now: i64) -> i64 {
    now + HOLDS_MS
}

/// Whether a claim is to be renewed at `now` that was taken or renewed at `renewed`, both in
/// milliseconds of a clock that never goes back.
#[must_use]
pub const fn is_due(renewed: i64, now: i64) -> bool {
    now - renewed >= RENEWED_EVERY_MS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_claim_is_renewed_long_before_it_runs_out() {
        let taken = 1_000_000;
        assert_eq!(until(taken), 1_030_000);
        assert!(!is_due(taken, taken + 4_999));
        assert!(is_due(taken, taken + 5_000));
        // Several renewals may fail.
        assert!(until(taken) - taken >= 4 * RENEWED_EVERY_MS);
    }
}
