//! Runs the stages of a claimed job: downloading, or probe, recognition, speakers, finishing.
//!
//! Every stage is skipped if its output exists and was made from the same inputs. So the same
//! function serves a new job, one whose worker was killed, and one whose model has changed
//! meanwhile (recognition then starts over).

use std::sync::{Arc, PoisonError, atomic::Ordering};
use std::time::Instant;

use serde::{Deserialize, Serialize};
use slovo_db::jobs::paces::{self, SpeedKey};
use slovo_db::jobs::queue::{Lease, MAX_ATTEMPTS, Progress, Release};
use slovo_db::jobs::{self, Job, stages};
use slovo_db::lifecycle;
use slovo_db::plans::ledger;
use slovo_db::texts::{recognition as recognised, transcripts};
use slovo_engine::{ChunkResult, DetectedLanguage, EngineError, Remote, Resume};
use slovo_platform::metrics;
use slovo_rules::job::Stage;
use slovo_rules::media::{Fault, Media};
use slovo_rules::removed::{Removed, RemovedReason};
use slovo_rules::settings::TranscriptionType;
use slovo_rules::transcript::{Transcript, Warning};
use slovo_storage::LocalFile;

use super::{
    Jobs, digest,
    estimate::Estimate,
    failure::{Failure, NO_ROOM_MS, backoff_ms, external_backoff_ms},
    heartbeat,
    recogniser::Recogniser,
    recognition::{Outcome, Recognition, Trace},
};
use crate::live::RunningJob;
use crate::minutes;
use slovo_uploads::probe;

/// How a run ended.
#[derive(Debug)]
pub enum RunOutcome {
    /// The text is stored.
    Completed,
    /// The recording is downloaded and stored; the job waits for recognition.
    Downloaded,
    /// The lease is lost: the job was cancelled, removed, or given to another worker.
    Lost,
    /// The job is returned to the queue or ends, without a text.
    Released(Release),
}

/// Output of recognition besides its segments, which have their own rows.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct RecognitionOutput {
    language: String,
    duration: f64,
    mode: TranscriptionType,
    model: String,
    warnings: Vec<Warning>,
    /// Missing in outputs stored before this field existed.
    #[serde(default)]
    removed: Vec<Removed>,
}

/// Measures a stage.
async fn timed<T>(
    stage: Stage,
    work: impl Future<Output = Result<T, Failure>>,
) -> Result<T, Failure> {
    let started = Instant::now();
    let done = work.await;
    metrics::stage(stage.as_str(), done.is_ok(), started.elapsed());
    done
}

/// One claimed job.
pub struct Run {
    /// The jobs it belongs to.
    pub jobs: Jobs,
    /// The claim.
    pub lease: Lease,
    /// The job as it was claimed.
    pub job: Job,
    /// The flag that stops it.
    pub running: RunningJob,
    /// Data collected from recognition's events.
    pub trace: Arc<Trace>,
}

impl Run {
    /// Runs the stages that are not finished yet.
    pub async fn stages(&self) -> RunOutcome {
        if !self.job.awaits_download {
            return match self.all().await {
                Ok(()) => RunOutcome::Completed,
                Err(failure) => self.ending(failure),
            };
        }
        let ending = match timed(Stage::Downloading, self.download()).await {
            Ok(()) => return RunOutcome::Downloaded,
            Err(failure) => self.ending(failure),
        };
        self.clear_download(&ending).await;
        ending
    }

    /// Maps a failure to how the run ends.
    fn ending(&self, failure: Failure) -> RunOutcome {
        let now = self.jobs.0.clock.now_ms();
        // A finished window has reset the attempts counted before it (see `save_chunk`).
        let made_progress = self.trace.made_progress.load(Ordering::Relaxed);
        let attempts = if made_progress { 1 } else { self.job.attempts };
        let again = |wait: i64| Release::Requeue {
            run_after: now + wait,
            forgive: false,
        };
        let release = match failure {
            Failure::Lost => return RunOutcome::Lost,
            Failure::Stopped => Release::Requeue {
                run_after: now,
                forgive: true,
            },
            Failure::NoStorage => {
                tracing::warn!(job = %self.job.id, "waiting for its storage");
                Release::Requeue {
                    run_after: now + NO_ROOM_MS,
                    forgive: true,
                }
            }
            Failure::Input(fault) => Release::Error(fault),
            Failure::Transient(fault) if attempts >= MAX_ATTEMPTS => Release::Failed(fault),
            Failure::Transient(fault) => {
                tracing::warn!(job = %self.job.id, code = fault.code, attempts, "trying again");
                again(backoff_ms(attempts))
            }
            Failure::External { fault, retry_after } => {
                match external_backoff_ms(attempts, retry_after) {
                    Some(wait) if attempts < MAX_ATTEMPTS => {
                        tracing::info!(job = %self.job.id, attempts, wait, "retrying later");
                        again(wait)
                    }
                    _ => Release::Error(fault),
                }
            }
        };
        RunOutcome::Released(release)
    }

