use super::*;

#[test]
fn only_temporary_errors_are_retried_and_retry_after_is_bounded() {
    let busy = |seconds| AnalysisError::Busy {
        retry_after: Some(Duration::from_secs(seconds)),
    };
    let unreachable = || AnalysisError::Unreachable(String::new());
    assert_eq!(wait_ms(&unreachable(), 1), Some(BACKOFF_MS));
    assert_eq!(wait_ms(&unreachable(), 2), Some(3 * BACKOFF_MS));
    assert_eq!(wait_ms(&unreachable(), MAX_ATTEMPTS), None);
    assert_eq!(wait_ms(&busy(90), 1), Some(90_000));
    assert_eq!(wait_ms(&busy(1), 1), Some(BACKOFF_MS));
    assert_eq!(wait_ms(&busy(u64::MAX), 1), Some(LONGEST_WAIT_MS));
    assert_eq!(wait_ms(&AnalysisError::Refused { status: 401 }, 1), None);
}

#[test]
fn the_time_left_follows_the_measured_speed_and_counts_down() {
    let mut pace = RunSpeed::new(1_000);
    let progress_at = |pace: &RunSpeed, now| {
        let progress = pace.progress(now);
        (progress.percent, progress.seconds_left)
    };
    assert_eq!(progress_at(&pace, 9_000), (0.0, None), "nothing is known");
    assert!(!pace.should_publish(0.5, 9_000));
    assert!(pace.should_publish(25.0, 11_000));
    assert_eq!(progress_at(&pace, 11_000), (25.0, Some(30.0)));
    assert!(!pace.should_publish(25.0, 21_000));
    assert_eq!(progress_at(&pace, 21_000), (25.0, Some(20.0)));
    assert_eq!(
        progress_at(&pace, 99_000),
        (25.0, Some(0.0)),
        "never negative"
    );
}
