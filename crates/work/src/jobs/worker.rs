//! The worker: claims jobs while there is capacity, renews their leases, and takes over the work of
//! dead processes.

use std::{sync::Arc, time::Duration};

use slovo_db::core::{lease, waits};
use slovo_db::jobs::Job;
use slovo_db::jobs::queue::{self, Lease, Line, Progress};
use slovo_db::lifecycle;
use slovo_db::plans::ledger;
use slovo_db::texts::stretches::{self, Stretch, StretchLease};
use slovo_platform::metrics;
use slovo_rules::job::Stage;
use slovo_rules::media::Fault;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{MissedTickBehavior, interval};
use uuid::Uuid;

use super::{
    Jobs,
    recognition::Trace,
    run::{Run, RunOutcome},
    steps::{DOWNLOADS, StepWorker},
};
use crate::processes::{Process, WORKER_LOST};
use crate::queues::{Queue, Queues};
use slovo_platform::clock::ClockWatch;

/// How often a run checks whether it has lost its job, for example because another process
/// cancelled it. In this process, and with PostgreSQL, it is notified at once.
const POLL_INTERVAL: Duration = Duration::from_secs(1);
/// How often an idle worker polls the queue for jobs queued by other processes. Jobs queued by this
/// process are claimed at once.
const POLL: Duration = Duration::from_secs(1);
/// How often returning a job is retried while the database is full.
const FULL_RETRY_INTERVAL: Duration = Duration::from_secs(2);
/// How often to check for dead processes.
const DEAD_PROCESS_INTERVAL: Duration = Duration::from_secs(10);

/// Who decides when a job is worked on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Driver {
    /// The workers take jobs, analyses and messages from the tables by themselves.
    Tables,
    /// Somebody outside, by the steps of [`StepWorker`].
    Outside,
}

/// What the worker of a line runs next.
enum Claimed {
    Job(Box<(Lease, Job)>),
    Stretch(Box<(StretchLease, Stretch)>),
}

impl Jobs {
    /// Takes over the work of dead workers, and starts working on these queues (downloads,
    /// recognition and analyses). If jobs are driven from outside, only stretches and voices are
    /// taken from the tables; the rest is done by the returned worker.
    ///
    /// # Errors
    /// When the data folder or the database cannot be used.
    pub async fn start(
        &self,
        data: &std::path::Path,
        queues: &Queues,
        driver: Driver,
    ) -> anyhow::Result<StepWorker> {
        let process = Arc::new(Process::join(data, &self.0.random.uuid())?);
        self.release_dead_processes(&process).await?;
        let mut transaction = self.0.db.write().await?;
        let bounded = waits::limit_waits(&mut transaction, self.0.clock.now_ms()).await?;
        transaction.commit().await?;
        if bounded > 0 {
            tracing::warn!(
                rows = bounded,
                "the clock was set back; waiting times were limited"
            );
        }
        let rounds = (self.clone(), Arc::clone(&process));
        self.0
            .tasks
            .spawn(async move { rounds.0.run_maintenance(&rounds.1).await });
        let beats = (self.clone(), Arc::clone(&process));
        self.0
            .tasks
            .spawn(async move { beats.0.send_heartbeats(beats.1).await });
        if queues.contains(Queue::Analysis) {
            let voices = self.clone();
            self.0
                .tasks
                .spawn(async move { voices.work_on_voices().await });
            if driver == Driver::Tables {
                self.0.analyses.start(Arc::clone(&process));
            }
        }
        let downloads = Arc::new(Semaphore::new(DOWNLOADS));
        let recognitions = Arc::new(Semaphore::new(self.recognition_places()));
        for (queue, line, room) in [
            (Queue::Download, Line::Download, &downloads),
            (Queue::Recognition, Line::Recognition, &recognitions),
        ] {
            // There are no stretches of recordings that are not downloaded.
            if !queues.contains(queue) || (driver, line) == (Driver::Outside, Line::Download) {
                continue;
            }
            let (worker, process, room) = (self.clone(), Arc::clone(&process), Arc::clone(room));
            let work = async move { worker.work(process, line, room, driver).await };
            self.0.tasks.spawn(work);
        }
        let jobs = self.clone();
        Ok(StepWorker::new(jobs, process, recognitions, downloads))
    }

