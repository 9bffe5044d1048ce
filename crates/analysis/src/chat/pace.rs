//! Pauses between attempts: their length, with an injectable clock and random source.

use std::time::Duration;

use futures_util::future::BoxFuture;
use jiff::Timestamp;
use jiff::fmt::rfc2822::DateTimeParser;

use super::endpoint::Limits;

/// The client's source of time and randomness.
pub trait TimeSource: Send + Sync {
    /// The current time; dates in `Retry-After` are relative to it.
    fn now(&self) -> Timestamp;

    /// A random number from 0 to 1 (exclusive): the share of half a pause that is left out, so that
    /// clients that were rejected at the same time do not retry at the same time.
    fn jitter(&self) -> f64;

    /// Waits.
    fn wait(&self, time: Duration) -> BoxFuture<'_, ()> {
        Box::pin(tokio::time::sleep(time))
    }
}

/// The pause after this many attempts (from 1): doubled each time, and randomly reduced by up to a
/// half.
pub fn pause(limits: &Limits, tries: u32, jitter: f64) -> Duration {
    let doubled = limits
        .pause
        .saturating_mul(2_u32.saturating_pow(tries.saturating_sub(1)));
    doubled
        .min(limits.longest_pause)
        .mul_f64(1.0 - 0.5 * jitter.clamp(0.0, 1.0))
}

/// Parses `Retry-After`: seconds or a date.
pub fn retry_after(value: &str, now: Timestamp) -> Option<Duration> {
    if let Ok(seconds) = value.trim().parse() {
        return Some(Duration::from_secs(seconds));
    }
    let at = DateTimeParser::new().parse_timestamp(value.trim()).ok()?;
    Duration::try_from(at.duration_since(now)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_up_to_a_limit_and_chance_shortens_them() {
        let limits = Limits {
            pause: Duration::from_secs(1),
            longest_pause: Duration::from_secs(5),
            ..Limits::default()
        };
        let seconds = |tries, jitter| pause(&limits, tries, jitter).as_secs_f64();
        assert_eq!(
            [1, 2, 3, 4].map(|tries| seconds(tries, 0.0)),
            [1.0, 2.0, 4.0, 5.0]
        );
        assert_eq!(seconds(u32::MAX, 1.0), 2.5);
        assert_eq!(seconds(2, 0.5), 1.5);
    }

    #[test]
    fn retry_after_is_a_number_of_seconds_or_a_date() {
        let now: Timestamp = "2026-03-01T12:00:00Z".parse().unwrap();
        assert_eq!(retry_after(" 7", now), Some(Duration::from_secs(7)));
        let date = "Sun, 01 Mar 2026 12:01:00 GMT";
        assert_eq!(retry_after(date, now), Some(Duration::from_secs(60)));
        for invalid in ["Sun, 01 Mar 2026 11:00:00 GMT", "soon", "-1", ""] {
            assert_eq!(retry_after(invalid, now), None, "{invalid}");
        }
    }
}
