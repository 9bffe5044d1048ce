//! Time as a parameter.

use std::sync::LazyLock;
use std::time::Instant;

use jiff::Timestamp;

/// A source of time. Tests use one that they move by hand.
pub trait Clock: Send + Sync {
    /// Now.
    fn now(&self) -> Timestamp;

    /// Now, as the database keeps it: Unix milliseconds.
    fn now_ms(&self) -> i64 {
        self.now().as_millisecond()
    }

    /// Milliseconds since a fixed moment of this process. Monotonic and independent of the time of
    /// day: for limits and waits that are not stored, which must not grow when the clock is set
    /// back.
    fn monotonic_ms(&self) -> i64;
}

/// The machine's clock.
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(
        clippy::disallowed_methods,
        reason = "this is the outermost edge that the rule means"
    )]
    fn now(&self) -> Timestamp {
        Timestamp::now()
    }

    fn monotonic_ms(&self) -> i64 {
        static BEGAN: LazyLock<Instant> = LazyLock::new(Instant::now);
        i64::try_from(BEGAN.elapsed().as_millis()).unwrap_or(i64::MAX)
    }
}

/// How far the clock must have gone back to count as set, in milliseconds. Gradual corrections by
/// time servers stay below this.
const SET_MS: i64 = 1_000;

/// Notices that the machine's clock was set back.
pub struct ClockWatch {
    /// The time of day when the steady clock began.
    started_at: i64,
}

impl ClockWatch {
    /// Starts watching now.
    pub fn new(clock: &dyn Clock) -> Self {
        Self {
            started_at: clock.now_ms() - clock.monotonic_ms(),
        }
    }

    /// By how many milliseconds the clock has gone back since the last call.
    pub fn set_back_by(&mut self, clock: &dyn Clock) -> Option<i64> {
        let started_at = clock.now_ms() - clock.monotonic_ms();
        let set_back_by = self.started_at - started_at;
        // A clock that was set forward only shortens waits, once.
        if set_back_by.abs() < SET_MS {
            return None;
        }
        self.started_at = started_at;
        (set_back_by > 0).then_some(set_back_by)
    }
}

/// A time from the database, for a response. Times outside jiff's range (years -9999 to 9999),
/// which only a damaged row can have, are clamped to the nearest one that can be shown.
pub fn from_ms(milliseconds: i64) -> Timestamp {
    Timestamp::from_millisecond(milliseconds).unwrap_or(if milliseconds < 0 {
        Timestamp::MIN
    } else {
        Timestamp::MAX
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::TestClock;

    #[test]
    fn a_clock_that_was_set_back_is_noticed_once() {
        let clock = TestClock::new();
        let mut watch = ClockWatch::new(&clock);
        clock.advance_seconds(86_400);
        assert_eq!(watch.set_back_by(&clock), None, "time has passed");
        clock.set_back_seconds(3_600);
        assert_eq!(watch.set_back_by(&clock), Some(3_600_000));
        assert_eq!(watch.set_back_by(&clock), None);
        clock.set_back_seconds(-7_200);
        assert_eq!(watch.set_back_by(&clock), None, "it was set forward");
        clock.set_back_seconds(60);
        assert_eq!(watch.set_back_by(&clock), Some(60_000));
    }
}
