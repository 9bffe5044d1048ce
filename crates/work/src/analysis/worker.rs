//! The worker: claims parts while there is capacity, renews their leases, and takes over the work
//! of dead processes.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use slovo_analysis::AnalysisError;
use slovo_db::core::lease;
use slovo_db::lifecycle;
use slovo_db::texts::analyses::{self, Analysis, AnalysisLease, PartProgress, ResultOrigin};
use slovo_rules::analysis::{EngineName, Outcome};
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::{MissedTickBehavior, interval};
use uuid::Uuid;

use super::engines::Reason;
use super::{Analyses, CancelFlag, text};
use crate::processes::{Process, WORKER_LOST};

/// How often progress is stored and the lease checked.
const POLL_INTERVAL: Duration = Duration::from_millis(500);
/// How often an idle worker polls the queue for parts queued by other processes.
const POLL: Duration = Duration::from_secs(1);
/// Parts one process runs at once. The endpoint only waits for the network, but the embedded model
/// uses cores that recognition needs too.
pub const PLACES: usize = 2;
/// Claims after which a part is given up.
const MAX_ATTEMPTS: i64 = 3;
/// Delay before the second attempt, in milliseconds; the third waits three times as long.
const BACKOFF_MS: i64 = 10_000;
/// Longest retry delay that an endpoint may ask for, in milliseconds.
const LONGEST_WAIT_MS: i64 = 60 * 60 * 1000;

/// Error code of a part whose engine failed internally.
const ENGINE_BROKEN: &str = "analysis_failed";

/// How a run ended.
enum RunOutcome {
    Done(Box<Outcome>),
    Failed(AnalysisError),
    /// No engine supports this part any more, or not in this language.
    Held(Reason),
    /// The engine panicked, or the text could not be read.
    Broken,
}

/// The result of a run.
struct RunResult {
    engine: Option<EngineName>,
    seq: Option<u32>,
    /// The digest of the text.
    print: Option<String>,
    ending: RunOutcome,
}

impl Analyses {
    /// Starts the worker under this process's name.
    pub fn start(&self, process: Arc<Process>) {
        let worker = self.clone();
        self.0
            .tasks
            .spawn(async move { worker.work(process).await });
    }

