//! For tests: a clock that only moves by hand, and seeded randomness.

use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use jiff::Timestamp;
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

use crate::clock::{Clock, from_ms};
use crate::random::Random;

/// A clock that stays at 2026-03-01T12:00:00Z until it is moved.
#[derive(Clone)]
pub struct TestClock(Arc<ClockState>);

struct ClockState {
    /// The time of day, in Unix milliseconds.
    now: AtomicI64,
    /// The steady time, in milliseconds.
    steady: AtomicI64,
}

impl Default for TestClock {
    fn default() -> Self {
        Self(Arc::new(ClockState {
            now: AtomicI64::new(1_772_366_400_000),
            steady: AtomicI64::new(0),
        }))
    }
}

impl TestClock {
    /// A new, independent clock.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Advances both times.
    pub fn advance_seconds(&self, seconds: i64) {
        self.0.now.fetch_add(seconds * 1000, Ordering::SeqCst);
        self.0.steady.fetch_add(seconds * 1000, Ordering::SeqCst);
    }

    /// Sets the time of day back; the steady time does not change.
    pub fn set_back_seconds(&self, seconds: i64) {
        self.0.now.fetch_sub(seconds * 1000, Ordering::SeqCst);
    }
}

impl Clock for TestClock {
    fn now(&self) -> Timestamp {
        from_ms(self.0.now.load(Ordering::SeqCst))
    }

    fn monotonic_ms(&self) -> i64 {
        self.0.steady.load(Ordering::SeqCst)
    }
}

/// Deterministic randomness.
pub struct SeededRandom(Mutex<StdRng>);

impl SeededRandom {
    /// The same seed gives the same bytes.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(Mutex::new(StdRng::seed_from_u64(seed)))
    }
}

impl Random for SeededRandom {
    fn fill(&self, buffer: &mut [u8]) {
        let mut source = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        source.fill_bytes(buffer);
    }
}