    async fn all(&self) -> Result<(), Failure> {
        let recogniser = self.recogniser().await?;
        let model = recogniser.name();
        let media = timed(Stage::Probe, self.probe(model)).await?;
        let transcript = timed(Stage::Transcribing, self.recognise(&media, &recogniser)).await?;
        let transcript = timed(Stage::Speakers, self.with_speakers(transcript, model)).await?;
        timed(
            Stage::Finishing,
            self.finish(&self.job.plan.finish(transcript)),
        )
        .await
    }

    async fn probe(&self, model: &str) -> Result<Media, Failure> {
        let (db, version) = (&self.jobs.0.db, self.job.version);
        let digest = digest::probe(&self.job);
        let known =
            stages::find(&mut *db.read().await?, self.job.id, version, Stage::Probe).await?;
        if let Some(row) = known
            && row.input_digest == digest
            && let Some(media) = row.output
        {
            return Ok(media);
        }
        self.begin(Stage::Probe, &digest).await?;
        let media = self.probe_file().await?;
        let mut transaction = db.write().await?;
        let now = self.jobs.0.clock.now_ms();
        let held = stages::set_probed(&mut transaction, &self.lease, media.duration, model).await?
            && stages::finish(
                &mut transaction,
                &self.lease,
                version,
                Stage::Probe,
                &media,
                now,
            )
            .await?;
        let length = media.duration.or(self.job.duration);
        let needed = minutes::required_minutes(&self.job, length, now);
        if held && let Err(violation) = ledger::resize(&mut transaction, &needed).await? {
            return Err(Failure::Input(minutes::fault(violation)));
        }
        self.commit(transaction, held).await?;
        Ok(media)
    }

    /// The recording, in a file of this machine.
    pub(super) async fn open_recording(&self) -> Result<LocalFile, Failure> {
        let opened = self.jobs.0.storage.open_local(self.job.media_id).await;
        opened.map_err(|error| Failure::of_recording(&error))
    }

    pub(super) async fn probe_file(&self) -> Result<Media, Failure> {
        let file = self.open_recording().await?;
        let path = file.path().to_owned();
        let looked = probe::probe(&path, &self.jobs.0.engine, file).await;
        match looked {
            Ok(Ok(media)) => Ok(media),
            // The signal that stops the server, such as Ctrl-C, may have ended a decoder as well.
            _ if self.jobs.0.shutdown.is_cancelled() => Err(Failure::Stopped),
            Ok(Err(fault)) => Err(Failure::Input(fault)),
            Err(error) => {
                tracing::error!(job = %self.job.id, %error, "trying again");
                Err(Failure::Transient(error.fault))
            }
        }
    }

    async fn recognise(
        &self,
        media: &Media,
        recogniser: &Recogniser,
    ) -> Result<Transcript, Failure> {
        let (db, id, version) = (&self.jobs.0.db, self.job.id, self.job.version);
        let digest = digest::recognition(&self.job, recogniser.name());
        let known = stages::find::<RecognitionOutput>(
            &mut *db.read().await?,
            id,
            version,
            Stage::Transcribing,
        )
        .await?;
        let known = known.filter(|row| row.input_digest == digest);
        match known.map(|row| row.output) {
            Some(Some(done)) => return self.assemble(done).await,
            // Begun with the same inputs: finished windows are kept.
            Some(None) => {}
            None => {
                let mut transaction = db.write().await?;
                let held = recognised::discard(&mut transaction, &self.lease, version).await?;
                self.commit(transaction, held).await?;
            }
        }
        let resume = self.resume(&digest).await?;
        let is_resumed = !resume.chunks.is_empty();
        let transcript = match recogniser {
            Recogniser::Service { service, .. } => self.ask(service, media).await?,
            Recogniser::Endpoint { model, remote } => {
                let remote = Some(remote.clone());
                self.run_engine(media, model, remote, resume).await?
            }
            Recogniser::Model(model) => self.run_engine(media, model, None, resume).await?,
        };
        let done = RecognitionOutput {
            language: transcript.language.clone(),
            duration: transcript.duration,
            mode: transcript.mode,
            model: transcript.model.clone(),
            warnings: transcript.warnings.clone(),
            removed: transcript.removed.clone(),
        };
        let mut transaction = db.write().await?;
        let (lease, segments) = (&self.lease, &transcript.segments);
        // Stored segments of a resumed run may have been assembled by an earlier version.
        let saved = if is_resumed {
            recognised::replace_segments(&mut transaction, lease, version, segments).await?
        } else {
            recognised::save_segments(&mut transaction, lease, version, segments).await?
        };
        let held = saved
            && stages::finish(
                &mut transaction,
                lease,
                version,
                Stage::Transcribing,
                &done,
                self.jobs.0.clock.now_ms(),
            )
            .await?;
        self.commit(transaction, held).await?;
        self.assemble(done).await
    }