    /// Ends the leases of a process known to be dead.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn release_leases(&self, dead: &str) -> slovo_db::Result<()> {
        let now = self.0.clock.now_ms();
        let mut transaction = self.0.db.write().await?;
        let parts = analyses::expire_leases(&mut transaction, dead, now).await?;
        transaction.commit().await?;
        if parts > 0 {
            self.wake();
        }
        Ok(())
    }

    async fn work(&self, process: Arc<Process>) {
        loop {
            let permit = tokio::select! {
                permit = Arc::clone(&self.0.room).acquire_owned() => permit,
                () = self.0.shutdown.cancelled() => return,
            };
            let Ok(permit) = permit else { return };
            match self.claim(&process, None).await {
                Ok(Some((lease, analysis))) => {
                    let (worker, process) = (self.clone(), Arc::clone(&process));
                    // The process counts as alive until its last run has ended.
                    self.0.tasks.spawn(async move {
                        worker.run(lease, analysis, permit).await;
                        drop(process);
                    });
                    continue;
                }
                Ok(None) => {}
                Err(error) => tracing::error!(%error, "no analysis could be claimed"),
            }
            tokio::select! {
                () = self.0.waiting.notified() => {}
                () = tokio::time::sleep(POLL) => {}
                () = self.0.shutdown.cancelled() => return,
            }
        }
    }

    /// Claims and runs one analysis of this job; `false` if there is none that may run.
    ///
    /// # Errors
    /// When the database fails.
    pub(crate) async fn run_one_of(
        &self,
        process: &Arc<Process>,
        job: Uuid,
    ) -> slovo_db::Result<bool> {
        let permit = tokio::select! {
            permit = Arc::clone(&self.0.room).acquire_owned() => permit,
            () = self.0.shutdown.cancelled() => return Ok(false),
        };
        let Ok(permit) = permit else { return Ok(false) };
        let Some((lease, analysis)) = self.claim(process, Some(job)).await? else {
            return Ok(false);
        };
        // The process counts as alive until its last run has ended.
        let process = Arc::clone(process);
        self.run(lease, analysis, permit).await;
        drop(process);
        Ok(true)
    }

    /// Claims the next analysis, of this job if one is named.
    async fn claim(
        &self,
        process: &Process,
        job: Option<Uuid>,
    ) -> slovo_db::Result<Option<(AnalysisLease, Analysis)>> {
        let now = self.0.clock.now_ms();
        // A read needs no write lock, and the queue is mostly empty.
        if !analyses::any_waiting(&mut *self.0.db.read().await?, now).await? {
            return Ok(None);
        }
        let mut transaction = self.0.db.write().await?;
        let lost =
            lifecycle::give_up_analyses(&mut transaction, MAX_ATTEMPTS, WORKER_LOST, now).await?;
        let claim = lease::Claim {
            lease_id: self.0.random.uuid(),
            owner: process.name(),
            now,
            until: lease::expires_at(now),
        };
        let claimed =
            match analyses::claim(&mut transaction, self.0.db.backend(), job, &claim).await {
                // Another process has just taken another part of the same job.
                Err(error) if error.constraint().is_some() => return Ok(None),
                claimed => claimed?,
            };
        transaction.commit().await?;
        for job in lost {
            tracing::error!(%job, "an analysis is given up: its workers died");
            self.0.live.stored(job);
        }
        Ok(claimed)
    }

    /// Runs a claimed part to its end.
    async fn run(&self, lease: AnalysisLease, analysis: Analysis, permit: OwnedSemaphorePermit) {
        let (id, job, part) = (analysis.id, analysis.job, analysis.part);
        let attempts = analysis.attempts;
        tracing::info!(analysis = %id, %job, %part, attempts, "begun");
        self.0.live.stored(job);
        let stop = CancelFlag::default();
        let percent = Arc::new(AtomicU64::new(0));
        let ran = tokio::select! {
            ran = self.make(analysis, stop.clone(), Arc::clone(&percent)) => ran,
            // Returns only by stopping the run, which then ends by itself.
            () = self.maintain_lease(&lease, job, &stop, &percent) => {
                unreachable!("it never ends")
            }
        };
        match self.store(&lease, job, attempts, ran).await {
            Ok(true) => {}
            Ok(false) => tracing::info!(analysis = %id, "stopped: it was removed or reclaimed"),
            // The lease expires and the part is claimed again.
            Err(error) => tracing::error!(analysis = %id, %error, "could not be stored"),
        }
        self.0.live.stored(job);
        drop(permit);
        self.wake();
    }

    /// Runs the part on its own thread.
    async fn make(
        &self,
        analysis: Analysis,
        stop: CancelFlag,
        percent: Arc<AtomicU64>,
    ) -> RunResult {
        let broken = |ending| RunResult {
            engine: None,
            seq: None,
            print: None,
            ending,
        };
        let version = i64::from(analysis.version);
        let opened = match self.0.db.read().await {
            Ok(mut connection) => text::open(&mut connection, analysis.job, Some(version)).await,
            Err(error) => Err(error),
        };
        let opened = match opened {
            Ok(Some(opened)) => opened,
            Ok(None) => return broken(RunOutcome::Failed(AnalysisError::EmptyText)),
            Err(error) => {
                tracing::error!(analysis = %analysis.id, %error, "the text could not be read");
                return broken(RunOutcome::Broken);
            }
        };
        let seq = Some(opened.transcript.seq);
        let print = Some(text::print(&opened.text));
        let engines = self.engines();
        let engine = engines.of_part(analysis.part, &opened.text.language);
        let (part, target) = (analysis.part, analysis.target);
        let task = text::task(part, target, &analysis.params, &opened.transcript);
        let unmade = |ending| RunResult {
            engine: None,
            seq,
            print: print.clone(),
            ending,
        };
        let engine = match engine.cloned() {
            Ok(engine) => engine,
            Err(reason) => return unmade(RunOutcome::Held(reason)),
        };
        let Some(task) = task else {
            return unmade(RunOutcome::Failed(AnalysisError::Unsupported));
        };
        let name = Some(engine.name());
        let is_empty = |text: &str| text.trim().is_empty();
        if opened
            .text
            .passages
            .iter()
            .all(|passage| is_empty(&passage.text))
        {
            return RunResult {
                engine: name,
                seq,
                print,
                ending: RunOutcome::Failed(AnalysisError::EmptyText),
            };
        }
        let text = opened.text;
        let work = tokio::task::spawn_blocking(move || {
            let mut report = |done: f64| {
                // 100 % is reached only when the result is stored.
                let done = done.clamp(0.0, 0.99) * 100.0;
                percent.store(done.to_bits(), Ordering::Relaxed);
            };
            engine.run(&text, &task, &stop, &mut report)
        });
        let ending = match work.await {
            Ok(Ok(outcome)) if outcome.part() == analysis.part => {
                RunOutcome::Done(Box::new(outcome))
            }
            Ok(Ok(_)) => RunOutcome::Failed(AnalysisError::BadAnswer("another part")),
            Ok(Err(error)) => RunOutcome::Failed(error),
            Err(_) => RunOutcome::Broken,
        };
        RunResult {
            engine: name,
            seq,
            print,
            ending,
        }
    }

    /// Stores the result, or the time of the next attempt; `false` if the lease is lost.
    async fn store(
        &self,
        lease: &AnalysisLease,
        job: Uuid,
        attempts: i64,
        ran: RunResult,
    ) -> slovo_db::Result<bool> {
        let now = self.0.clock.now_ms();
        let result = ResultOrigin {
            engine: ran.engine.as_ref(),
            seq: ran.seq,
            print: ran.print.as_deref(),
        };
        let mut transaction = self.0.db.write().await?;
        let connection = &mut *transaction;
        let still_leased = match ran.ending {
            RunOutcome::Done(outcome) => {
                lifecycle::complete_analysis(connection, job, lease, &result, &outcome, now).await?
            }
            RunOutcome::Failed(AnalysisError::Stopped) => {
                analyses::retry_later(connection, lease, now, true).await?
            }
            RunOutcome::Held(reason) => {
                tracing::info!(analysis = %lease.analysis, ?reason, "held");
                analyses::hold(connection, lease, reason.as_str()).await?
            }
            RunOutcome::Failed(error) => {
                tracing::warn!(analysis = %lease.analysis, %error, attempts, "an analysis failed");
                match wait_ms(&error, attempts) {
                    Some(wait) => {
                        analyses::retry_later(connection, lease, now + wait, false).await?
                    }
                    None => {
                        lifecycle::fail_analysis(connection, job, lease, &result, error.code(), now)
                            .await?
                    }
                }
            }
            RunOutcome::Broken if attempts < MAX_ATTEMPTS => {
                analyses::retry_later(connection, lease, now + backoff_ms(attempts), false).await?
            }
            RunOutcome::Broken => {
                lifecycle::fail_analysis(connection, job, lease, &result, ENGINE_BROKEN, now)
                    .await?
            }
        };
        transaction.commit().await?;
        Ok(still_leased)
    }

    /// Renews the lease, stores the progress, and stops the run when the lease is lost or the
    /// server stops.
    async fn maintain_lease(
        &self,
        lease: &AnalysisLease,
        job: Uuid,
        stop: &CancelFlag,
        percent: &AtomicU64,
    ) -> ! {
        let mut ticker = interval(POLL_INTERVAL);
        ticker.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let started = self.0.clock.monotonic_ms();
        let (mut renewed, mut pace) = (started, RunSpeed::new(started));
        loop {
            tokio::select! {
                _ = ticker.tick() => {}
                () = self.0.shutdown.cancelled() => {
                    stop.0.cancel();
                    std::future::pending::<()>().await;
                }
            }
            let now = self.0.clock.monotonic_ms();
            let expires_at = lease::expires_at(self.0.clock.now_ms());
            let should_publish =
                pace.should_publish(f64::from_bits(percent.load(Ordering::Relaxed)), now);
            let due = should_publish || lease::needs_renewal(renewed, now);
            let progress = due.then(|| pace.progress(now));
            match self.renew(lease, expires_at, progress).await {
                Ok(None) => {}
                Ok(Some(true)) => {
                    renewed = now;
                    self.0.live.stored(job);
                }
                Ok(Some(false)) => stop.0.cancel(),
                // The lease survives several failures; storing the result will show whether it is
                // lost.
                Err(error) => tracing::error!(analysis = %lease.analysis, %error, "not renewed"),
            }
        }
    }

    /// Whether the lease is still held; `None` if it was only checked.
    async fn renew(
        &self,
        lease: &AnalysisLease,
        expires_at: i64,
        progress: Option<PartProgress>,
    ) -> slovo_db::Result<Option<bool>> {
        let Some(progress) = progress else {
            let still_leased =
                analyses::is_lease_valid(&mut *self.0.db.read().await?, lease).await?;
            return Ok((!still_leased).then_some(false));
        };
        let mut transaction = self.0.db.write().await?;
        let still_leased =
            analyses::store_progress(&mut transaction, lease, expires_at, progress).await?;
        transaction.commit().await?;
        Ok(Some(still_leased))
    }
}

