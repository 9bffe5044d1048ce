//! A rate limiter: a number of attempts per period.

use std::hash::Hash;
use std::num::NonZeroU32;
use std::ops::Add;
use std::sync::Arc;
use std::time::Duration;

use governor::clock::{Clock as GovernorClock, Reference};
use governor::middleware::StateInformationMiddleware;
use governor::nanos::Nanos;
use governor::state::keyed::DashMapStateStore;
use governor::{Quota, RateLimiter};

use slovo_platform::clock::Clock;

/// What is left of a limit after an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allowance {
    /// Attempts per period.
    pub limit: u32,
    /// Attempts that are allowed at once.
    pub remaining: u32,
    /// The period, in seconds.
    pub window: u64,
}

/// Too many attempts; contains when the next one is allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RateLimited {
    /// Whole seconds, at least 1.
    pub retry_after: u64,
}

type Inner<K> = RateLimiter<K, DashMapStateStore<K>, ServerClock, StateInformationMiddleware>;

/// Limits the attempts per key.
pub struct Limiter<K: Clone + Eq + Hash> {
    inner: Inner<K>,
    clock: ServerClock,
    count: NonZeroU32,
    period: Duration,
}

impl<K: Clone + Eq + Hash> Limiter<K> {
    /// Allows `count` attempts at once, refilled over the `period`.
    pub fn new(count: u32, period: Duration, clock: &Arc<dyn Clock>) -> Self {
        let count = NonZeroU32::new(count).unwrap_or(NonZeroU32::MIN);
        let quota = Quota::with_period(period / count.get())
            .unwrap_or_else(|| Quota::per_second(count))
            .allow_burst(count);
        let clock = ServerClock(Arc::clone(clock));
        let inner: Inner<K> = RateLimiter::new(quota, DashMapStateStore::default(), clock.clone());
        Self {
            inner,
            clock,
            count,
            period,
        }
    }

    /// Counts an attempt.
    ///
    /// # Errors
    /// [`RateLimited`] if it exceeds the limit.
    pub fn check(&self, key: &K) -> Result<(), RateLimited> {
        self.take(key).map(|_| ())
    }

    /// Counts an attempt, and says what is left.
    ///
    /// # Errors
    /// [`RateLimited`] if it exceeds the limit.
    pub fn take(&self, key: &K) -> Result<Allowance, RateLimited> {
        let counted = self.inner.check_key(key);
        let counted = counted.map(|state| self.allowance(state.remaining_burst_capacity()));
        counted.map_err(|refused| {
            let wait = refused.wait_time_from(self.clock.now());
            // Rounded up, so that a client that waits this long is not refused again.
            let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
            RateLimited {
                retry_after: seconds.max(1),
            }
        })
    }

    /// The limit with this many attempts left.
    pub fn allowance(&self, remaining: u32) -> Allowance {
        Allowance {
            limit: self.count.get(),
            remaining,
            window: self.period.as_secs(),
        }
    }

    /// Drops the state of keys whose limit is fully refilled.
    pub fn forget_idle(&self) {
        self.inner.retain_recent();
        self.inner.shrink_to_fit();
    }
}

/// The server's monotonic clock for the library: setting the system clock back must not lock users
/// out.
#[derive(Clone)]
struct ServerClock(Arc<dyn Clock>);

/// Time since the process started.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Elapsed(Duration);

impl Add<Nanos> for Elapsed {
    type Output = Self;

    fn add(self, other: Nanos) -> Self {
        Self(self.0.saturating_add(other.into()))
    }
}

impl Reference for Elapsed {
    fn duration_since(&self, earlier: Self) -> Nanos {
        self.0.saturating_sub(earlier.0).into()
    }

    fn saturating_sub(&self, duration: Nanos) -> Self {
        Self(self.0.saturating_sub(duration.into()))
    }
}

impl GovernorClock for ServerClock {
    type Instant = Elapsed;

    fn now(&self) -> Elapsed {
        Elapsed(Duration::from_millis(
            u64::try_from(self.0.monotonic_ms()).unwrap_or(0),
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use slovo_platform::testing::TestClock;

    #[test]
    fn attempts_are_allowed_again_as_time_passes() {
        let clock = TestClock::new();
        let shared: Arc<dyn Clock> = Arc::new(clock.clone());
        let limiter = Limiter::new(3, Duration::from_secs(60), &shared);
        for _ in 0..3 {
            assert_eq!(limiter.check(&1), Ok(()));
        }
        let refused = limiter.check(&1).unwrap_err();
        assert_eq!(refused.retry_after, 20);
        assert_eq!(limiter.check(&2), Ok(()), "others are not concerned");
        clock.advance_seconds(i64::try_from(refused.retry_after).unwrap());
        assert_eq!(limiter.check(&1), Ok(()));
        assert!(limiter.check(&1).is_err());
    }

    #[test]
    fn what_is_left_is_known_after_each_attempt() {
        let clock = TestClock::new();
        let shared: Arc<dyn Clock> = Arc::new(clock.clone());
        let limiter = Limiter::new(2, Duration::from_secs(60), &shared);
        let left = |remaining| Allowance {
            limit: 2,
            remaining,
            window: 60,
        };
        assert_eq!(limiter.take(&1), Ok(left(1)));
        assert_eq!(limiter.take(&1), Ok(left(0)));
        assert!(limiter.take(&1).is_err());
        clock.advance_seconds(60);
        assert_eq!(limiter.take(&1), Ok(left(1)));
    }

    #[test]
    fn setting_the_clock_back_does_not_lengthen_a_wait() {
        let clock = TestClock::new();
        let shared: Arc<dyn Clock> = Arc::new(clock.clone());
        let limiter = Limiter::new(1, Duration::from_secs(60), &shared);
        assert_eq!(limiter.check(&1), Ok(()));
        clock.set_back_seconds(3600);
        assert_eq!(limiter.check(&1).unwrap_err().retry_after, 60);
        clock.advance_seconds(60);
        assert_eq!(limiter.check(&1), Ok(()));
    }
}
