//! The events of one job for a client: first the state, then every change until the job ends.
//!
//! The events, and whether one may be skipped:
//!
//! | event | may be skipped | ends the stream |
//! |---|---|---|
//! | `state` {job, segments}: first, and again when the job has changed as a whole (recording downloaded, started over, speakers identified) | no | no |
//! | `progress` {stage, percent, `seconds_left`} | yes: the next one is newer | no |
//! | `language` {code, probability} | no | no |
//! | `segments` {segments}: the new ones, in order | no | no |
//! | `warning` {code, params} | no | no |
//! | `completed`, `failed`, `cancelled` {job} | no | yes, unless analyses are still running |
//! | `analysis` {id, part, target, status, percent}: one changed | yes: the next one is newer | the last one, after the job's end |
//!
//! A job with the status `error` ends with `failed`; the job's own status distinguishes the two.
//!
//! Everything but the progress is read from the database, from the reader's last position: a slow
//! reader has no queue that grows, it gets more at once. A run in this process wakes its readers;
//! for one in another process they poll once a second. PostgreSQL's notifications would not replace
//! the polling, because they are lost while a connection is down.

use std::time::Duration;

use slovo_db::jobs::queue::{Line, Progress};
use slovo_db::jobs::{self, Job};
use slovo_db::texts::analyses::{self, AnalysisState};
use slovo_db::texts::transcripts;
use slovo_db::{Connection, Database};
use slovo_rules::job::{JobStatus, Stage};
use slovo_rules::transcript::{Segment, Warning, fill_languages};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::Jobs;
use crate::condition::Condition;
use crate::live::Follower;

/// How often the database is polled for changes by other processes.
const POLL_INTERVAL: Duration = Duration::from_secs(1);
/// Minimum interval between two events of a reader: five a second look smooth and limit the load.
const PAUSE: Duration = Duration::from_millis(200);

/// One event. See the module.
#[derive(Debug, Clone, PartialEq)]
pub enum JobEvent {
    /// The complete current state.
    State {
        /// The job.
        job: Box<Job>,
        /// Its text so far.
        segments: Vec<Segment>,
    },
    /// The progress.
    Progress(Progress),
    /// Which language it is in.
    Language {
        /// Code as in the rules.
        code: String,
        /// 0 to 1.
        probability: f64,
    },
    /// New text.
    Segments(Vec<Segment>),
    /// A warning for the reader.
    Warning(Warning),
    /// The job has ended, successfully or not.
    Ended(Box<Job>),
    /// An analysis of the job's text has changed.
    Analysis(AnalysisState),
}

/// Follows one job for one reader.
pub struct Watch {
    db: Database,
    id: Uuid,
    /// Sees the job as this owner; `None` as an administrator.
    owner: Option<String>,
    follower: Follower,
    condition: Condition,
    shutdown: CancellationToken,
    delivered: DeliveredState,
}

/// What the reader has already received.
#[derive(Debug, Default)]
struct DeliveredState {
    version: i64,
    next_segment: u32,
    language: Option<String>,
    warnings: usize,
    awaits_download: bool,
    progress: Option<Progress>,
    revision: u64,
    ended: bool,
    analyses: Vec<AnalysisState>,
}

impl DeliveredState {
    /// The state after sending this.
    fn of(job: &Job, next_segment: u32, revision: u64) -> Self {
        Self {
            version: job.version,
            next_segment,
            language: job.language.clone(),
            warnings: job.warnings.len(),
            awaits_download: job.awaits_download,
            progress: None,
            revision,
            ended: false,
            analyses: Vec::new(),
        }
    }
}

impl Watch {
    /// Begins to follow a job, as its owner or as an administrator, who sees it even when it is
    /// hidden from its owner; `None` if there is no such job. The events are the state
    /// and, if the job has ended already, its end.
    pub async fn begin(
        db: Database,
        jobs: &Jobs,
        owner: Option<&str>,
        id: Uuid,
        shutdown: CancellationToken,
    ) -> slovo_db::Result<Option<(Self, Vec<JobEvent>)>> {
        // Subscribes before reading, so that no change is missed.
        let mut follower = jobs.live().follow(id);
        let revision = follower.receiver.borrow_and_update().revision;
        let mut connection = db.read().await?;
        let Some(job) = seen_job(&mut connection, owner, id).await? else {
            return Ok(None);
        };
        let (segments, next) = text_so_far(&mut connection, &job, 0).await?;
        let analyses = analyses::states(&mut connection, id).await?;
        drop(connection);
        let active = analyses.iter().filter(|one| one.status.is_active());
        let active: Vec<_> = active.cloned().map(JobEvent::Analysis).collect();
        let delivered = DeliveredState {
            progress: Some(stored_progress(&job)),
            ended: job.status.is_terminal(),
            analyses,
            ..DeliveredState::of(&job, next, revision)
        };
        let ended = delivered
            .ended
            .then(|| JobEvent::Ended(Box::new(job.clone())));
        let events = std::iter::once(JobEvent::State {
            job: Box::new(job),
            segments,
        })
        .chain(ended)
        .chain(active);
        let events = events.collect();
        let watch = Self {
            db,
            id,
            owner: owner.map(str::to_owned),
            follower,
            condition: jobs.condition().clone(),
            shutdown,
            delivered,
        };
        Ok(Some((watch, events)))
    }

    /// Whether there is disk space for the job's output.
    #[must_use]
    pub fn condition(&self) -> &Condition {
        &self.condition
    }