/// Speed of a run and the estimate of its end. Progress comes in steps; between two of them the
/// elapsed time is subtracted from the last estimate.
#[derive(Debug, Clone, Copy)]
struct RunSpeed {
    /// Unix milliseconds.
    started_at: i64,
    /// Time of the last progress.
    at: i64,
    percent: f64,
}

impl RunSpeed {
    const fn new(started: i64) -> Self {
        Self {
            started_at: started,
            at: started,
            percent: 0.0,
        }
    }

    /// Records the progress; returns whether it is worth publishing.
    fn should_publish(&mut self, percent: f64, now: i64) -> bool {
        let should_publish = percent >= self.percent + 1.0;
        if should_publish {
            (self.at, self.percent) = (now, percent);
        }
        should_publish
    }

    #[expect(clippy::cast_precision_loss, reason = "runs do not take centuries")]
    fn progress(&self, now: i64) -> PartProgress {
        let seconds = |from: i64, to: i64| (to - from).max(0) as f64 / 1000.0;
        let left = seconds(self.started_at, self.at) * (100.0 - self.percent) / self.percent;
        PartProgress {
            percent: self.percent,
            seconds_left: (self.percent >= 1.0).then(|| (left - seconds(self.at, now)).max(0.0)),
        }
    }
}

/// Delay before the next attempt; `None` if there is none.
fn wait_ms(error: &AnalysisError, attempts: i64) -> Option<i64> {
    if !error.is_transient() || attempts >= MAX_ATTEMPTS {
        return None;
    }
    let requested = match error {
        AnalysisError::Busy { retry_after } => retry_after.map(|wait| wait.as_millis()),
        _ => None,
    };
    let requested = requested.map_or(0, |wait| i64::try_from(wait).unwrap_or(i64::MAX));
    Some(requested.min(LONGEST_WAIT_MS).max(backoff_ms(attempts)))
}

fn backoff_ms(attempts: i64) -> i64 {
    if attempts <= 1 {
        BACKOFF_MS
    } else {
        3 * BACKOFF_MS
    }
}

#[cfg(test)]
mod tests;
