//! What the tests of media files share: a watchdog, a whole reading, a comparison.

use std::path::Path;
use std::sync::mpsc;
use std::time::Duration;

use slovo_engine::media::{self, Limits, MediaError, MediaInfo};

/// Runs a test body and fails instead of hanging. The bound is generous: it is for hangs,
/// not for speed.
pub fn within(seconds: u64, body: impl FnOnce() + Send + 'static) {
    let (done, wait) = mpsc::channel();
    let worker = std::thread::spawn(move || {
        body();
        let _ = done.send(());
    });
    match wait.recv_timeout(Duration::from_secs(seconds)) {
        Ok(()) => {}
        Err(mpsc::RecvTimeoutError::Timeout) => panic!("still running after {seconds} s"),
        Err(mpsc::RecvTimeoutError::Disconnected) => {}
    }
    if let Err(panic) = worker.join() {
        std::panic::resume_unwind(panic);
    }
}

/// The whole sound of a track, the description, and the codes of the warnings.
pub fn read_all(
    path: &Path,
    track: Option<usize>,
) -> Result<(Vec<f32>, MediaInfo, Vec<String>), MediaError> {
    let mut pcm = media::open(path, track, &Limits::default())?;
    let mut samples = Vec::new();
    while let Some(block) = pcm.next_block()? {
        assert!(block.samples.iter().all(|sample| sample.is_finite()));
        samples.extend(block.samples);
    }
    let warnings = pcm
        .warnings()
        .into_iter()
        .map(|warning| warning.code)
        .collect();
    Ok((samples, pcm.info().clone(), warnings))
}

/// Where the 8 kHz `reference` is best found in 16 kHz `sound` within 100 ms of `lead`
/// seconds: how late (in seconds) and how alike (correlation, at most 1).
#[allow(
    dead_code,
    clippy::allow_attributes,
    reason = "the hostile tests compare nothing"
)]
pub fn best_lag(reference: &[f32], sound: &[f32], lead: f64) -> (f64, f64) {
    let heard: Vec<f32> = sound.iter().step_by(2).copied().collect();
    let start = (lead * 8000.0).round() as i64;
    (-800..=800_i64)
        .map(|lag| {
            (
                lag as f64 / 8000.0,
                likeness(reference, &heard, start + lag),
            )
        })
        .max_by(|(_, a), (_, b)| a.total_cmp(b))
        .unwrap()
}

fn likeness(reference: &[f32], heard: &[f32], offset: i64) -> f64 {
    let (mut product, mut left, mut right) = (0.0, 0.0, 0.0);
    for (i, a) in reference.iter().enumerate().step_by(3) {
        let at = usize::try_from(i as i64 + offset).ok();
        let a = f64::from(*a);
        let b = f64::from(at.and_then(|at| heard.get(at)).copied().unwrap_or(0.0));
        product += a * b;
        left += a * a;
        right += b * b;
    }
    if left == 0.0 || right == 0.0 {
        0.0
    } else {
        product / (left * right).sqrt()
    }
}
