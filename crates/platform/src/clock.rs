//! Time as a parameter.

use std::sync::LazyLock;
use std::time::Instant;

use jiff::Timestamp;

/// Tells the time. Tests have one that they move by hand.
pub trait Clock: Send + Sync {
    /// Now.
    fn now(&self) -> Timestamp;

    /// Now, as the database keeps it: Unix milliseconds.
    fn now_ms(&self) -> i64 {
        self.now().as_millisecond()
    }

    /// Milliseconds since a fixed moment of this process. Never goes back, and knows nothing of
    /// the time of day: for limits and waits that are not stored, which a clock that is set must
    /// not stretch.
    fn steady_ms(&self) -> i64;
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

    fn steady_ms(&self) -> i64 {
        static BEGAN: LazyLock<Instant> = LazyLock::new(Instant::now);
        i64::try_from(BEGAN.elapsed().as_millis()).unwrap_or(i64::MAX)
    }
}

/// How far the clock must have gone back to count as set, in milliseconds. Time servers that
/// correct a clock step by step stay below.
const SET_MS: i64 = 1_000;

/// Notices that the machine's clock was set back.
pub struct SetBack {
    /// The time of day when the steady clock began.
    began: i64,
}

impl SetBack {
    /// From now on.
    pub fn new(clock: &dyn Clock) -> Self {
        Self {
            began: clock.now_ms() - clock.steady_ms(),
        }
    }

    /// By how many milliseconds the clock has gone back since this was asked last.
    pub fn look(&mut self, clock: &dyn Clock) -> Option<i64> {
        let began = clock.now_ms() - clock.steady_ms();
        let back = self.began - began;
        // A clock that was set forward makes waits shorter, once.
        if back.abs() < SET_MS {
            return None;
        }
        self.began = began;
        (back > 0).then_some(back)
    }
}

/// A time from the database, for a response. Times out of jiff's range (years -9999 to 9999),
/// which only damage can bring into a row, become the nearest one that can be shown.
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
        let mut watch = SetBack::new(&clock);
        clock.advance_seconds(86_400);
        assert_eq!(watch.look(&clock), None, "time has passed");
        clock.set_back_seconds(3_600);
        assert_eq!(watch.look(&clock), Some(3_600_000));
        assert_eq!(watch.look(&clock), None);
        clock.set_back_seconds(-7_200);
        assert_eq!(watch.look(&clock), None, "it was set forward");
        clock.set_back_seconds(60);
        assert_eq!(watch.look(&clock), Some(60_000));
    }
}