    /// Ends the leases of dead processes.
    async fn release_dead_processes(&self, process: &Process) -> anyhow::Result<()> {
        for name in process.dead()? {
            let now = self.0.clock.now_ms();
            let mut transaction = self.0.db.write().await?;
            let jobs = queue::expire_leases(&mut transaction, &name, now).await?;
            let stretches = stretches::expire_leases(&mut transaction, &name, now).await?;
            transaction.commit().await?;
            self.0.analyses.release_leases(&name).await?;
            process.remove_dead(&name)?;
            if jobs + stretches > 0 {
                tracing::warn!(jobs, stretches, "taking over the work of a dead worker");
                self.wake();
            }
        }
        Ok(())
    }

    /// Settles the minutes of ended jobs that are not settled, for example because of an unreadable
    /// row.
    async fn close_ended(&self) -> slovo_db::Result<()> {
        let mut transaction = self.0.db.write().await?;
        let closed = ledger::close_ended(&mut transaction, self.0.clock.now_ms()).await?;
        transaction.commit().await?;
        if closed > 0 {
            tracing::warn!(jobs = closed, "settled the minutes of jobs that had ended");
        }
        Ok(())
    }

    /// Adjusts the times of waiting jobs after the clock was set back.
    async fn follow_clock(&self, shift: i64) -> slovo_db::Result<()> {
        let mut transaction = self.0.db.write().await?;
        let rows = waits::shift(&mut transaction, self.0.clock.now_ms(), shift).await?;
        transaction.commit().await?;
        tracing::warn!(
            milliseconds = shift,
            rows,
            "the clock was set back; waiting times were adjusted"
        );
        self.wake();
        Ok(())
    }

    async fn run_maintenance(&self, process: &Process) {
        let mut clock = ClockWatch::new(&*self.0.clock);
        loop {
            tokio::select! {
                () = tokio::time::sleep(DEAD_PROCESS_INTERVAL) => {}
                () = self.0.shutdown.cancelled() => return,
            }
            if let Some(shift) = clock.set_back_by(&*self.0.clock)
                && let Err(error) = self.follow_clock(shift).await
            {
                tracing::error!(%error, "waiting times could not be adjusted to the clock");
            }
            if let Err(error) = self.release_dead_processes(process).await {
                tracing::error!(%error, "the check for dead workers failed");
            }
            if let Err(error) = self.close_ended().await {
                tracing::error!(%error, "minutes of ended jobs could not be settled");
            }
        }
    }

    /// Claims and runs the jobs of one line, as many at once as there is room for, until the server
    /// stops.
    async fn work(&self, process: Arc<Process>, line: Line, room: Arc<Semaphore>, driver: Driver) {
        let mut stretch_first = true;
        loop {
            let permit = tokio::select! {
                permit = Arc::clone(&room).acquire_owned() => permit,
                () = self.0.shutdown.cancelled() => return,
            };
            let Ok(permit) = permit else { return };
            let claimed = match driver {
                Driver::Tables => self.claim_next(&process, line, stretch_first).await,
                Driver::Outside => self.claim_next_stretch(&process).await,
            };
            match claimed {
                Ok(Some(claimed)) => {
                    // Stretches are short and a user waits for them, but jobs get every other free
                    // place.
                    stretch_first = matches!(claimed, Claimed::Job(_));
                    let (jobs, process) = (self.clone(), Arc::clone(&process));
                    // The process counts as alive until its last run has ended.
                    self.0.tasks.spawn(async move {
                        match claimed {
                            Claimed::Job(claimed) => {
                                let (lease, job) = *claimed;
                                jobs.run(lease, job, permit).await;
                            }
                            Claimed::Stretch(claimed) => {
                                jobs.run_stretch(&claimed.0, &claimed.1, permit).await;
                            }
                        }
                        drop(process);
                    });
                    continue;
                }
                Ok(None) => {}
                Err(error) => {
                    // A failing queue does not stop the other one.
                    stretch_first = !stretch_first;
                    self.0.condition.note(&error);
                    tracing::error!(%error, "no job could be claimed");
                }
            }
            tokio::select! {
                () = self.waker(line).notified() => {}
                () = tokio::time::sleep(POLL) => {}
                () = self.0.shutdown.cancelled() => return,
            }
        }
    }

