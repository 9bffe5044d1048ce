//! Runs the engine on its own thread and stores its events.
//!
//! A finished window is committed before the engine continues, so that a kill repeats at most the
//! running one. Progress is only published to readers; the worker stores it periodically. There is
//! no work per word.

use std::collections::HashSet;
use std::sync::{
    Arc, Mutex, PoisonError,
    atomic::{AtomicBool, Ordering},
};

use slovo_db::WriteTransaction;
use slovo_db::jobs::Job;
use slovo_db::jobs::queue::{Lease, Progress};
use slovo_db::jobs::stages;
use slovo_db::texts::recognition;
use slovo_db::texts::waveforms::Waveform;
use slovo_engine::{EngineError, Event, Request};
use slovo_rules::job::Stage;
use slovo_rules::language::Language;
use slovo_rules::mode::TranscriptionType;
use slovo_rules::removed::Removed;
use slovo_rules::transcript::{Transcript, Warning};
use slovo_storage::LocalFile;
use tokio::runtime::Handle;
use tokio::sync::oneshot;

use super::{Jobs, background, estimate::Estimate, waveforms};
use crate::live::RunningJob;

impl Jobs {
    /// The request to recognise the recording of a job in this mode, with this model and in this
    /// language (`None` to detect it).
    pub(super) fn request(
        &self,
        job: &Job,
        file: &LocalFile,
        mode: TranscriptionType,
        model: &str,
        language: Option<Language>,
    ) -> Request {
        let plan = &job.plan;
        let mut request = Request::new(file.path().to_owned());
        request.mode = mode;
        request.model = Some(model.to_owned());
        request.language = language.into();
        request.languages = plan.languages;
        request.translate = plan.translates_to_english && mode == TranscriptionType::Full;
        request.words = true;
        request.vocabulary.clone_from(&plan.vocabulary);
        request.audio_track = job.audio_track.map(|track| track as usize);
        request.multichannel = plan.multichannel;
        // It, or a job beside it, may have crashed the engine's process.
        request.alone = job.attempts > 1;
        request
    }
}

/// Data collected from the events of one run.
#[derive(Debug, Default)]
pub struct Trace {
    /// Duration of the recording in seconds, as far as it is known.
    pub duration: Mutex<f64>,
    /// Warnings so far.
    pub warnings: Mutex<Vec<Warning>>,
    /// Text removed so far.
    pub removed: Mutex<Vec<Removed>>,
    /// The latest progress.
    pub progress: Mutex<Option<Progress>>,
    /// Whether a window was finished and stored, which counts as progress.
    pub made_progress: AtomicBool,
    /// Error while storing an event.
    pub storing: Mutex<Option<slovo_db::Error>>,
}

impl Trace {
    /// Records the progress.
    pub fn set_progress(&self, progress: Progress) {
        set(&self.progress, Some(progress));
    }
}

/// Result of recognition.
#[derive(Debug)]
pub enum Outcome {
    /// With a text.
    Text(Transcript),
    /// Without one.
    Error(EngineError),
    /// The thread has ended without a result: the engine panicked, or it could not be started.
    Gone,
}

/// One run of recognition.
pub struct Recognition {
    /// The jobs it belongs to.
    pub jobs: Jobs,
    /// The claim under which it stores.
    pub lease: Lease,
    /// The version of the text it makes.
    pub version: i64,
    /// The flag that stops it.
    pub running: RunningJob,
    /// Receives the data of its events.
    pub trace: Arc<Trace>,
    /// Windows stored by earlier claims; the engine reports them again.
    pub finished_chunks: HashSet<ChunkKey>,
    /// Estimates the remaining time.
    pub(super) estimate: Estimate,
}

/// A window's number, start and end (in samples).
pub type ChunkKey = (usize, u64, u64);

/// Sets a value behind a lock. A poisoned lock does no harm here.
fn set<T>(slot: &Mutex<T>, value: T) {
    *slot.lock().unwrap_or_else(PoisonError::into_inner) = value;
}

