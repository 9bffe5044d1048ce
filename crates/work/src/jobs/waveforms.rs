//! The waveform of a recording, for the player.
//!
//! Recognition computes it along the way. For recordings that were not recognised to the end, or
//! are older than this feature, it is computed in the background on the first request: one at a
//! time, within the limits for decoding.

use std::collections::HashSet;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use slovo_db::Database;
use slovo_db::jobs::{self, Job};
use slovo_db::texts::waveforms::{self, Waveform};
use slovo_engine::Peaks;
use slovo_engine::media::{self, Limits, MediaError, SAMPLE_RATE};
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::Jobs;

/// Recordings that may wait; further requests are dropped and have to be repeated.
const MAX_WAITING: usize = 100;

/// The waveforms being computed. Cheap to clone.
#[derive(Clone, Debug)]
pub struct WaveformTasks {
    jobs: Arc<Mutex<HashSet<Uuid>>>,
    permits: Arc<Semaphore>,
}

impl Default for WaveformTasks {
    fn default() -> Self {
        Self {
            jobs: Arc::default(),
            permits: Arc::new(Semaphore::new(1)),
        }
    }
}

impl WaveformTasks {
    /// Claims a recording, unless it is being computed already.
    fn begin(&self, job: Uuid) -> Option<WaveformClaim> {
        let mut jobs = self.jobs.lock().unwrap_or_else(PoisonError::into_inner);
        (jobs.len() < MAX_WAITING && jobs.insert(job)).then(|| WaveformClaim {
            making: self.clone(),
            job,
        })
    }
}

/// A claimed recording, until this is dropped.
struct WaveformClaim {
    making: WaveformTasks,
    job: Uuid,
}

impl Drop for WaveformClaim {
    fn drop(&mut self) {
        let jobs = self.making.jobs.lock();
        jobs.unwrap_or_else(PoisonError::into_inner)
            .remove(&self.job);
    }
}

/// Stores a waveform, unless its job is deleted.
///
/// # Errors
/// When the database fails.
pub async fn store_waveform(db: &Database, job: Uuid, shape: &Waveform) -> slovo_db::Result<()> {
    let mut transaction = db.write().await?;
    if jobs::find_any(&mut transaction, job).await?.is_some() {
        waveforms::store(&mut transaction, job, shape).await?;
        transaction.commit().await?;
    }
    Ok(())
}

impl Jobs {
    /// Computes the waveform of a recording in the background.
    pub fn draw(&self, job: &Job) {
        let Some(entry) = self.0.making.begin(job.id) else {
            return;
        };
        let inner = Arc::clone(&self.0);
        let file = inner.storage.media(job.media_id);
        let track = job.audio_track.map(|track| track as usize);
        let task = async move {
            let Ok(_room) = inner.making.permits.acquire().await else {
                return;
            };
            let (limits, stop) = (inner.config.limits.clone(), inner.shutdown.clone());
            let decode = move || shape(&file, track, &limits, &stop);
            let stored = match tokio::task::spawn_blocking(decode).await {
                Ok(Ok(Some(shape))) => store_waveform(&inner.db, entry.job, &shape).await,
                // The server is stopping, or the file does not exist (yet).
                Ok(Ok(None) | Err(MediaError::Io { .. })) => Ok(()),
                // The file or a decoder is at fault: retrying would not help.
                Ok(Err(_)) | Err(_) => {
                    let nothing = Waveform {
                        duration: 0.0,
                        peaks: None,
                    };
                    store_waveform(&inner.db, entry.job, &nothing).await
                }
            };
            if let Err(error) = stored {
                tracing::error!(job = %entry.job, %error, "a waveform could not be stored");
            }
        };
        self.0.tasks.spawn(task);
    }
}

/// Decodes a recording for its waveform; `None` if the server stops meanwhile.
fn shape(
    file: &Path,
    track: Option<usize>,
    limits: &Limits,
    stop: &CancellationToken,
) -> Result<Option<Waveform>, MediaError> {
    let mut pcm = media::open(file, track, limits)?;
    let mut peaks = Peaks::default();
    let mut samples: u64 = 0;
    while let Some(block) = pcm.next_block()? {
        if stop.is_cancelled() {
            return Ok(None);
        }
        peaks.push(&block.samples);
        samples += block.samples.len() as u64;
    }
    Ok(Some(Waveform {
        duration: samples as f64 / f64::from(SAMPLE_RATE),
        peaks: Some(peaks.finish()),
    }))
}