    async fn claim_next_stretch(&self, process: &Process) -> slovo_db::Result<Option<Claimed>> {
        let claimed = self.claim_stretch(process).await?;
        Ok(claimed.map(|claimed| Claimed::Stretch(Box::new(claimed))))
    }

    /// The next job of the line or, in the line of recognition, the next stretch. Of the two, the
    /// one that is not first is claimed if there is none of the other.
    async fn claim_next(
        &self,
        process: &Process,
        line: Line,
        stretch_first: bool,
    ) -> slovo_db::Result<Option<Claimed>> {
        let stretches = line == Line::Recognition;
        if stretches
            && stretch_first
            && let Some(claimed) = self.claim_next_stretch(process).await?
        {
            return Ok(Some(claimed));
        }
        if let Some(claimed) = self.claim(process, line).await? {
            return Ok(Some(Claimed::Job(Box::new(claimed))));
        }
        if !stretches || stretch_first {
            return Ok(None);
        }
        self.claim_next_stretch(process).await
    }

    async fn claim(&self, process: &Process, line: Line) -> slovo_db::Result<Option<(Lease, Job)>> {
        // The output of a new job could not be stored. Readers of waiting jobs are told the reason.
        if !self.0.condition.may_begin(line) {
            return Ok(None);
        }
        let now = self.0.clock.now_ms();
        // A read needs no write lock, and the queue is mostly empty.
        if !queue::any_waiting(&mut *self.0.db.read().await?, line, now).await? {
            return Ok(None);
        }
        let mut transaction = self.0.db.write().await?;
        let abandoned = self.give_up(&mut transaction, now).await?;
        let claim = lease::Claim {
            lease_id: self.0.random.uuid(),
            owner: process.name(),
            now,
            until: lease::expires_at(now),
        };
        let claimed = queue::claim(&mut transaction, self.0.db.backend(), line, &claim).await?;
        transaction.commit().await?;
        self.tell_given_up(&abandoned);
        Ok(claimed)
    }

    /// Call it after the commit.
    pub(super) fn tell_given_up(&self, jobs: &[Uuid]) {
        for id in jobs {
            tracing::error!(job = %id, "given up: its workers died");
            self.0.live.stored(*id);
        }
    }

    /// Gives up jobs whose workers died too often, and returns them.
    pub(super) async fn give_up(
        &self,
        connection: &mut slovo_db::Connection,
        now: i64,
    ) -> slovo_db::Result<Vec<Uuid>> {
        let lost = Fault::new(WORKER_LOST);
        let abandoned = lifecycle::give_up_jobs(&mut *connection, &lost, now).await?;
        for id in &abandoned {
            ledger::close(&mut *connection, *id, now).await?;
        }
        Ok(abandoned)
    }

