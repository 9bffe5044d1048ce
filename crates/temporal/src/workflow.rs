//! The workflow of a job.
//!
//! It only decides by what its activities answer, so that it can be replayed. Workflows outlive the
//! program that started them: a change of what it does in which order needs
//! `WorkflowContext::patched`, and the stored histories in `histories/` must still replay (see tests).

use std::time::Duration;

use serde::{Deserialize, Serialize};
use temporalio_common::RetryPolicy;
use temporalio_macros::{workflow, workflow_methods};
use temporalio_sdk::workflows::{join, select};
use temporalio_sdk::{
    ActivityCancellationType, ActivityExecutionError, ActivityOptions, ContinueAsNewOptions,
    SyncWorkflowContext, WorkflowCancellationToken, WorkflowContext, WorkflowContextView,
    WorkflowResult, WorkflowTermination,
};
use uuid::Uuid;

use crate::activities::{Answer, Message, Order, Steps};
use crate::fairness::priority;

/// A pause after a step that could not be done, because another process has it or there is no room.
const NOT_NOW: Duration = Duration::from_secs(5);
/// The longest time of an activity that only reads and writes rows.
const SHORT: Duration = Duration::from_secs(60);
/// The longest time of a step: the longest recording on the slowest machine.
const LONG: Duration = Duration::from_hours(24 * 7);
/// Without a sign of life for this time, a step is given to another worker.
const HEARTBEAT: Duration = Duration::from_secs(20);
/// A step that nobody has taken for this time is looked at again: the model that it waits for may not
/// be in use any more.
const LONGEST_QUEUE: Duration = Duration::from_hours(1);
/// The longest pause between two attempts of an activity that fails, for example because the database
/// does not answer.
const LONGEST_RETRY: Duration = Duration::from_secs(30);

/// What the workflow is started with.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct JobInput {
    /// The job.
    pub job: Uuid,
}

/// A job.
#[workflow]
pub struct JobWorkflow {
    job: Uuid,
    /// How often it was told to look.
    told: u32,
    /// How many steps were taken.
    steps: u32,
    /// Whether it looks for steps.
    works: bool,
    /// Whether its history is long enough.
    is_long: bool,
}

type Context = WorkflowContext<JobWorkflow>;

#[workflow_methods]
impl JobWorkflow {
    #[init]
    #[expect(clippy::needless_pass_by_value, reason = "as the macro expects it")]
    fn new(_context: &WorkflowContextView, input: JobInput) -> Self {
        Self {
            job: input.job,
            told: 0,
            steps: 0,
            works: false,
            is_long: false,
        }
    }

    #[run(name = "job")]
    pub async fn run(context: &mut WorkflowContext<Self>) -> WorkflowResult<()> {
        let job = context.state(|state| state.job);
        loop {
            context.state_mut(|state| state.works = true);
            let (worked, told) = join!(work(context), send_messages(context));
            if context.cancellation_token().is_cancelled() {
                // It must run although everything else is cancelled.
                let mut options = short();
                options.cancellation_token = Some(WorkflowCancellationToken::new());
                context
                    .execute_activity(Steps::cancel, job, options)
                    .await?;
                return Err(WorkflowTermination::cancelled());
            }
            worked?;
            told?;
            if context.state(|state| state.is_long) {
                context.continue_as_new(JobInput { job }, ContinueAsNewOptions::default())?;
            }
            let before = context.state(|state| state.told);
            let has_ended = context.execute_activity(Steps::end, job, short()).await?;
            if has_ended && context.state(|state| state.told) == before {
                return Ok(());
            }
        }
    }

    /// The job may need something.
    #[signal]
    pub fn look(&mut self, _context: &mut SyncWorkflowContext<Self>, _: ()) {
        self.told += 1;
    }
}

/// Takes steps until the job needs none.
async fn work(context: &Context) -> Result<(), ActivityExecutionError> {
    let worked = take_steps(context).await;
    context.state_mut(|state| state.works = false);
    worked
}