    /// Whether everything is sent: the job has ended, and no analysis is running.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.delivered.ended
            && !self
                .delivered
                .analyses
                .iter()
                .any(|one| one.status.is_active())
    }

    /// Waits for the next events; `None` if there will be none, because the job is deleted or the
    /// server stops. Cancel safe.
    pub async fn next(&mut self) -> slovo_db::Result<Option<Vec<JobEvent>>> {
        loop {
            let look = tokio::time::sleep(POLL_INTERVAL);
            let looked = tokio::select! {
                () = self.shutdown.cancelled() => return Ok(None),
                changed = self.follower.receiver.changed() => changed.is_err(),
                () = look => true,
            };
            tokio::time::sleep(PAUSE).await;
            let pulse = *self.follower.receiver.borrow_and_update();
            let mut events = Vec::new();
            if looked || pulse.revision != self.delivered.revision {
                self.delivered.revision = pulse.revision;
                let Some(job) =
                    seen_job(&mut *self.db.read().await?, self.owner.as_deref(), self.id).await?
                else {
                    return Ok(None);
                };
                self.compare(job, pulse.progress.is_some(), &mut events)
                    .await?;
            }
            if let Some(progress) = pulse.progress
                && !self.delivered.ended
            {
                self.progress(progress, &mut events);
            }
            if !events.is_empty() {
                return Ok(Some(events));
            }
        }
    }

    /// Collects the changes in the stored job.
    async fn compare(
        &mut self,
        job: Job,
        runs_here: bool,
        events: &mut Vec<JobEvent>,
    ) -> slovo_db::Result<()> {
        if (job.version, job.awaits_download)
            != (self.delivered.version, self.delivered.awaits_download)
        {
            // It ended and was restarted between two looks, or its recording was downloaded, which
            // sets name and size: send the complete state.
            let mut connection = self.db.read().await?;
            let (segments, next) = text_so_far(&mut connection, &job, 0).await?;
            self.delivered = DeliveredState {
                analyses: std::mem::take(&mut self.delivered.analyses),
                ..DeliveredState::of(&job, next, self.delivered.revision)
            };
            events.push(JobEvent::State {
                job: Box::new(job),
                segments,
            });
            return Ok(());
        }
        if job.language != self.delivered.language {
            self.delivered.language.clone_from(&job.language);
            if let Some(code) = job.language.clone() {
                let probability = job.language_probability.unwrap_or(1.0);
                events.push(JobEvent::Language { code, probability });
            }
        }
        let mut connection = self.db.read().await?;
        let from = self.delivered.next_segment;
        let (segments, next) = text_so_far(&mut connection, &job, from).await?;
        drop(connection);
        self.delivered.next_segment = next;
        if !segments.is_empty() {
            events.push(JobEvent::Segments(segments));
        }
        events.extend(
            job.warnings
                .iter()
                .skip(self.delivered.warnings)
                .cloned()
                .map(JobEvent::Warning),
        );
        self.delivered.warnings = job.warnings.len();
        if job.status.is_terminal() {
            if !std::mem::replace(&mut self.delivered.ended, true) {
                self.end(job, events).await?;
            }
        } else {
            // It was started over.
            self.delivered.ended = false;
            if !runs_here {
                self.progress(stored_progress(&job), events);
            }
        }
        self.analyses(events).await
    }

    /// Adds the end, with the segments if they have changed.
    async fn end(&self, job: Job, events: &mut Vec<JobEvent>) -> slovo_db::Result<()> {
        if job.plan.changes_segments() && job.status == JobStatus::Completed {
            let mut connection = self.db.read().await?;
            let (segments, _) = text_so_far(&mut connection, &job, 0).await?;
            events.push(JobEvent::State {
                job: Box::new(job.clone()),
                segments,
            });
        }
        events.push(JobEvent::Ended(Box::new(job)));
        Ok(())
    }

    /// Adds changes of the job's analyses.
    async fn analyses(&mut self, events: &mut Vec<JobEvent>) -> slovo_db::Result<()> {
        let states = analyses::states(&mut *self.db.read().await?, self.id).await?;
        let changed = states
            .iter()
            .filter(|one| !self.delivered.analyses.contains(one));
        events.extend(changed.cloned().map(JobEvent::Analysis));
        self.delivered.analyses = states;
        Ok(())
    }

    fn progress(&mut self, mut progress: Progress, events: &mut Vec<JobEvent>) {
        if self
            .condition
            .blocks_line(Line::of(self.delivered.awaits_download))
        {
            progress.stage = Stage::Storage;
        }
        if self.delivered.progress != Some(progress) {
            self.delivered.progress = Some(progress);
            events.push(JobEvent::Progress(progress));
        }
    }
}

/// The job as its owner or as administrators see it.
async fn seen_job(
    connection: &mut Connection,
    owner: Option<&str>,
    id: Uuid,
) -> slovo_db::Result<Option<Job>> {
    match owner {
        Some(owner) => jobs::find(connection, owner, id).await,
        None => jobs::find_any(connection, id).await,
    }
}

/// The recognised segments from number `from` on, with their languages, and the number after the
/// last one. Until a run completes, its stored segments hold the original words, so swear words are
/// handled here.
async fn text_so_far(
    connection: &mut Connection,
    job: &Job,
    from: u32,
) -> slovo_db::Result<(Vec<Segment>, u32)> {
    let segments = transcripts::segments(connection, job.id, job.version, from).await?;
    let next = segments.last().map_or(from, |last| last.index + 1);
    let mut segments = job.plan.finish_segments(segments);
    let languages = segments.iter_mut().map(|segment| &mut segment.language);
    fill_languages(languages, job.language.as_deref().unwrap_or_default());
    Ok((segments, next))
}

fn stored_progress(job: &Job) -> Progress {
    Progress {
        stage: if job.status == JobStatus::Pending {
            Stage::Queued
        } else {
            job.stage
        },
        percent: job.percent,
        seconds_left: job.seconds_left,
    }
}