    /// Runs a claimed job to its end.
    pub(super) async fn run(&self, lease: Lease, job: Job, permit: OwnedSemaphorePermit) {
        let id = job.id;
        tracing::info!(job = %id, version = job.version, attempt = job.attempts, "begun");
        let guard = self.0.live.run(id);
        let trace = Arc::new(Trace::default());
        self.0.live.stored(id);
        let run = Run {
            jobs: self.clone(),
            lease: lease.clone(),
            job,
            running: guard.running.clone(),
            trace: Arc::clone(&trace),
        };
        let ending = tokio::select! {
            ending = run.stages() => ending,
            // Returns only by stopping the run, which then ends by itself.
            () = self.maintain_lease(&lease, &run) => unreachable!("it never ends"),
        };
        metrics::job_run(match &ending {
            RunOutcome::Completed => "completed",
            RunOutcome::Downloaded => "downloaded",
            RunOutcome::Lost => "lost",
            RunOutcome::Released(queue::Release::Requeue { .. }) => "requeued",
            RunOutcome::Released(_) => "failed",
        });
        match &ending {
            RunOutcome::Completed => tracing::info!(job = %id, "completed"),
            RunOutcome::Downloaded => tracing::info!(job = %id, "recording downloaded"),
            RunOutcome::Lost => {
                tracing::info!(job = %id, "stopped: it was cancelled, removed or reclaimed");
            }
            RunOutcome::Released(release) => {
                tracing::info!(job = %id, ?release, "returned to the queue");
                self.requeue(&lease, release).await;
            }
        }
        drop(guard);
        drop(permit);
        self.wake();
    }

    /// Returns a job to the queue, as soon as the database has room to store that.
    async fn requeue(&self, lease: &Lease, release: &queue::Release) {
        loop {
            let Err(error) = self.release(lease, release).await else {
                return;
            };
            // Otherwise the lease expires and the job is claimed again.
            tracing::error!(job = %lease.job_id, %error, "could not be returned to the queue");
            self.0.condition.note(&error);
            if !matches!(error, slovo_db::Error::Full(_)) {
                return;
            }
            tokio::select! {
                () = tokio::time::sleep(FULL_RETRY_INTERVAL) => {}
                () = self.0.shutdown.cancelled() => return,
            }
        }
    }

    async fn release(&self, lease: &Lease, release: &queue::Release) -> slovo_db::Result<()> {
        let mut transaction = self.0.db.write().await?;
        let now = self.0.clock.now_ms();
        lifecycle::release_job(&mut transaction, lease, release, now).await?;
        ledger::close(&mut transaction, lease.job_id, now).await?;
        transaction.commit().await
    }

    /// Renews the lease, stores the progress periodically, and stops the run when the lease is lost
    /// or the server stops.
    async fn maintain_lease(&self, lease: &Lease, run: &Run) -> ! {
        let mut ticker = interval(POLL_INTERVAL);
        ticker.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut renewed = self.0.clock.monotonic_ms();
        loop {
            tokio::select! {
                _ = ticker.tick() => {}
                () = run.running.changed.notified() => {}
                () = self.0.shutdown.cancelled() => {
                    run.running.stop();
                    std::future::pending::<()>().await;
                }
            }
            let steady = self.0.clock.monotonic_ms();
            let still_leased = if lease::needs_renewal(renewed, steady) {
                renewed = steady;
                let now = self.0.clock.now_ms();
                self.renew(lease, &run.trace, now).await
            } else {
                self.is_lease_valid(lease).await
            };
            match still_leased {
                Ok(true) => {}
                Ok(false) => run.running.stop(),
                // The lease survives several failures; the run's own writes will show whether it is
                // lost.
                Err(error) => {
                    self.0.condition.note(&error);
                    tracing::error!(job = %lease.job_id, %error, "lease not renewed");
                }
            }
        }
    }

    async fn renew(&self, lease: &Lease, trace: &Trace, now: i64) -> slovo_db::Result<bool> {
        let progress = *trace
            .progress
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        let progress = progress.unwrap_or(Progress {
            stage: Stage::Transcribing,
            percent: 0.0,
            seconds_left: None,
        });
        let mut transaction = self.0.db.write().await?;
        let expires_at = lease::expires_at(now);
        let still_leased = queue::renew(&mut transaction, lease, expires_at, &progress).await?;
        transaction.commit().await?;
        Ok(still_leased)
    }

    async fn is_lease_valid(&self, lease: &Lease) -> slovo_db::Result<bool> {
        queue::is_lease_valid(&mut *self.0.db.read().await?, lease).await
    }
}
