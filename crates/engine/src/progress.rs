//! The progress of a job and an estimate of the remaining time, from its speed so far.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::event::Event;

/// No estimate before this much time: it would fluctuate too much.
const FIRST_ESTIMATE: Duration = Duration::from_secs(2);

/// Tracks finished windows and the decoder's position. The caller provides the time.
pub(crate) struct Progress {
    total: Option<f64>,
    /// Seconds of the recording that have been decoded.
    decoded: f64,
    /// Unfinished windows: number and start in seconds.
    open: BTreeMap<usize, f64>,
    /// Number of finished windows.
    finished: usize,
    /// Seconds of the recording whose windows came from an earlier run.
    resumed: f64,
    percent: f32,
    done: f64,
}

impl Progress {
    pub(crate) fn new(total: Option<f64>) -> Self {
        Self {
            total: total.filter(|seconds| seconds.is_finite() && *seconds > 0.0),
            decoded: 0.0,
            open: BTreeMap::new(),
            finished: 0,
            resumed: 0.0,
            percent: 0.0,
            done: 0.0,
        }
    }

    /// The decoder's position.
    pub(crate) fn decoded(&mut self, seconds: f64) {
        self.decoded = self.decoded.max(seconds);
        if self.total.is_some_and(|total| total < self.decoded) {
            // The file is longer than it states.
            self.total = Some(self.decoded);
        }
    }

    /// The whole recording is decoded: now its length is certain.
    pub(crate) fn decoded_all(&mut self, seconds: f64) {
        self.decoded = seconds;
        self.total = Some(seconds);
    }

    pub(crate) fn opened(&mut self, window: usize, start: f64) {
        self.open.insert(window, start);
    }

    /// A window is finished; `resumed` seconds of it came from an earlier run.
    pub(crate) fn finished(&mut self, window: usize, resumed: f64) {
        self.open.remove(&window);
        self.finished += 1;
        self.resumed += resumed;
    }

    /// The progress event after `elapsed` time.
    pub(crate) fn event(&mut self, elapsed: Duration) -> Event {
        let first_open = self.open.values().copied().fold(f64::INFINITY, f64::min);
        self.done = self.done.max(first_open.min(self.decoded));
        let seconds_left = self
            .total
            .and_then(|total| self.estimate_seconds_left(total, elapsed));
        if let Some(total) = self.total {
            let percent = (self.done / total * 100.0).min(99.9) as f32;
            self.percent = self.percent.max(percent);
        }
        Event::Progress {
            done_seconds: self.done,
            total_seconds: self.total,
            percent: self.percent,
            seconds_left,
        }
    }

    /// The final event: everything is done.
    pub(crate) fn complete(&self, seconds: f64) -> Event {
        Event::Progress {
            done_seconds: seconds,
            total_seconds: Some(seconds),
            percent: 100.0,
            seconds_left: Some(0.0),
        }
    }

    /// Estimates the remaining time from the speed so far. Windows are processed in parallel, and
    /// the first is often the last to finish, so all finished windows count, wherever they are, as
    /// a share of the known ones. There is no estimate before the first one is finished.
    fn estimate_seconds_left(&self, total: f64, elapsed: Duration) -> Option<f32> {
        if elapsed < FIRST_ESTIMATE || self.finished == 0 {
            return None;
        }
        let windows = (self.finished + self.open.len()) as f64;
        let done = self.decoded * self.finished as f64 / windows;
        // The recording is finished at least up to here without a gap.
        let done = done.max(self.done);
        let processed = done - self.resumed;
        if processed <= 0.0 {
            return None;
        }
        let speed = processed / elapsed.as_secs_f64();
        Some(((total - done).max(0.0) / speed) as f32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(event: Event) -> (f64, Option<f64>, f32, Option<f32>) {
        match event {
            Event::Progress {
                done_seconds,
                total_seconds,
                percent,
                seconds_left,
            } => (done_seconds, total_seconds, percent, seconds_left),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn progress_ends_at_the_first_unfinished_window() {
        let mut progress = Progress::new(Some(100.0));
        progress.opened(0, 0.0);
        progress.opened(1, 25.0);
        progress.decoded(60.0);
        progress.finished(1, 0.0);
        assert_eq!(parts(progress.event(Duration::from_secs(5))).0, 0.0);
        progress.finished(0, 0.0);
        let (done, _, percent, left) = parts(progress.event(Duration::from_secs(30)));
        assert_eq!((done, percent, left), (60.0, 60.0, Some(20.0)));
    }

    #[test]
    fn percent_never_falls_if_the_file_is_longer_than_stated() {
        let mut progress = Progress::new(Some(10.0));
        progress.decoded(9.0);
        assert_eq!(parts(progress.event(Duration::ZERO)).2, 90.0);
        progress.decoded(30.0);
        progress.opened(0, 10.0);
        let (_, total, percent, _) = parts(progress.event(Duration::ZERO));
        assert_eq!((total, percent), (Some(30.0), 90.0));
    }

    #[test]
    fn without_a_length_there_is_no_percent_and_no_estimate() {
        let mut progress = Progress::new(None);
        progress.decoded(50.0);
        let (done, total, percent, left) = parts(progress.event(Duration::from_secs(10)));
        assert_eq!((done, total, percent, left), (50.0, None, 0.0, None));
        progress.decoded_all(100.0);
        progress.opened(3, 80.0);
        assert_eq!(parts(progress.event(Duration::from_secs(10))).2, 80.0);
    }

    #[test]
    fn windows_of_an_earlier_run_do_not_count_for_the_speed() {
        let mut progress = Progress::new(Some(100.0));
        progress.decoded(60.0);
        progress.finished(0, 50.0);
        // 10 s of sound in 10 s of time, 40 s to go.
        assert_eq!(parts(progress.event(Duration::from_secs(10))).3, Some(40.0));
    }

    #[test]
    fn the_first_estimate_counts_all_finished_windows() {
        let mut progress = Progress::new(Some(400.0));
        progress.decoded(5.0);
        let estimate = parts(progress.event(Duration::from_secs(3))).3;
        assert_eq!(
            estimate, None,
            "silence is decoded fast and says nothing of speech"
        );
        for (window, start) in [0.0, 25.0, 50.0, 75.0].into_iter().enumerate() {
            progress.opened(window, start);
        }
        progress.decoded(100.0);
        progress.finished(3, 0.0);
        progress.finished(2, 0.0);
        // Half of what is decoded after 10 s is finished, although the first window is not.
        let (done, _, _, left) = parts(progress.event(Duration::from_secs(10)));
        assert_eq!((done, left), (5.0, Some(70.0)));
    }

    #[test]
    fn progress_reaches_100_percent_only_on_completion() {
        let mut progress = Progress::new(Some(10.0));
        progress.decoded_all(10.0);
        assert!(parts(progress.event(Duration::ZERO)).2 < 100.0);
        assert_eq!(
            parts(progress.complete(10.0)),
            (10.0, Some(10.0), 100.0, Some(0.0))
        );
    }
}
