//! The work of single jobs, one step after the other, for whoever decides from outside when it is
//! done. Without one, the workers take jobs from the queue by themselves (see `worker`). What is done
//! and what is stored is the same.

use std::sync::Arc;
use std::time::Duration;

use slovo_db::jobs::queue::{self, Line, Progress};
use slovo_db::jobs::workflows::{self, Waiting};
use slovo_db::plans::ledger;
use slovo_db::{core::lease, jobs};
use slovo_fetch::pages::MAX_FETCHED;
use slovo_rules::settings::TranscriptionType;
use tokio::sync::Semaphore;
use uuid::Uuid;

use super::Jobs;
use crate::processes::Process;

/// What a job needs next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Its recording is fetched.
    Download,
    /// Its recording is recognised: probe, recognition, speakers, files.
    Recognition(TranscriptionType),
    /// Its text is analysed.
    Analyses,
}

/// The answer to what a job needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Next {
    /// This, now.
    Step {
        /// What.
        step: Step,
        /// The job's owner.
        user_id: String,
        /// The priority of the owner's plan; higher ones come first.
        priority: i64,
    },
    /// To look again after this time at the latest.
    Wait(Duration),
    /// Nothing.
    Nothing,
}

/// Downloads at once. They may exceed the number of cores, because they wait for the network. One
/// user gets at most half of them (`queue::MAX_DOWNLOADS`).
pub(super) const DOWNLOADS: usize = MAX_FETCHED;
/// The longest time between two looks at a job that a worker has or that waits for its next attempt.
const LONGEST_WAIT: Duration = Duration::from_mins(5);

/// Works on steps in this process.
#[derive(Clone)]
pub struct StepWorker {
    jobs: Jobs,
    process: Arc<Process>,
    recognitions: Arc<Semaphore>,
    downloads: Arc<Semaphore>,
}

impl StepWorker {
    pub(super) fn new(
        jobs: Jobs,
        process: Arc<Process>,
        recognitions: Arc<Semaphore>,
        downloads: Arc<Semaphore>,
    ) -> Self {
        Self {
            jobs,
            process,
            recognitions,
            downloads,
        }
    }

    /// The jobs.
    #[must_use]
    pub fn jobs(&self) -> &Jobs {
        &self.jobs
    }

    /// How many steps of a line run in this process at once.
    #[must_use]
    pub fn places(&self, line: Line) -> usize {
        match line {
            Line::Download => DOWNLOADS,
            Line::Recognition => self.jobs.recognition_places(),
        }
    }

    /// What the job needs next.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn next(&self, job: Uuid) -> slovo_db::Result<Next> {
        let now = self.jobs.0.clock.now_ms();
        let waiting = workflows::waiting(&mut *self.jobs.0.db.read().await?, job).await?;
        Ok(waiting.map_or(Next::Nothing, |waiting| next(waiting, now)))
    }

    /// The time until somebody must be told of the job; zero if that is due. `None`: nobody.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn next_message(&self, job: Uuid) -> slovo_db::Result<Option<Duration>> {
        let now = self.jobs.0.clock.now_ms();
        let waiting = workflows::waiting(&mut *self.jobs.0.db.read().await?, job).await?;
        let at = waiting.and_then(|waiting| waiting.messages_at);
        Ok(at.map(|at| wait(at, now)))
    }

    /// Notes that the job's workflow will end, unless the job needs something; then `false`.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn end_workflow(&self, job: Uuid) -> slovo_db::Result<bool> {
        let mut transaction = self.jobs.0.db.write().await?;
        workflows::remove(&mut transaction, job).await?;
        let waiting = workflows::waiting(&mut transaction, job).await?;
        if waiting.is_some_and(|waiting| needs_something(&waiting)) {
            return Ok(false);
        }
        transaction.commit().await?;
        Ok(true)
    }

    /// Fetches the job's recording. `false` if that cannot be done now: another process does it, the
    /// job needs it no more, its owner has too many downloads, or the disk is full.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn download(&self, job: Uuid) -> slovo_db::Result<bool> {
        self.run(job, Line::Download, &self.downloads).await
    }

    /// Recognises the job's recording. `false` if that cannot be done now, as for
    /// [`StepWorker::download`].
    ///
    /// # Errors
    /// When the database fails.
    pub async fn recognise(&self, job: Uuid) -> slovo_db::Result<bool> {
        self.run(job, Line::Recognition, &self.recognitions).await
    }

    /// Runs one analysis of the job. `false` if there is none that may run.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn analyse(&self, job: Uuid) -> slovo_db::Result<bool> {
        self.jobs.0.analyses.run_one_of(&self.process, job).await
    }

    async fn run(&self, job: Uuid, line: Line, room: &Arc<Semaphore>) -> slovo_db::Result<bool> {
        let permit = tokio::select! {
            permit = Arc::clone(room).acquire_owned() => permit,
            () = self.jobs.0.shutdown.cancelled() => return Ok(false),
        };
        let (Ok(permit), true) = (permit, self.jobs.0.condition.may_begin(line)) else {
            return Ok(false);
        };
        let claimed = self.claim(job, line).await;
        let Some((lease, job)) = claimed.inspect_err(|error| self.jobs.0.condition.note(error))?
        else {
            return Ok(false);
        };
        // The process counts as alive until its last run has ended.
        let process = Arc::clone(&self.process);
        self.jobs.run(lease, job, permit).await;
        drop(process);
        Ok(true)
    }

    async fn claim(
        &self,
        job: Uuid,
        line: Line,
    ) -> slovo_db::Result<Option<(queue::Lease, jobs::Job)>> {
        let now = self.jobs.0.clock.now_ms();
        let claim = lease::Claim {
            lease_id: self.jobs.0.random.uuid(),
            owner: self.process.name(),
            now,
            until: lease::expires_at(now),
        };
        let mut transaction = self.jobs.0.db.write().await?;
        let abandoned = self.jobs.give_up(&mut transaction, now).await?;
        let backend = self.jobs.0.db.backend();
        let claimed = queue::claim_job(&mut transaction, backend, line, job, &claim).await?;
        transaction.commit().await?;
        self.jobs.tell_given_up(&abandoned);
        Ok(claimed)
    }

    /// Cancels the job for good, as its owner can.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn cancel(&self, job: Uuid) -> slovo_db::Result<()> {
        let now = self.jobs.0.clock.now_ms();
        let mut transaction = self.jobs.0.db.write().await?;
        let Some(found) = jobs::find_any(&mut transaction, job).await? else {
            return Ok(());
        };
        if jobs::cancel(&mut transaction, &found.user_id, job, now).await? {
            ledger::close(&mut transaction, job, now).await?;
        }
        workflows::remove(&mut transaction, job).await?;
        transaction.commit().await?;
        self.jobs.cancelled(job);
        Ok(())
    }

    /// The progress of a job that runs in this process.
    #[must_use]
    pub fn progress(&self, job: Uuid) -> Option<Progress> {
        self.jobs.0.live.current_progress(job)
    }
}

