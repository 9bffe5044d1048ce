//! How mails are sent that are rows of a table first: when a claimed one may be claimed again, and
//! how often and when one that could not be sent is tried again.

use std::time::Duration;

/// How often due mails are looked for.
pub const EVERY: Duration = Duration::from_secs(10);
/// Mails claimed at a time.
pub const BATCH: i64 = 10;
/// How long a claim holds, in milliseconds: longer than a mail server takes to answer, over a whole
/// batch.
pub const CLAIM_MS: i64 = 30 * MINUTE_MS;
/// Tries after which a mail is given up.
pub const MAX_TRIES: i64 = 5;

/// Pauses after the first, second and every later failure, in minutes.
const PAUSES: [i64; 3] = [1, 5, 30];
const MINUTE_MS: i64 = 60 * 1000;

/// How long to wait after so many tries, in milliseconds.
pub fn pause_ms(tries: i64) -> i64 {
    let failures = usize::try_from(tries).unwrap_or(1).clamp(1, PAUSES.len());
    PAUSES[failures - 1] * MINUTE_MS
}