    /// Begins recognition and returns the windows that an earlier claim has finished.
    async fn resume(&self, digest: &str) -> Result<Resume, Failure> {
        self.begin(Stage::Transcribing, digest).await?;
        let mut connection = self.jobs.0.db.read().await?;
        let (id, version) = (self.job.id, self.job.version);
        let mut chunks: Vec<ChunkResult> = stages::chunks(&mut connection, id, version).await?;
        if chunks.is_empty() {
            chunks = stages::earlier_chunks(&mut connection, id, version, digest).await?;
            // Another run asks the endpoint again for what it did not answer.
            chunks.retain(|chunk| !chunk.fell_back);
        }
        if chunks.is_empty() {
            return Ok(Resume::default());
        }
        tracing::info!(job = %self.job.id, chunks = chunks.len(), "going on where it stopped");
        let language = self.job.language.clone().map(|code| DetectedLanguage {
            code,
            #[expect(
                clippy::cast_possible_truncation,
                reason = "it was an f32 when it was stored"
            )]
            probability: self.job.language_probability.unwrap_or(1.0) as f32,
        });
        Ok(Resume { language, chunks })
    }

    async fn run_engine(
        &self,
        media: &Media,
        model: &str,
        remote: Option<Remote>,
        resume: Resume,
    ) -> Result<Transcript, Failure> {
        let plan = &self.job.plan;
        let known_language = resume.language.as_ref().map(|found| found.code.clone());
        let (mode, language) = (plan.mode, plan.language);
        let file = self.open_recording().await?;
        let mut request = self.jobs.request(&self.job, &file, mode, model, language);
        let stored = resume.chunks.iter();
        let finished_chunks = stored
            .map(|chunk| (chunk.index, chunk.start_sample, chunk.end_sample))
            .collect();
        let is_whole = resume.chunks.is_empty();
        request.resume = resume;
        let host = heartbeat::host();
        let (made_by, threads) = match &remote {
            Some(remote) => (remote.name.clone(), remote.parallel),
            None => (model.to_owned(), self.jobs.0.engine.config().threads),
        };
        request.remote = remote;
        let machine = SpeedKey {
            host: &host,
            model: &made_by,
            threads: i64::try_from(threads).unwrap_or(i64::MAX),
        };
        let pace = paces::find(&mut *self.jobs.0.db.read().await?, machine).await?;
        let estimate = Estimate::new(pace);
        let recognition = Recognition {
            jobs: self.jobs.clone(),
            lease: self.lease.clone(),
            version: self.job.version,
            running: self.running.clone(),
            trace: Arc::clone(&self.trace),
            finished_chunks,
            estimate,
        };
        let outcome = recognition
            .start(request, file)
            .await
            .unwrap_or(Outcome::Gone);
        let error = match outcome {
            Outcome::Text(transcript) => {
                // A resumed run has processed only a part, and one that fell back was slowed down.
                let fell_back = |warning: &Warning| warning.code == "endpoint_fell_back";
                let is_typical = is_whole && !transcript.warnings.iter().any(fell_back);
                let pace = estimate
                    .measured(transcript.duration)
                    .filter(|_| is_typical);
                metrics::recognised(&made_by, transcript.duration, pace);
                if let Some(pace) = pace {
                    // Only used for estimates, so an error must not fail the job.
                    if let Err(error) = self.record_pace(machine, pace).await {
                        tracing::warn!(job = %self.job.id, %error, "the speed could not be stored");
                    }
                }
                return Ok(transcript);
            }
            Outcome::Gone => {
                tracing::error!(job = %self.job.id, "recognition ended without a result");
                return Err(Failure::Transient(Fault::new("recognition_failed")));
            }
            Outcome::Error(error) => error,
        };
        match error {
            EngineError::NoSpeech => {
                let language = known_language.unwrap_or_else(|| {
                    plan.language
                        .map_or_else(String::new, |known| known.as_str().to_owned())
                });
                Ok(self.silence(language, media, &made_by))
            }
            other => Err(self.failure(&other)),
        }
    }

    /// Stores this machine's speed, for later estimates.
    async fn record_pace(&self, machine: SpeedKey<'_>, pace: f64) -> slovo_db::Result<()> {
        let now = self.jobs.0.clock.now_ms();
        let mut transaction = self.jobs.0.db.write().await?;
        paces::record(&mut transaction, machine, pace, now).await?;
        transaction.commit().await
    }

    /// The transcript of a recording without a word: nobody speaks, or nothing was recognised.
    fn silence(&self, language: String, media: &Media, model: &str) -> Transcript {
        let told = self
            .trace
            .warnings
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let removed = self.trace.removed.lock();
        let removed = removed.unwrap_or_else(PoisonError::into_inner).clone();
        // A truncated recording may be the reason for the silence.
        let mut warnings = told.clone();
        let has_voice = removed
            .iter()
            .any(|passage| passage.reason == RemovedReason::Unrecognised);
        warnings.push(Warning::new(if has_voice {
            "speech_unrecognised"
        } else {
            "no_speech"
        }));
        let decoded = *self
            .trace
            .duration
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        Transcript {
            language,
            duration: if decoded > 0.0 {
                decoded
            } else {
                media.duration.unwrap_or_default()
            },
            mode: self.job.plan.mode,
            model: model.to_owned(),
            segments: Vec::new(),
            warnings,
            removed,
        }
    }

    fn failure(&self, error: &EngineError) -> Failure {
        let stored = self
            .trace
            .storing
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        match stored {
            Some(error) => error.into(),
            None => Failure::of(error, self.jobs.0.shutdown.is_cancelled()),
        }
    }

    /// Assembles the transcript of a stored recognition.
    async fn assemble(&self, done: RecognitionOutput) -> Result<Transcript, Failure> {
        let mut connection = self.jobs.0.db.read().await?;
        let segments =
            transcripts::segments(&mut connection, self.job.id, self.job.version, 0).await?;
        Ok(Transcript {
            language: done.language,
            duration: done.duration,
            mode: done.mode,
            model: done.model,
            segments,
            warnings: done.warnings,
            removed: done.removed,
        })
    }

    async fn finish(&self, transcript: &Transcript) -> Result<(), Failure> {
        let now = self.jobs.0.clock.now_ms();
        self.jobs.0.live.progress(
            self.job.id,
            Progress {
                stage: Stage::Finishing,
                percent: 100.0,
                seconds_left: None,
            },
        );
        let files = self.make_files(transcript).await?;
        let mut transaction = self.jobs.0.db.write().await?;
        let (lease, version) = (&self.lease, self.job.version);
        let changes = self.job.plan.changes_segments();
        let held = (!self.job.plan.changes_words()
            || recognised::replace_segments(
                &mut transaction,
                lease,
                version,
                &transcript.segments,
            )
            .await?)
            && lifecycle::complete_job(&mut transaction, lease, version, transcript, changes, now)
                .await?;
        if held {
            if let Some(files) = files {
                let (id, version) = (self.job.id, self.job.version);
                jobs::files::replace(&mut transaction, id, version, &files, now).await?;
            }
            ledger::close(&mut transaction, self.job.id, now).await?;
            let analyses = &self.jobs.0.analyses;
            analyses
                .queue(&mut transaction, &self.job, transcript)
                .await?;
        }
        self.commit(transaction, held).await?;
        self.jobs.0.analyses.wake();
        self.jobs.wake_voices();
        Ok(())
    }

    pub(super) async fn begin(&self, stage: Stage, digest: &str) -> Result<(), Failure> {
        let (db, now) = (&self.jobs.0.db, self.jobs.0.clock.now_ms());
        let mut transaction = db.write().await?;
        let held = stages::begin(
            &mut transaction,
            &self.lease,
            self.job.version,
            stage,
            digest,
            now,
        )
        .await?;
        self.commit(transaction, held).await
    }

    pub(super) async fn commit(
        &self,
        transaction: slovo_db::WriteTransaction,
        held: bool,
    ) -> Result<(), Failure> {
        if !held {
            return Err(Failure::Lost);
        }
        transaction.commit().await?;
        self.jobs.0.live.stored(self.job.id);
        Ok(())
    }
}