/// Whether there is anything to do, now or later.
fn needs_something(waiting: &Waiting) -> bool {
    waiting.run_at.is_some() || waiting.analyses_at.is_some() || waiting.messages_at.is_some()
}

fn wait(at: i64, now: i64) -> Duration {
    let wait = u64::try_from(at.saturating_sub(now)).unwrap_or_default();
    Duration::from_millis(wait).min(LONGEST_WAIT)
}

fn next(waiting: Waiting, now: i64) -> Next {
    let run = match waiting.awaits_download {
        true => Step::Download,
        false => Step::Recognition(waiting.mode),
    };
    let steps = [(run, waiting.run_at), (Step::Analyses, waiting.analyses_at)];
    let due = steps.iter().find(|(_, at)| at.is_some_and(|at| at <= now));
    if let Some((step, _)) = due {
        return Next::Step {
            step: *step,
            user_id: waiting.user_id,
            priority: waiting.priority,
        };
    }
    match steps.iter().filter_map(|(_, at)| *at).min() {
        Some(at) => Next::Wait(wait(at, now)),
        None => Next::Nothing,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn waiting(run: Option<i64>, analyses: Option<i64>) -> Waiting {
        Waiting {
            user_id: "u".to_owned(),
            priority: 2,
            awaits_download: false,
            mode: TranscriptionType::Lite,
            run_at: run,
            analyses_at: analyses,
            messages_at: None,
        }
    }

    #[test]
    fn what_is_due_is_done_and_what_comes_is_waited_for() {
        let step = |step| Next::Step {
            step,
            user_id: "u".to_owned(),
            priority: 2,
        };
        let recognition = step(Step::Recognition(TranscriptionType::Lite));
        assert_eq!(next(waiting(Some(5), Some(5)), 5), recognition);
        assert_eq!(next(waiting(Some(9), Some(5)), 5), step(Step::Analyses));
        let later = waiting(Some(9), Some(7));
        assert_eq!(next(later, 5), Next::Wait(Duration::from_millis(2)));
        let download = Waiting {
            awaits_download: true,
            ..waiting(Some(0), None)
        };
        assert_eq!(next(download, 5), step(Step::Download));
        let nothing = waiting(None, None);
        assert!(!needs_something(&nothing));
        assert_eq!(next(nothing, 5), Next::Nothing);
        let far = waiting(Some(i64::MAX), None);
        assert_eq!(next(far, 0), Next::Wait(LONGEST_WAIT));
        assert_eq!(wait(1, 2), Duration::ZERO);
    }
}
