//! Timing of mails that are stored as rows before they are sent: when a claim expires, and how
//! often and when a failed mail is retried.

use std::time::Duration;

/// How often due mails are polled.
pub const INTERVAL: Duration = Duration::from_secs(10);
/// Mails claimed in one batch.
pub const BATCH: i64 = 10;
/// How long a claim lasts, in milliseconds: longer than a whole batch takes with a slow mail
/// server.
pub const CLAIM_MS: i64 = 30 * MINUTE_MS;
/// Attempts after which a mail is abandoned.
pub const MAX_TRIES: i64 = 5;

/// Pauses after the first, second and every later failure, in minutes.
const PAUSES: [i64; 3] = [1, 5, 30];
const MINUTE_MS: i64 = 60 * 1000;

/// The wait after this many attempts, in milliseconds.
pub fn pause_ms(tries: i64) -> i64 {
    let failures = usize::try_from(tries).unwrap_or(1).clamp(1, PAUSES.len());
    PAUSES[failures - 1] * MINUTE_MS
}
