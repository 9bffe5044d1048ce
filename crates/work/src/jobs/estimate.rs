//! Estimates the duration of recognition: at first from earlier recordings on this machine, then
//! increasingly from the run itself. Without earlier measurements there is no estimate until the
//! run has lasted one minute.

use std::time::{Duration, Instant};

/// From here on the run's own speed is used: the model is loaded, all threads are busy, and a slow
/// start no longer matters much.
const MIN_MEASURED: Duration = Duration::from_secs(60);

/// Shorter recordings mostly measure the engine's startup and say little about a long one.
const MIN_SECONDS: f64 = 30.0;

/// The estimate of one run.
#[derive(Debug, Clone, Copy)]
pub(super) struct Estimate {
    /// Seconds of work per second of sound, as measured before.
    pace: Option<f64>,
    started_at: Instant,
}

impl Estimate {
    /// Starts the clock now.
    pub(super) fn new(pace: Option<f64>) -> Self {
        Self {
            pace,
            started_at: Instant::now(),
        }
    }

    /// Seconds left when `done` of `total` seconds of audio are recognised and the engine's own
    /// estimate is `engine_estimate`.
    pub(super) fn left(
        &self,
        done: f64,
        total: Option<f64>,
        engine_estimate: Option<f64>,
    ) -> Option<f64> {
        let rest = total.map(|total| (total - done).max(0.0));
        remaining_seconds(self.pace, self.started_at.elapsed(), rest, engine_estimate)
    }

    /// The run's time per second of audio, for later estimates; `None` if it is not representative.
    pub(super) fn measured(&self, duration: f64) -> Option<f64> {
        (duration >= MIN_SECONDS).then(|| self.started_at.elapsed().as_secs_f64() / duration)
    }
}

fn remaining_seconds(
    pace: Option<f64>,
    elapsed: Duration,
    rest: Option<f64>,
    engine_estimate: Option<f64>,
) -> Option<f64> {
    let expected = pace.zip(rest).map(|(pace, rest)| pace * rest);
    let certainty = (elapsed.as_secs_f64() / MIN_MEASURED.as_secs_f64()).min(1.0);
    match (expected, engine_estimate) {
        (Some(expected), Some(engine_estimate)) => {
            Some(expected * (1.0 - certainty) + engine_estimate * certainty)
        }
        (Some(expected), None) => Some(expected),
        (None, engine_estimate) => engine_estimate.filter(|_| elapsed >= MIN_MEASURED),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: f64 = 3_600.0;

    fn after(seconds: u64, pace: Option<f64>, engine_estimate: Option<f64>) -> Option<f64> {
        remaining_seconds(
            pace,
            Duration::from_secs(seconds),
            Some(HOUR),
            engine_estimate,
        )
    }

    #[test]
    fn the_first_estimate_uses_earlier_speeds_of_this_machine() {
        // Five minutes for an hour, instead of 1 h 47 min estimated from the first window.
        assert_eq!(after(0, Some(1.0 / 12.0), None), Some(300.0));
        let early = after(3, Some(1.0 / 12.0), Some(6_420.0)).unwrap();
        assert!((300.0..700.0).contains(&early), "{early}");
    }

    #[test]
    fn the_estimate_shifts_to_the_speed_of_the_current_run() {
        assert_eq!(after(30, Some(0.1), Some(200.0)), Some(280.0));
        assert_eq!(after(60, Some(0.1), Some(200.0)), Some(200.0));
        assert_eq!(after(600, Some(0.1), Some(200.0)), Some(200.0));
        // No window is finished yet: the estimate stays.
        assert_eq!(after(600, Some(0.1), None), Some(360.0));
    }

    #[test]
    fn there_is_no_estimate_without_measurements() {
        assert_eq!(after(0, None, None), None);
        assert_eq!(after(59, None, Some(6_420.0)), None);
        assert_eq!(after(60, None, Some(400.0)), Some(400.0));
        // The duration is unknown until everything is decoded.
        assert_eq!(
            remaining_seconds(Some(0.1), Duration::ZERO, None, None),
            None
        );
    }

    #[test]
    fn audio_already_recognised_is_not_counted_in_the_estimate() {
        let estimate = Estimate::new(Some(0.5));
        assert_eq!(estimate.left(40.0, Some(100.0), None), Some(30.0));
        assert_eq!(estimate.left(120.0, Some(100.0), None), Some(0.0));
    }

    #[test]
    fn a_short_recording_gives_no_speed() {
        let estimate = Estimate::new(None);
        assert_eq!(estimate.measured(29.0), None);
        assert!(estimate.measured(60.0).is_some());
    }
}
