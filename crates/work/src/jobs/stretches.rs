//! Recognises stretches of recordings again, in place. The worker of recognition claims them in
//! turns with jobs; the new words come into the text as an edit, in the transaction that ends the
//! claim. A stretch is short, so an interrupted one is recognised again from its beginning.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use slovo_db::core::lease;
use slovo_db::jobs::queue::Line;
use slovo_db::jobs::{self, Job};
use slovo_db::texts::stretches::{self, Stretch, StretchLease};
use slovo_engine::{CancelToken, EngineError, Event};
use slovo_rules::media::Fault;
use slovo_rules::transcript::Transcript;
use slovo_transcripts::edits::recognise_again::{self, RecognisedStretch};
use slovo_transcripts::edits::{Author, EditError};
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::{MissedTickBehavior, interval};
use uuid::Uuid;

use super::failure::{Failure, NO_ROOM_MS, backoff_ms};
use super::{Jobs, background};
use crate::processes::{Process, WORKER_LOST};

/// How often progress is stored and the lease checked.
const POLL_INTERVAL: Duration = Duration::from_millis(500);
/// Claims after which a stretch is given up.
const MAX_ATTEMPTS: i64 = 3;
/// Progress in percent that is worth storing.
const STEP: f64 = 5.0;

/// Error code: no word was recognised.
const NOTHING_RECOGNISED: &str = "nothing_recognised";
/// Error code: the segments were changed while the stretch was recognised.
const EDITED_MEANWHILE: &str = "edited_meanwhile";
/// Error code: there is no place for new segments between two others.
const TEXT_TOO_DEEP: &str = "text_too_deep";

impl Jobs {
    pub(super) async fn claim_stretch(
        &self,
        process: &Process,
    ) -> slovo_db::Result<Option<(StretchLease, Stretch)>> {
        if !self.0.condition.may_begin(Line::Recognition) {
            return Ok(None);
        }
        let now = self.0.clock.now_ms();
        // A read needs no write lock, and the queue is mostly empty.
        if !stretches::any_waiting(&mut *self.0.db.read().await?, now).await? {
            return Ok(None);
        }
        let mut transaction = self.0.db.write().await?;
        let lost = stretches::give_up(&mut transaction, MAX_ATTEMPTS, WORKER_LOST, now).await?;
        let claim = lease::Claim {
            lease_id: self.0.random.uuid(),
            owner: process.name(),
            now,
            until: lease::expires_at(now),
        };
        let claimed = stretches::claim(&mut transaction, self.0.db.backend(), &claim).await?;
        transaction.commit().await?;
        for job in lost {
            tracing::error!(%job, "a stretch is given up: its workers died");
            self.0.live.stored(job);
        }
        Ok(claimed)
    }

    /// Runs a claimed stretch to its end.
    pub(super) async fn run_stretch(
        &self,
        lease: &StretchLease,
        stretch: &Stretch,
        permit: OwnedSemaphorePermit,
    ) {
        let (id, job) = (stretch.id, stretch.job);
        tracing::info!(stretch = %id, %job, attempts = stretch.attempts, "begun");
        self.0.live.stored(job);
        let cancel = CancelToken::new();
        let percent = Arc::new(AtomicU64::new(0));
        let ended = tokio::select! {
            ended = self.recognise_stretch(lease, stretch, &cancel, &percent) => ended,
            // Returns only by stopping the run, which then ends by itself.
            () = self.maintain_stretch_lease(lease, job, &cancel, &percent) => {
                unreachable!("it never ends")
            }
        };
        match ended {
            Ok(()) => tracing::info!(stretch = %id, "the new words are in the text"),
            Err(failure) => self.end_stretch(lease, stretch, failure).await,
        }
        self.0.live.stored(job);
        drop(permit);
        self.wake();
    }