async fn take_steps(context: &Context) -> Result<(), ActivityExecutionError> {
    let job = context.state(|state| state.job);
    loop {
        if context.continue_as_new_suggested() {
            context.state_mut(|state| state.is_long = true);
            return Ok(());
        }
        let told = context.state(|state| state.told);
        match context.execute_activity(Steps::next, job, short()).await? {
            Answer::Step(order) => {
                let options = long(&order);
                let taken = context.execute_activity(Steps::take, order, options).await;
                let is_taken = match taken {
                    Ok(is_taken) => is_taken,
                    Err(error) if error.as_timeout().is_some() => false,
                    Err(error) => return Err(error),
                };
                context.state_mut(|state| state.steps += 1);
                if !is_taken {
                    pause(context, NOT_NOW, told).await;
                }
            }
            Answer::Wait(milliseconds) => {
                pause(context, Duration::from_millis(milliseconds), told).await;
            }
            Answer::Nothing => return Ok(()),
        }
        if context.cancellation_token().is_cancelled() {
            return Ok(());
        }
    }
}

/// Waits, at most until it is told to look.
async fn pause(context: &Context, time: Duration, told: u32) {
    select! {
        _ = context.timer(time) => {}
        _ = context.wait_condition(|state| state.told != told) => {}
    }
}

/// Tells services and the owner what happened, while there are steps and until everything is said. What
/// is said again later does not hold up new steps.
async fn send_messages(context: &Context) -> Result<(), ActivityExecutionError> {
    let job = context.state(|state| state.job);
    loop {
        if context.continue_as_new_suggested() {
            context.state_mut(|state| state.is_long = true);
            return Ok(());
        }
        let (told, steps) = context.state(|state| (state.told, state.steps));
        let due = context.execute_activity(Steps::next_message, job, short());
        match due.await? {
            Some(Message { wait: 0, queue }) => {
                let mut options = short();
                options.task_queue = Some(queue);
                if !context.execute_activity(Steps::tell, job, options).await? {
                    context.timer(NOT_NOW).await;
                }
                continue;
            }
            Some(Message { wait, .. }) => {
                select! {
                    _ = context.timer(Duration::from_millis(wait)) => {}
                    _ = context.wait_condition(|state| {
                        state.told != told || state.steps != steps || state.is_long
                    }) => {}
                }
            }
            None => {
                if !context.state(|state| state.works) {
                    return Ok(());
                }
                // Whatever happens, the next round sees it.
                let _ = context
                    .wait_condition(|state| {
                        !state.works || state.told != told || state.steps != steps
                    })
                    .await;
            }
        }
        let (works, is_told) = context.state(|state| (state.works, state.told != told));
        let is_long = context.state(|state| state.is_long);
        // New steps are looked for from the beginning.
        if is_long || (!works && is_told) || context.cancellation_token().is_cancelled() {
            return Ok(());
        }
    }
}

fn retries() -> RetryPolicy {
    RetryPolicy::builder()
        .maximum_interval(LONGEST_RETRY)
        .build()
}

/// For activities that only read and write rows.
fn short() -> ActivityOptions {
    ActivityOptions::with_start_to_close_timeout(SHORT)
        .retry_policy(retries())
        .build()
}

/// For steps.
fn long(order: &Order) -> ActivityOptions {
    ActivityOptions::with_start_to_close_timeout(LONG)
        .task_queue(order.queue.clone())
        .schedule_to_start_timeout(LONGEST_QUEUE)
        .heartbeat_timeout(HEARTBEAT)
        .cancellation_type(ActivityCancellationType::TryCancel)
        .priority(priority(order.priority, Some(order.user_id.clone())))
        .retry_policy(retries())
        .summary(order.step.as_str())
        .do_not_eagerly_execute(true)
        .build()
}
