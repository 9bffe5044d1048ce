//! Retry schedule of deliveries, as recommended by Standard Webhooks: ten attempts in three days.

use std::time::Duration;

use slovo_rules::webhook::RETRIES;

/// Delay after the first, second and every later failure, in seconds.
const PAUSES: [i64; RETRIES] = [
    5,
    5 * MINUTE,
    30 * MINUTE,
    2 * HOUR,
    5 * HOUR,
    10 * HOUR,
    14 * HOUR,
    20 * HOUR,
    24 * HOUR,
];
const MINUTE: i64 = 60;
const HOUR: i64 = 60 * MINUTE;

/// Longest wait that a service may ask for, in seconds.
const MAX_RETRY_AFTER: i64 = 24 * HOUR;

/// Delay before the next attempt after this many attempts, in milliseconds; `None` if that was the
/// last one. A service may ask for a longer wait.
#[must_use]
pub fn pause_ms(attempts: i64, retry_after: Option<Duration>) -> Option<i64> {
    let before = usize::try_from(attempts.max(1) - 1).ok()?;
    let requested = retry_after.map_or(0, |requested| {
        i64::try_from(requested.as_secs()).unwrap_or(i64::MAX)
    });
    let pause = PAUSES.get(before)?;
    Some((*pause).max(requested.min(MAX_RETRY_AFTER)) * 1000)
}

#[cfg(test)]
mod tests {
    use slovo_rules::webhook::RETRY_DAYS;

    use super::*;

    #[test]
    fn there_are_ten_attempts_in_three_days() {
        assert_eq!(pause_ms(1, None), Some(5_000));
        assert_eq!(pause_ms(2, None), Some(300_000));
        let all: i64 = (1..=9).map(|n| pause_ms(n, None).unwrap()).sum();
        assert_eq!(all / 3_600_000, 75);
        assert_eq!(all / 3_600_000 / 24, RETRY_DAYS);
        assert_eq!(pause_ms(10, None), None);
        assert_eq!(pause_ms(i64::MAX, None), None);
        assert_eq!(pause_ms(i64::MIN, None), Some(5_000));
    }

    #[test]
    fn retry_after_extends_the_pause_up_to_one_day() {
        let retry_after = |seconds| Some(Duration::from_secs(seconds));
        assert_eq!(pause_ms(1, retry_after(60)), Some(60_000));
        assert_eq!(pause_ms(2, retry_after(1)), Some(300_000));
        assert_eq!(pause_ms(1, retry_after(u64::MAX)), Some(86_400_000));
        assert_eq!(pause_ms(10, retry_after(1)), None);
    }
}