    async fn recognise_stretch(
        &self,
        lease: &StretchLease,
        stretch: &Stretch,
        cancel: &CancelToken,
        percent: &Arc<AtomicU64>,
    ) -> Result<(), Failure> {
        let job = jobs::find_any(&mut *self.0.db.read().await?, stretch.job).await?;
        let job = job.ok_or(Failure::Lost)?;
        // After a rerun, the settings and the audio track are no longer those of this text.
        if job.version != i64::from(stretch.version) {
            return Err(Failure::input(EDITED_MEANWHILE));
        }
        let opened = self.0.storage.open_local(job.media_id).await;
        let file = opened.map_err(|error| Failure::of_missing_recording(&error))?;
        let model = self.0.serving.now().model(stretch.mode).to_owned();
        let mut request = self.request(&job, &file, stretch.mode, &model, stretch.language);
        request.stretch = Some(slovo_engine::Stretch {
            start: stretch.start,
            end: stretch.end,
        });
        let (engine, cancel) = (self.0.engine.clone(), cancel.clone());
        let percent = Arc::clone(percent);
        let work = background::spawn("stretch", self.0.nice, move || {
            let recognised = engine.transcribe(&request, &cancel, &mut |event| {
                if let Event::Progress { percent: done, .. } = event {
                    percent.store(f64::from(done).to_bits(), Ordering::Relaxed);
                }
            });
            drop(file);
            recognised
        });
        let transcript = match work.await {
            Ok(Ok(transcript)) => transcript,
            Ok(Err(EngineError::NoSpeech)) => return Err(Failure::input(NOTHING_RECOGNISED)),
            Ok(Err(error)) => return Err(Failure::of(&error, self.0.shutdown.is_cancelled())),
            Err(_) => return Err(Failure::Transient(Fault::new("recognition_failed"))),
        };
        self.put_into_text(lease, stretch, &job, transcript).await
    }

    /// Replaces the words of the stretch, and ends the claim.
    async fn put_into_text(
        &self,
        lease: &StretchLease,
        stretch: &Stretch,
        job: &Job,
        transcript: Transcript,
    ) -> Result<(), Failure> {
        let written_in = if job.plan.translates_to_english {
            "en".to_owned()
        } else {
            transcript.language
        };
        let segments = job.plan.finish_segments(transcript.segments);
        if segments
            .iter()
            .all(|segment| segment.text.trim().is_empty())
        {
            return Err(Failure::input(NOTHING_RECOGNISED));
        }
        let now = self.0.clock.now_ms();
        let author = Author {
            job: stretch.job,
            version: i64::from(stretch.version),
            client: stretch.client,
            user_id: stretch.user_id.clone(),
            visitor: None,
            now,
        };
        let recognised = RecognisedStretch {
            stretch: (stretch.start, stretch.end),
            segments: &segments,
            seen: &stretch.segments,
            language: &written_in,
        };
        let mut transaction = self.0.db.write().await?;
        let saved =
            recognise_again::replace(&mut transaction, &author, stretch.id, &recognised).await;
        let saved = saved.map_err(|error| refused(stretch.id, error))?;
        let done = (saved.seq, written_in.as_str());
        if !stretches::complete(&mut transaction, lease, done, now).await? {
            return Err(Failure::Lost);
        }
        transaction.commit().await?;
        Ok(())
    }

    /// Stores why there are no new words, or the time of the next attempt.
    async fn end_stretch(&self, lease: &StretchLease, stretch: &Stretch, failure: Failure) {
        let id = stretch.id;
        let stored = match failure {
            Failure::Lost => {
                tracing::info!(stretch = %id, "stopped: it was removed or reclaimed");
                return;
            }
            Failure::Stopped => self.return_stretch(lease, 0, true).await,
            Failure::NoStorage => self.return_stretch(lease, NO_ROOM_MS, true).await,
            Failure::Transient(_) if stretch.attempts < MAX_ATTEMPTS => {
                let wait = backoff_ms(stretch.attempts);
                self.return_stretch(lease, wait, false).await
            }
            Failure::Input(fault) | Failure::Transient(fault) | Failure::External { fault, .. } => {
                tracing::info!(stretch = %id, code = fault.code, "recognition failed");
                self.fail_stretch(lease, &fault.code).await
            }
        };
        // The lease expires and the stretch is claimed again.
        if let Err(error) = stored {
            self.0.condition.note(&error);
            tracing::error!(stretch = %id, %error, "could not be stored");
        }
    }

