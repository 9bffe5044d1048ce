//! The activities of workflows: what they ask the job's row, and the steps.
//!
//! An activity that fails is tried again by Temporal, for as long as its workflow runs. What a step
//! has achieved, and whether it is tried again, is in the row: the workflow asks it afterwards.

use std::sync::Arc;
use std::time::Duration;

use anyhow::anyhow;
use serde::{Deserialize, Serialize};
use slovo_db::jobs::workflows::MessageScope;
use slovo_work::completion_mails::CompletionMails;
use slovo_work::jobs::steps::{Next, Step, StepWorker};
use slovo_work::queues::Queue;
use slovo_work::webhooks::Webhooks;
use temporalio_macros::activities;
use temporalio_sdk::activities::{ActivityContext, ActivityError};
use uuid::Uuid;

use crate::queues::TaskQueues;
use crate::{Parts, Repeated};

/// How often a step shows that it is alive. Temporal is told less often.
const ALIVE: Duration = Duration::from_secs(2);

/// The kind of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StepKind {
    /// See [`Step::Download`].
    Download,
    /// See [`Step::Recognition`].
    Recognise,
    /// See [`Step::Analyses`].
    Analyse,
}

impl StepKind {
    /// For Temporal's pages.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Download => "download",
            Self::Recognise => "recognise",
            Self::Analyse => "analyse",
        }
    }
}

/// A step that is to be taken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Order {
    /// The job.
    pub job: Uuid,
    /// What.
    pub step: StepKind,
    /// The task queue of the workers that can do it.
    pub queue: String,
    /// The account.
    pub user_id: String,
    /// The priority of the account's plan.
    pub priority: i64,
}

/// What a job needs next.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// This.
    Step(Order),
    /// To be asked again after so many milliseconds.
    Wait(u64),
    /// Nothing.
    Nothing,
}

/// When somebody must be told of a job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message {
    /// In so many milliseconds.
    pub wait: u64,
    /// The task queue of the workers that do it.
    pub queue: String,
}

/// How far a recognition is.
#[derive(Clone, Debug, Serialize)]
struct Alive {
    stage: Option<&'static str>,
    percent: f64,
}

/// The activities of a process.
#[derive(Clone)]
pub struct Steps {
    worker: StepWorker,
    webhooks: Webhooks,
    mails: CompletionMails,
    queues: TaskQueues,
    repeated: Arc<[Repeated]>,
}

impl Steps {
    pub(crate) fn new(parts: &Parts, queues: &TaskQueues) -> Self {
        Self {
            worker: parts.worker.clone(),
            webhooks: parts.webhooks.clone(),
            mails: parts.mails.clone(),
            queues: queues.clone(),
            repeated: parts.repeated.clone().into(),
        }
    }

    /// The step, and the task queue of those who can do it.
    fn place(&self, step: Step) -> (StepKind, String) {
        match step {
            Step::Download => (StepKind::Download, self.queues.of(Queue::Download)),
            Step::Analyses => (StepKind::Analyse, self.queues.of(Queue::Analysis)),
            Step::Recognition(mode) => {
                let model = self.worker.jobs().model(mode);
                (StepKind::Recognise, self.queues.recognition(&model))
            }
        }
    }

    async fn show_life(context: &ActivityContext, worker: &StepWorker, job: Uuid) {
        loop {
            let progress = worker.progress(job);
            let alive = Alive {
                stage: progress.map(|progress| progress.stage.as_str()),
                percent: progress.map_or(0.0, |progress| progress.percent),
            };
            if let Err(error) = context.record_heartbeat(alive).await {
                tracing::warn!(%job, %error, "Temporal is not told of progress");
            }
            tokio::time::sleep(ALIVE).await;
        }
    }
}

#[activities]
impl Steps {
    /// What the job needs next.
    #[activity]
    pub async fn next(
        self: Arc<Self>,
        _context: ActivityContext,
        job: Uuid,
    ) -> Result<Answer, ActivityError> {
        Ok(match self.worker.next(job).await? {
            Next::Step {
                step,
                user_id,
                priority,
            } => {
                let (step, queue) = self.place(step);
                Answer::Step(Order {
                    job,
                    step,
                    queue,
                    user_id,
                    priority,
                })
            }
            Next::Wait(time) => Answer::Wait(milliseconds(time)),
            Next::Nothing => Answer::Nothing,
        })
    }

    /// When somebody must be told of the job.
    #[activity]
    pub async fn next_message(
        self: Arc<Self>,
        _context: ActivityContext,
        job: Uuid,
    ) -> Result<Option<Message>, ActivityError> {
        let wait = self.worker.next_message(job).await?;
        Ok(wait.map(|wait| Message {
            wait: milliseconds(wait),
            queue: self.queues.of(Queue::Delivery),
        }))
    }

    /// Takes a step; `false` if it cannot be taken now.
    #[activity]
    pub async fn take(
        self: Arc<Self>,
        context: ActivityContext,
        order: Order,
    ) -> Result<bool, ActivityError> {
        let (job, worker) = (order.job, self.worker.clone());
        // The kind of recognition is in the row.
        let taking = async move {
            match order.step {
                StepKind::Download => worker.download(job).await,
                StepKind::Recognise => worker.recognise(job).await,
                StepKind::Analyse => worker.analyse(job).await,
            }
        };
        // A step that was begun ends in order even if its workflow does not want it any more.
        let mut taken = tokio::spawn(taking);
        tokio::select! {
            taken = &mut taken => Ok(taken??),
            () = context.cancelled() => {
                self.worker.jobs().stop(job).await;
                let _ended = taken.await;
                Err(ActivityError::cancelled())
            }
            () = Self::show_life(&context, &self.worker, job) => unreachable!("it never ends"),
        }
    }

    /// Tells services and the owner what is due; `false` if nothing could be sent, because a service has
    /// its share of calls already.
    #[activity]
    pub async fn tell(
        self: Arc<Self>,
        _context: ActivityContext,
        job: Uuid,
    ) -> Result<bool, ActivityError> {
        let scope = MessageScope::Job(job);
        let calls = self.webhooks.send_of(scope).await?;
        let mails = self.mails.send_due(scope).await?;
        Ok(calls + mails > 0)
    }

    /// Notes that the workflow ends; `false` if the job needs something.
    #[activity]
    pub async fn end(
        self: Arc<Self>,
        _context: ActivityContext,
        job: Uuid,
    ) -> Result<bool, ActivityError> {
        Ok(self.worker.end_workflow(job).await?)
    }

    /// Cancels the job, because somebody cancelled its workflow.
    #[activity]
    pub async fn cancel(
        self: Arc<Self>,
        _context: ActivityContext,
        job: Uuid,
    ) -> Result<(), ActivityError> {
        self.worker.cancel(job).await?;
        Ok(())
    }

    /// Does repeated work once.
    #[activity]
    pub async fn repeat(
        self: Arc<Self>,
        context: ActivityContext,
        name: String,
    ) -> Result<(), ActivityError> {
        let repeated = self.repeated.iter().find(|repeated| repeated.name == name);
        let repeated = repeated.ok_or_else(|| anyhow!("this version does not know “{name}”"))?;
        tokio::select! {
            done = (repeated.run)() => Ok(done?),
            () = async {
                loop {
                    // Without it, work of a dead process would be waited for.
                    let _ = context.record_heartbeat(()).await;
                    tokio::time::sleep(ALIVE).await;
                }
            } => unreachable!("it never ends"),
        }
    }
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