impl Recognition {
    /// Starts the engine's thread; the receiver gets the outcome when it has ended.
    /// `file` is the recording of the request.
    pub fn start(self, request: Request, file: LocalFile) -> oneshot::Receiver<Outcome> {
        let runtime = Handle::current();
        background::spawn("recognition", self.jobs.0.nice, move || {
            let result =
                self.jobs
                    .0
                    .engine
                    .transcribe(&request, &self.running.cancel, &mut |event| {
                        if let Err(error) = runtime.block_on(self.store(event)) {
                            set(&self.trace.storing, Some(error));
                            self.running.stop();
                        }
                    });
            drop(file);
            match result {
                Ok(transcript) => Outcome::Text(transcript),
                Err(error) => Outcome::Error(error),
            }
        })
    }

    async fn store(&self, event: Event) -> slovo_db::Result<()> {
        let (job, lease, version) = (self.lease.job_id, &self.lease, self.version);
        match event {
            Event::Opened { duration, .. } => {
                set(&self.trace.duration, duration.unwrap_or_default());
                Ok(())
            }
            Event::Progress {
                done_seconds,
                total_seconds,
                percent,
                seconds_left,
            } => {
                set(&self.trace.duration, total_seconds.unwrap_or(done_seconds));
                let engine_estimate = seconds_left.map(f64::from);
                let progress = Progress {
                    stage: Stage::Transcribing,
                    percent: f64::from(percent),
                    seconds_left: self
                        .estimate
                        .left(done_seconds, total_seconds, engine_estimate),
                };
                set(&self.trace.progress, Some(progress));
                self.jobs.0.live.progress(job, progress);
                Ok(())
            }
            Event::Language { code, probability } => {
                let mut transaction = self.jobs.0.db.write().await?;
                let probability = f64::from(probability);
                let still_leased =
                    stages::set_language(&mut transaction, lease, &code, probability).await?;
                self.commit(transaction, still_leased).await
            }
            Event::Chunk(chunk)
                if self.finished_chunks.contains(&(
                    chunk.index,
                    chunk.start_sample,
                    chunk.end_sample,
                )) =>
            {
                Ok(())
            }
            Event::Chunk(chunk) => {
                tracing::info!(job = %job, version, chunk = chunk.index, "window recognised");
                let mut transaction = self.jobs.0.db.write().await?;
                let index = i64::try_from(chunk.index).unwrap_or(i64::MAX);
                let still_leased =
                    stages::save_chunk(&mut transaction, lease, version, index, &chunk).await?;
                self.commit(transaction, still_leased).await?;
                self.trace.made_progress.store(true, Ordering::Relaxed);
                Ok(())
            }
            Event::Segments(segments) => {
                let mut transaction = self.jobs.0.db.write().await?;
                let still_leased =
                    recognition::save_segments(&mut transaction, lease, version, &segments).await?;
                self.commit(transaction, still_leased).await
            }
            Event::Removed(removed) => {
                let mut all_removed = self.trace.removed.lock();
                all_removed
                    .as_mut()
                    .unwrap_or_else(|poisoned| poisoned.get_mut())
                    .extend(removed);
                Ok(())
            }
            Event::Peaks { seconds, peaks } => {
                let shape = Waveform {
                    duration: seconds,
                    peaks: Some(peaks),
                };
                waveforms::store_waveform(&self.jobs.0.db, job, &shape).await
            }
            Event::Warning(warning) => self.warn(warning).await,
        }
    }

    async fn warn(&self, warning: Warning) -> slovo_db::Result<()> {
        let lease = &self.lease;
        let warnings = {
            let mut stored = self
                .trace
                .warnings
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            stored.push(warning);
            stored.clone()
        };
        let mut transaction = self.jobs.0.db.write().await?;
        let still_leased = stages::set_warnings(&mut transaction, lease, &warnings).await?;
        self.commit(transaction, still_leased).await
    }

    /// Commits and wakes the readers, or stops the run if its lease is lost.
    async fn commit(
        &self,
        transaction: WriteTransaction,
        still_leased: bool,
    ) -> slovo_db::Result<()> {
        if still_leased {
            transaction.commit().await?;
            self.jobs.0.live.stored(self.lease.job_id);
        } else {
            self.running.stop();
        }
        Ok(())
    }
}
