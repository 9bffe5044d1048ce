//! The waveform of a recording, for the player.
//!
//! Recognition computes it along the way. For recordings that were not recognised to the end, or
//! are older than this feature, it is computed in the background on the first request: one at a
//! time, within the limits for decoding.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

use slovo_db::Database;
use slovo_db::jobs::{self, Job};
use slovo_db::texts::waveforms::{self, Waveform};
use slovo_engine::media::MediaError;
use slovo_engine::{CancelToken, EngineError};
use tokio::sync::Semaphore;
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
        let media_id = job.media_id;
        let track = job.audio_track.map(|track| track as usize);
        let task = async move {
            let Ok(_room) = inner.making.permits.acquire().await else {
                return;
            };
            let file = match inner.storage.open_local(media_id).await {
                Ok(file) => file,
                // It does not exist (yet).
                Err(error) => return tracing::debug!(job = %entry.job, %error, "no waveform"),
            };
            let engine = inner.engine.clone();
            let cancel = CancelToken::new();
            let stop = cancel.clone();
            let decode = move || engine.waveform(file.path(), track, &stop);
            let decoded = tokio::select! {
                decoded = tokio::task::spawn_blocking(decode) => decoded,
                () = inner.shutdown.cancelled() => return cancel.cancel(),
            };
            let stored = match decoded {
                Ok(Ok(shape)) => {
                    let shape = Waveform {
                        duration: shape.seconds,
                        peaks: Some(shape.peaks),
                    };
                    store_waveform(&inner.db, entry.job, &shape).await
                }
                // The file does not exist (yet), or another run has ended the decoder.
                Ok(Err(
                    EngineError::Media(MediaError::Io { .. }) | EngineError::Crashed { .. },
                )) => Ok(()),
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