    async fn return_stretch(
        &self,
        lease: &StretchLease,
        wait: i64,
        forgive: bool,
    ) -> slovo_db::Result<()> {
        let run_after = self.0.clock.now_ms() + wait;
        let mut transaction = self.0.db.write().await?;
        stretches::retry_later(&mut transaction, lease, run_after, forgive).await?;
        transaction.commit().await
    }

    async fn fail_stretch(&self, lease: &StretchLease, code: &str) -> slovo_db::Result<()> {
        let now = self.0.clock.now_ms();
        let mut transaction = self.0.db.write().await?;
        stretches::fail(&mut transaction, lease, code, now).await?;
        transaction.commit().await
    }

    /// Renews the lease, stores the progress, and stops the run when the lease is lost or the server
    /// stops.
    async fn maintain_stretch_lease(
        &self,
        lease: &StretchLease,
        job: Uuid,
        cancel: &CancelToken,
        percent: &AtomicU64,
    ) -> ! {
        let mut ticker = interval(POLL_INTERVAL);
        ticker.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let (mut renewed, mut stored) = (self.0.clock.monotonic_ms(), 0.0);
        loop {
            tokio::select! {
                _ = ticker.tick() => {}
                () = self.0.shutdown.cancelled() => {
                    cancel.cancel();
                    std::future::pending::<()>().await;
                }
            }
            let now = self.0.clock.monotonic_ms();
            // 100 % is reached only when the words are in the text.
            let done = f64::from_bits(percent.load(Ordering::Relaxed)).clamp(0.0, 99.0);
            let due = done >= stored + STEP || lease::needs_renewal(renewed, now);
            match self.renew_stretch(lease, due.then_some(done)).await {
                Ok(true) if due => {
                    (renewed, stored) = (now, done);
                    self.0.live.stored(job);
                }
                Ok(true) => {}
                Ok(false) => cancel.cancel(),
                // The lease survives several failures; storing the result will show whether it is
                // lost.
                Err(error) => {
                    self.0.condition.note(&error);
                    tracing::error!(stretch = %lease.stretch, %error, "lease not renewed");
                }
            }
        }
    }

    /// Whether the lease is still held; with progress it is renewed.
    async fn renew_stretch(
        &self,
        lease: &StretchLease,
        progress: Option<f64>,
    ) -> slovo_db::Result<bool> {
        let Some(percent) = progress else {
            return stretches::is_lease_valid(&mut *self.0.db.read().await?, lease).await;
        };
        let until = lease::expires_at(self.0.clock.now_ms());
        let mut transaction = self.0.db.write().await?;
        let held = stretches::store_progress(&mut transaction, lease, until, percent).await?;
        transaction.commit().await?;
        Ok(held)
    }
}

/// Why the text was not changed.
fn refused(stretch: Uuid, error: EditError) -> Failure {
    match error {
        EditError::Conflict(_) | EditError::NotReady => Failure::input(EDITED_MEANWHILE),
        EditError::TooDeep => Failure::input(TEXT_TOO_DEEP),
        EditError::Storage(error) => error.into(),
        EditError::Invalid(_) | EditError::NothingToUndo | EditError::NothingToRedo => {
            tracing::error!(%stretch, ?error, "the new words were rejected");
            Failure::input("internal")
        }
    }
}

#[cfg(test)]
mod tests {
    use slovo_rules::codes::{JOB_FAULTS, STRETCH_FAILURES};

    use super::*;
    use crate::jobs::failure::RECORDING_MISSING;

    #[test]
    fn own_codes_are_listed() {
        for code in [
            RECORDING_MISSING,
            NOTHING_RECOGNISED,
            EDITED_MEANWHILE,
            TEXT_TOO_DEEP,
        ] {
            assert!(STRETCH_FAILURES.contains(&code), "{code}");
        }
        assert!(JOB_FAULTS.contains(&WORKER_LOST));
    }

    #[test]
    fn a_text_that_changed_is_told_from_a_failure() {
        let code = |error| match refused(Uuid::nil(), error) {
            Failure::Input(fault) => fault.code,
            other => panic!("{other:?}"),
        };
        assert_eq!(code(EditError::Conflict(Vec::new())), EDITED_MEANWHILE);
        assert_eq!(code(EditError::TooDeep), TEXT_TOO_DEEP);
    }
}
