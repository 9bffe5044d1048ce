//! The shape of a recording's sound, for the player.
//!
//! Recognition makes it on its way. For a recording that was never heard to its end, or before there
//! were such shapes, it is made beside everything else when it is first asked for: one at a time,
//! within the limits of all decoding.

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

/// Recordings that wait for their shape; whoever asks for more comes again.
const MOST_WAITING: usize = 100;

/// The shapes that are being made. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Making {
    jobs: Arc<Mutex<HashSet<Uuid>>>,
    room: Arc<Semaphore>,
}

impl Default for Making {
    fn default() -> Self {
        Self {
            jobs: Arc::default(),
            room: Arc::new(Semaphore::new(1)),
        }
    }
}

impl Making {
    /// Takes a job up, if it is not being done already.
    fn begin(&self, job: Uuid) -> Option<Taken> {
        let mut jobs = self.jobs.lock().unwrap_or_else(PoisonError::into_inner);
        (jobs.len() < MOST_WAITING && jobs.insert(job)).then(|| Taken {
            making: self.clone(),
            job,
        })
    }
}

/// A job that was taken up, until this is dropped.
struct Taken {
    making: Making,
    job: Uuid,
}

impl Drop for Taken {
    fn drop(&mut self) {
        let jobs = self.making.jobs.lock();
        jobs.unwrap_or_else(PoisonError::into_inner)
            .remove(&self.job);
    }
}

/// Stores a shape, unless its job is gone.
///
/// # Errors
/// When the database fails.
pub async fn keep(db: &Database, job: Uuid, shape: &Waveform) -> slovo_db::Result<()> {
    let mut transaction = db.write().await?;
    if jobs::find_any(&mut transaction, job).await?.is_some() {
        waveforms::store(&mut transaction, job, shape).await?;
        transaction.commit().await?;
    }
    Ok(())
}

impl Jobs {
    /// Makes the shape of a recording beside everything else.
    pub fn draw(&self, job: &Job) {
        let Some(taken) = self.0.making.begin(job.id) else {
            return;
        };
        let inner = Arc::clone(&self.0);
        let file = inner.storage.media(job.media_id);
        let track = job.audio_track.map(|track| track as usize);
        let task = async move {
            let Ok(_room) = inner.making.room.acquire().await else {
                return;
            };
            let (limits, stop) = (inner.config.limits.clone(), inner.shutdown.clone());
            let decode = move || shape(&file, track, &limits, &stop);
            let kept = match tokio::task::spawn_blocking(decode).await {
                Ok(Ok(Some(shape))) => keep(&inner.db, taken.job, &shape).await,
                // The server stops, or the file is not there (yet).
                Ok(Ok(None) | Err(MediaError::Io { .. })) => Ok(()),
                // The file is at fault, or a decoder: it would be the same the next time.
                Ok(Err(_)) | Err(_) => {
                    let nothing = Waveform {
                        duration: 0.0,
                        peaks: None,
                    };
                    keep(&inner.db, taken.job, &nothing).await
                }
            };
            if let Err(error) = kept {
                tracing::error!(job = %taken.job, %error, "the shape of a recording is not stored");
            }
        };
        self.0.tasks.spawn(task);
    }
}

/// Decodes a recording for its shape; `None` if the server stops meanwhile.
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
