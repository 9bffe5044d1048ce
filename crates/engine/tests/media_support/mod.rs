//! Helpers of the media tests: a watchdog, reading a whole file, a comparison.

use std::path::Path;
use std::sync::mpsc;
use std::time::Duration;

use slovo_engine::media::{self, Limits, MediaError, MediaInfo};

/// Runs a test body and fails instead of hanging. The limit is generous because it is not about
/// speed.
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

/// The whole audio of a track, the description, and the codes of the warnings.
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
